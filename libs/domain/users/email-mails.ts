/** Mails with links that prove an email address. */
import { nameInMail } from './names.ts';

export const emailLinkSeconds = 86_400;

export const emailLink = (webBaseUrl: string, token: string): string =>
  `${webBaseUrl}/confirm-email?token=${encodeURIComponent(token)}`;

interface Mail {
  subject: string;
  text: string;
}

const mail = (subject: string, firstname: string, lines: readonly string[]): Mail => ({
  subject,
  text: [`${['Hello', nameInMail(firstname)].filter(Boolean).join(' ')},`, '', ...lines, ''].join('\n'),
});

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

/** To the new address, whose owner may be a stranger: without a name. */
export const newAddressMail = (link: string): Mail =>
  mail('Confirm your new email address', '', [
    'this email address was entered as the new address of an account. To confirm that it is yours, open this link within 24 hours:',
    '',
    link,
    '',
    'The address changes when the link in the email to the previous address has been opened, too.',
    'If this was not you, ignore this email.',
  ]);
