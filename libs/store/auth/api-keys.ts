import { randomInt } from 'node:crypto';
import { lookupHash, lookupHashes, openSealed, seal } from './sealing.ts';

/** 32 characters without I, L, O and U, so that a key can be read aloud and typed. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

const group = (): string =>
  Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');

/** A user's API key, `API-XXXX-XXXX-XXXX` (M-2.7.r7): 60 random bits. */
export const newApiKey = (): string => `API-${group()}-${group()}-${group()}`;

/** As stored. */
export interface SealedApiKey {
  apiKeyHash: Buffer;
  apiKeySealed: Buffer;
}

/** Its 60 bits could be tried without a key, so the hash has one. */
export const hashesOfApiKey = (apiKey: string, keys: readonly string[]): Buffer[] =>
  lookupHashes(apiKey, 'API key', keys);

/** With the first key. */
export const sealApiKey = (apiKey: string, keys: readonly string[]): SealedApiKey => ({
  apiKeyHash: lookupHash(apiKey, 'API key', keys),
  apiKeySealed: seal(apiKey, 'API key seal', keys),
});

/** Null when the key with which it was sealed is none of these. */
export const openApiKey = (apiKeySealed: Buffer | null, keys: readonly string[]): string | null =>
  openSealed(apiKeySealed, 'API key seal', keys);

export const sealPin = (pin: string, keys: readonly string[]): Buffer => seal(pin, 'PIN seal', keys);

export const openPin = (pinSealed: Buffer | null, keys: readonly string[]): string | null =>
  openSealed(pinSealed, 'PIN seal', keys);
