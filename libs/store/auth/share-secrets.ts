/** Token and code of a share: found by their hashes, and kept sealed, because their owner may see them again. */
import { hash, randomBytes, randomInt } from 'node:crypto';
import { codeAlphabet } from '#domain/ofp/share.ts';
import type { ShareSecrets } from '#domain/ofp/share.ts';
import { lookupHash, lookupHashes, openSealed, seal } from './sealing.ts';

/** As stored. */
export interface SealedShare {
  tokenHash: Buffer;
  codeHash: Buffer;
  /** Null only in a share of an older version that opens with no key. */
  sealed: Buffer | null;
}

/** 48 URL-safe characters: 288 random bits. */
const newToken = (): string => randomBytes(36).toString('base64url');

/** 8 characters: 40 random bits, for people to type. */
const newCode = (): string =>
  Array.from({ length: 8 }, () => codeAlphabet[randomInt(codeAlphabet.length)] ?? '').join('');

/** A token is too long to be found by trying, so a fast hash is enough. */
export const hashOfShareToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** All 40 bits of a code could be tried without a key. */
export const hashesOfShareCode = (code: string, keys: readonly string[]): Buffer[] =>
  lookupHashes(code, 'share code', keys);

/** With the first key. */
export const sealShareSecrets = (secrets: ShareSecrets, keys: readonly string[]): SealedShare => {
  const tokenHash = hashOfShareToken(secrets.token);
  return {
    tokenHash,
    codeHash: lookupHash(secrets.code, 'share code', keys),
    sealed: seal(`${secrets.token}${secrets.code}`, 'share seal', keys, tokenHash),
  };
};

export const newShareSecrets = (keys: readonly string[]): ShareSecrets & SealedShare => {
  const secrets = { token: newToken(), code: newCode() };
  return { ...secrets, ...sealShareSecrets(secrets, keys) };
};

/** Null when the key with which they were sealed is none of these. */
export const openShareSecrets = (
  { sealed, tokenHash }: Pick<SealedShare, 'sealed' | 'tokenHash'>,
  keys: readonly string[],
): ShareSecrets | null => {
  const text = openSealed(sealed, 'share seal', keys, tokenHash);
  return text === null ? null : { token: text.slice(0, 48), code: text.slice(48) };
};
