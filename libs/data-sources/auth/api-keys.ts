import { randomInt } from 'node:crypto';

/** 32 characters without I, L, O and U, so that a key can be read aloud and typed. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const group = (): string =>
  Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');

/** A user's API key, `API-XXXX-XXXX-XXXX` (M-2.7.r7): 60 random bits. */
export const newApiKey = (): string => `API-${group()}-${group()}-${group()}`;
