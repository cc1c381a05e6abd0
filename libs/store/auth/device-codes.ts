/** Codes of a device login: the long one that only the device knows, and the short one that a person types. */
import { hash, randomBytes, randomInt } from 'node:crypto';
import { userCodeAlphabet, userCodeLength } from '#domain/users/device-login.ts';
import { lookupHash, lookupHashes } from './sealing.ts';

/** 256 random bits. */
export const newDeviceCode = (): string => randomBytes(32).toString('base64url');

/** 34 random bits. */
export const newUserCode = (): string =>
  Array.from(
    { length: userCodeLength },
    () => userCodeAlphabet[randomInt(userCodeAlphabet.length)] ?? '',
  ).join('');

/** Too long to be found by trying, so a fast hash is enough. */
export const hashOfDeviceCode = (code: string): Buffer => hash('sha256', code, 'buffer');

/** All codes of a person could be tried without a key. */
export const hashOfUserCode = (code: string, keys: readonly string[]): Buffer =>
  lookupHash(code, 'device code', keys);

export const hashesOfUserCode = (code: string, keys: readonly string[]): Buffer[] =>
  lookupHashes(code, 'device code', keys);
