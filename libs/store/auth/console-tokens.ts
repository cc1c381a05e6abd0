import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new token of the console; shown once, stored as a hash. */
export const newConsoleToken = (): string => `ct_${randomBytes(32).toString('base64url')}`;

/** The secret of a session, for its cookie; stored as a hash. */
export const newSessionSecret = (): string => randomBytes(32).toString('base64url');

/** Tokens and secrets are long random texts, so one fast hash is enough. */
export const hashOfSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/** The token in the forms of a session; without the cookie it cannot be computed. */
export const formTokenOf = (sessionSecret: string): string =>
  createHmac('sha256', sessionSecret).update('form').digest('base64url');

export const isFormToken = (sessionSecret: string, given: string): boolean => {
  const [expected, received] = [Buffer.from(formTokenOf(sessionSecret)), Buffer.from(given)];
  return expected.length === received.length && timingSafeEqual(expected, received);
};
