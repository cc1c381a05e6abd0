import { createHash, randomBytes } from 'node:crypto';

/** 32 random bytes for a mailed link; only the hash is stored. */
export const newResetToken = (): string => randomBytes(32).toString('base64url');

export const hashOfResetToken = (token: string): Buffer =>
  createHash('sha256').update(token, 'utf8').digest();
