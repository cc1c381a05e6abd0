import type { Limit } from '../../../limits.ts';

/** Uses of reset links, by the query and by the web form; successful ones do not count. */
export const passwordResetLimit: Limit = {
  name: 'passwordReset',
  points: 20,
  perSeconds: 3600,
  by: 'ip',
  counts: 'failures',
};

/** New accounts, by the query and at the page. */
export const registerLimit: Limit = { name: 'register', points: 20, perSeconds: 3600, by: 'ip' };

/** Requests of reset links, by the query and at the page. */
export const resetRequestLimit: Limit = {
  name: 'passwordResetRequest',
  points: 20,
  perSeconds: 3600,
  by: [{ account: 'email' }, 'ip'],
};
export const resetAddressLimit: Limit = {
  name: 'passwordResetAddress',
  points: 100,
  perSeconds: 3600,
  by: 'ip',
};

/** Uses of links that prove an email address; successful ones do not count. */
export const emailLinkLimit: Limit = { ...passwordResetLimit, name: 'emailLink' };
