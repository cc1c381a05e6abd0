import { wireTime } from '../time.ts';

interface DisabledEndpoint {
  url: string;
  application: string;
  failingSince: Date;
  /** Of the last attempt. */
  reason: string;
}

/** To whoever looks after an endpoint that no longer gets messages. */
export const endpointDisabledMail = ({ url, application, failingSince, reason }: DisabledEndpoint) => ({
  subject: `Webhooks of ${application} are switched off`,
  text: [
    'Hello,',
    '',
    `the endpoint ${url} of the application ${application} has accepted no message since ${wireTime(failingSince)}, so that it gets none any more.`,
    `The last attempt ended with: ${reason}.`,
    '',
    'Once it answers with a status from 200 to 299, switch it on again and replay what it has missed.',
    '',
  ].join('\n'),
});
