import { wireTime } from '../time.ts';

interface DisabledEndpoint {
  url: string;
  application: string;
  failingSince: Date;
  /** Why the last attempt failed. */
  reason: string;
}

/** The mail about an endpoint that was disabled. */
export const endpointDisabledMail = ({ url, application, failingSince, reason }: DisabledEndpoint) => ({
  subject: `Webhooks of ${application} are switched off`,
  text: [
    'Hello,',
    '',
    `the endpoint ${url} of the application ${application} has not accepted any message since ${wireTime(failingSince)}. It will not receive any more.`,
    `The last attempt ended with: ${reason}.`,
    '',
    'Once it answers with a status from 200 to 299, switch it on again and replay the messages that it has missed.',
    '',
  ].join('\n'),
});

/** Why a URL cannot be an endpoint; null if it can. HTTPS only, unless the operator allows private networks. */
export const endpointUrlProblem = (text: string, allowsHttp: boolean): string | null => {
  if (text.length > 500) return 'The URL has more than 500 characters.';
  if (!URL.canParse(text)) return 'Give the whole URL, such as https://efb.example/hooks.';
  const { protocol, username, password, hash } = new URL(text);
  if (protocol !== 'https:' && !(allowsHttp && protocol === 'http:'))
    return 'The URL must begin with https://.';
  if (username !== '' || password !== '') return 'The URL must not contain a user name or password.';
  return hash === '' ? null : 'The URL must not have a part after #.';
};
