/** The mail of a password reset, and the rules of its link (M-4.6.q3c, M-8.14, M-8.15). */
import { nameInMail } from './names.ts';

export const linkLifeSeconds = 3_600;
export const pauseBetweenMailsSeconds = 900;

/** 43 URL-safe characters of 32 random bytes, as the link carries them. */
export const isResetToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

export const resetLink = (webBaseUrl: string, token: string): string =>
  `${webBaseUrl}/reset-password?token=${encodeURIComponent(token)}`;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) ?? 0};`);

export const resetMail = (
  firstname: string,
  link: string,
): { subject: string; text: string; html: string } => {
  const greeting = ['Hello', nameInMail(firstname)].filter(Boolean).join(' ');
  return {
    subject: 'Reset your password',
    text: [
      `${greeting},`,
      '',
      'someone requested a new password for your account. To set one, open this link within one hour:',
      '',
      link,
      '',
      'The link works once. If this was not you, ignore this email: your password remains unchanged.',
      '',
    ].join('\n'),
    html: [
      `<p>${escaped(greeting)},</p>`,
      '<p>someone requested a new password for your account. To set one, open this link within one hour:</p>',
      `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`,
      '<p>The link works once. If this was not you, ignore this email: your password remains unchanged.</p>',
    ].join('\n'),
  };
};
