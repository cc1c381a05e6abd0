/** Of the address of a deleted account: found again when the address is registered, and not readable. */
import { lookupHash, lookupHashes } from './sealing.ts';

export const hashOfEmail = (email: string, keys: readonly string[]): Buffer =>
  lookupHash(email.toLowerCase(), 'email', keys);

export const hashesOfEmail = (email: string, keys: readonly string[]): Buffer[] =>
  lookupHashes(email.toLowerCase(), 'email', keys);
