/** Token and code of a share: found by their hashes, and kept encrypted, because their owner may see them again. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  randomInt,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { codeAlphabet } from '#domain/ofp/share.ts';
import type { ShareSecrets } from '#domain/ofp/share.ts';

const ivBytes = 12;
const tagBytes = 16;

/** As stored. */
export interface SealedShare {
  tokenHash: Buffer;
  codeHash: Buffer;
  sealed: Buffer;
}

/** 48 URL-safe characters: 288 random bits. */
const newToken = (): string => randomBytes(36).toString('base64url');

/** 8 characters: 40 random bits, for people to type. */
const newCode = (): string =>
  Array.from({ length: 8 }, () => codeAlphabet[randomInt(codeAlphabet.length)] ?? '').join('');

const knownKeys = new Map<string, KeyObject>();

/** A key for each use, from a configured one; kept, since there are few and each takes longer than to open a share. */
const derived = (key: string, use: 'share code' | 'share seal'): KeyObject => {
  const name = `${use} ${key}`;
  const known = knownKeys.get(name);
  if (known) return known;
  const made = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', use, 32)));
  knownKeys.set(name, made);
  return made;
};

/** A token is too long to be found by trying, so a fast hash is enough. */
export const hashOfShareToken = (token: string): Buffer => hash('sha256', token, 'buffer');

const hashOfCode = (code: string, key: string): Buffer =>
  createHmac('sha256', derived(key, 'share code')).update(code).digest();

/** With every key, since the one with which the code was issued is not known. All 40 bits could be tried without one. */
export const hashesOfShareCode = (code: string, keys: readonly string[]): Buffer[] =>
  keys.map((key) => hashOfCode(code, key));

const seal = (secrets: ShareSecrets, tokenHash: Buffer, key: string): Buffer => {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', derived(key, 'share seal'), iv).setAAD(tokenHash);
  const sealed = Buffer.concat([cipher.update(`${secrets.token}${secrets.code}`, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
};

const opened = (sealed: Buffer, tokenHash: Buffer, key: string): ShareSecrets | null => {
  const iv = sealed.subarray(0, ivBytes);
  const tag = sealed.subarray(ivBytes, ivBytes + tagBytes);
  const cipher = createDecipheriv('aes-256-gcm', derived(key, 'share seal'), iv, { authTagLength: tagBytes })
    .setAAD(tokenHash)
    .setAuthTag(tag);
  const start = cipher.update(sealed.subarray(ivBytes + tagBytes));
  try {
    const text = Buffer.concat([start, cipher.final()]).toString('utf8');
    return { token: text.slice(0, 48), code: text.slice(48) };
  } catch {
    // Sealed with another key.
    return null;
  }
};

/** New secrets, sealed with the first key. */
export const newShareSecrets = ([key = '']: readonly string[]): ShareSecrets & SealedShare => {
  const secrets = { token: newToken(), code: newCode() };
  const tokenHash = hashOfShareToken(secrets.token);
  return {
    ...secrets,
    tokenHash,
    codeHash: hashOfCode(secrets.code, key),
    sealed: seal(secrets, tokenHash, key),
  };
};

/** Null when none of the keys is the one with which they were sealed. */
export const openShareSecrets = (
  { sealed, tokenHash }: Pick<SealedShare, 'sealed' | 'tokenHash'>,
  keys: readonly string[],
): ShareSecrets | null => {
  for (const key of keys) {
    const secrets = opened(sealed, tokenHash, key);
    if (secrets) return secrets;
  }
  return null;
};
