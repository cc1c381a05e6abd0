/** Account mails, and the rules for their links (M-4.6.q3c, M-8.14, M-8.15). */
import { daySeconds } from '../time.ts';
import { nameInMail } from './names.ts';

interface Mail {
  subject: string;
  text: string;
}

const greeting = (firstname: string): string => ['Hello', nameInMail(firstname)].filter(Boolean).join(' ');

const mail = (subject: string, firstname: string, lines: readonly string[]): Mail => ({
  subject,
  text: [`${greeting(firstname)},`, '', ...lines, ''].join('\n'),
});

/** The last mail of an account, without the name, which was deleted with it. */
export const accountDeletedMail = mail('Your account was deleted', '', [
  'your account and everything that it had stored were deleted for good.',
  '',
  'If this was not you, please write to the operator of the service at once.',
]);

/** Without a link, since fraudulent mails have one. */
export const passwordChangedMail = (
  firstname: string,
  { isApiKeyRenewed }: { isApiKeyRenewed: boolean },
): Mail =>
  mail('Your password was changed', firstname, [
    'the password of your account was changed. Every device has to sign in again.',
    isApiKeyRenewed
      ? 'Your API key was renewed, too: apps and partners that use it need the new one.'
      : 'Your API key is the same as before.',
    '',
    'If this was not you, request a new password in the app at once, and renew the API key with it.',
  ]);

export const linkLifeSeconds = 3_600;
export const pauseBetweenMailsSeconds = 900;

/** 43 URL-safe characters for 32 random bytes. */
export const isResetToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

export const resetLink = (webBaseUrl: string, token: string): string =>
  `${webBaseUrl}/reset-password?token=${encodeURIComponent(token)}`;

export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`);

const resetReason =
  'someone requested a new password for your account. To set one, open this link within one hour:';
const resetRule =
  'The link works once. If this was not you, ignore this email: your password remains unchanged.';

export const resetMail = (firstname: string, link: string): Mail & { html: string } => ({
  ...mail('Reset your password', firstname, [resetReason, '', link, '', resetRule]),
  html: [
    `<p>${escaped(greeting(firstname))},</p>`,
    `<p>${resetReason}</p>`,
    `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`,
    `<p>${resetRule}</p>`,
  ].join('\n'),
});

/** How long a link that confirms an email address is valid. */
export const emailLinkSeconds = daySeconds;

export const emailLink = (webBaseUrl: string, token: string): string =>
  `${webBaseUrl}/confirm-email?token=${encodeURIComponent(token)}`;

export const verificationMail = (firstname: string, link: string): Mail =>
  mail('Confirm your email address', firstname, [
    'an account was created with this email address. To confirm that the address is yours, open this link within 24 hours:',
    '',
    link,
    '',
    'If this was not you, ignore this email: the address then remains unconfirmed.',
  ]);

/** To the previous address. */
export const emailChangeMail = (firstname: string, newAddress: string, link: string): Mail =>
  mail('Confirm the change of your email address', firstname, [
    `someone who knows your password wants to change the email address of your account to ${newAddress}.`,
    'To agree, open this link within 24 hours:',
    '',
    link,
    '',
    'The address changes when the link in the email to the new address has been opened, too.',
    'If this was not you, do not open the link, and change your password in the app at once.',
  ]);

/** To the new address, which may belong to a stranger, so without a name. */
export const newAddressMail = (link: string): Mail =>
  mail('Confirm your new email address', '', [
    'this email address was entered as the new address of an account. To confirm that it is yours, open this link within 24 hours:',
    '',
    link,
    '',
    'The address changes when the link in the email to the previous address has been opened, too.',
    'If this was not you, ignore this email.',
  ]);
