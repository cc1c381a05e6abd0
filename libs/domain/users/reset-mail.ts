/** The mail that a password reset sends, and the rules of its link (M-4.6.q3c, M-8.14, M-8.15). */
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
): { subject: string; text: string; html: string } => ({
  subject: 'Reset your password',
  text: [
    `Hello ${firstname},`,
    '',
    'somebody asked to set a new password for your account. To do so, open this link within one hour:',
    '',
    link,
    '',
    'It works once. If it was not you, ignore this mail: your password stays as it is.',
    '',
  ].join('\n'),
  html: [
    `<p>Hello ${escaped(firstname)},</p>`,
    '<p>somebody asked to set a new password for your account. To do so, open this link within one hour:</p>',
    `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`,
    '<p>It works once. If it was not you, ignore this mail: your password stays as it is.</p>',
  ].join('\n'),
});
