import type { Limit } from '../../../limits.ts';

/** Uses of reset links, by the query and by the web form; successful ones do not count. */
export const passwordResetLimit: Limit = {
  name: 'passwordReset',
  points: 20,
  perSeconds: 3600,
  by: 'ip',
  counts: 'failures',
};

/** Uses of links that prove an email address; successful ones do not count. */
export const emailLinkLimit: Limit = { ...passwordResetLimit, name: 'emailLink' };
