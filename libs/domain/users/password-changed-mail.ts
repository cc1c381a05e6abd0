/** The mail that reports a new password. Without a link: those are what swindlers send. */
import { nameInMail } from './names.ts';

export const passwordChangedMail = (
  firstname: string,
  { isApiKeyRenewed }: { isApiKeyRenewed: boolean },
): { subject: string; text: string } => ({
  subject: 'Your password was changed',
  text: [
    `${['Hello', nameInMail(firstname)].filter(Boolean).join(' ')},`,
    '',
    'the password of your account was changed. Every device has to sign in again.',
    isApiKeyRenewed
      ? 'Your API key was renewed, too: apps and partners that use it need the new one.'
      : 'Your API key is the same as before.',
    '',
    'If this was not you, request a new password in the app at once, and renew the API key with it.',
    '',
  ].join('\n'),
});
