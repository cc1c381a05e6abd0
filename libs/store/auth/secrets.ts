/**
 * Secrets of accounts, shares and applications: looked up by hash, and encrypted where their owner may see
 * them again.
 */
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
import { userCodeAlphabet, userCodeLength } from '#domain/users/device-login.ts';
import { keyIdOf } from '#platform/config/config.ts';

const idBytes = 6;
const ivBytes = 12;
const tagBytes = 16;
const unbound: Buffer = Buffer.alloc(0);

type SealUse = 'share seal' | 'API key seal' | 'PIN seal' | 'answer seal' | 'webhook seal';
type HashUse = 'share code' | 'API key' | 'email' | 'device code';

const knownKeys = new Map<string, KeyObject>();

/** One derived key per use and configured key; cached, because deriving takes longer than decrypting a value. */
const derived = (key: string, use: SealUse | HashUse): KeyObject => {
  const name = `${use} ${key}`;
  const known = knownKeys.get(name);
  if (known) return known;
  const made = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', use, 32)));
  knownKeys.set(name, made);
  return made;
};

const knownIds = new Map<string, Buffer>();

/** Prefix of values encrypted with this key: `keyIdOf` in 6 bytes. */
export const sealIdOf = (key: string): Buffer => {
  const id = knownIds.get(key) ?? Buffer.from(keyIdOf(key), 'base64url');
  knownIds.set(key, id);
  return id;
};

/** New values are encrypted and hashed with the first key. */
const firstOf = ([key]: readonly string[]): string => {
  if (key === undefined) throw new Error('there is no key to seal with');
  return key;
};

/**
 * Keyed hash of a short text, since every possible text could be tried against a plain hash; uses the first
 * key.
 */
export const lookupHash = (text: string, use: HashUse, keys: readonly string[]): Buffer =>
  createHmac('sha256', derived(firstOf(keys), use))
    .update(text)
    .digest();

/** Hashes with every key, since the key with which the text was stored is unknown. */
export const lookupHashes = (text: string, use: HashUse, keys: readonly string[]): Buffer[] =>
  keys.map((key) => lookupHash(text, use, [key]));

/** AES-256-GCM; decrypts only with the same `boundTo`. */
export const seal = (text: string, use: SealUse, keys: readonly string[], boundTo = unbound): Buffer => {
  const key = firstOf(keys);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', derived(key, use), iv).setAAD(boundTo);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([sealIdOf(key), iv, cipher.getAuthTag(), sealed]);
};

/** Decrypts what follows the key id; null if key, use or `boundTo` differ. */
const openWith = (key: string, use: SealUse, body: Buffer, boundTo = unbound): string | null => {
  const iv = body.subarray(0, ivBytes);
  const tag = body.subarray(ivBytes, ivBytes + tagBytes);
  const cipher = createDecipheriv('aes-256-gcm', derived(key, use), iv, { authTagLength: tagBytes })
    .setAAD(boundTo)
    .setAuthTag(tag);
  const start = cipher.update(body.subarray(ivBytes + tagBytes));
  try {
    return Buffer.concat([start, cipher.final()]).toString('utf8');
  } catch {
    // Encrypted with another key or for another use.
    return null;
  }
};

/** Null if it was encrypted with none of these keys. */
export const openSealed = (
  sealed: Buffer | null,
  use: SealUse,
  keys: readonly string[],
  boundTo = unbound,
): string | null => {
  if (!sealed) return null;
  const id = sealed.subarray(0, idBytes);
  const key = keys.find((one) => sealIdOf(one).equals(id));
  return key === undefined ? null : openWith(key, use, sealed.subarray(idBytes), boundTo);
};

/** 256 random bits for a link, a cookie or a device. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Such a text is too long to be found by trying, so one fast hash is enough. */
export const hashOfSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

const randomText = (alphabet: string, length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)] ?? '').join('');

/** 34 random bits, for a person to type. */
export const newUserCode = (): string => randomText(userCodeAlphabet, userCodeLength);

/** 32 characters without I, L, O and U, so that a key can be read aloud and typed. */
const keyGroup = (): string => randomText('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 4);

/** A user's API key, `API-XXXX-XXXX-XXXX` (M-2.7.r7): 60 random bits. */
export const newApiKey = (): string => `API-${keyGroup()}-${keyGroup()}-${keyGroup()}`;

/** As stored. */
export interface SealedApiKey {
  apiKeyHash: Buffer;
  apiKeySealed: Buffer;
}

/** With the first key. */
export const sealApiKey = (apiKey: string, keys: readonly string[]): SealedApiKey => ({
  apiKeyHash: lookupHash(apiKey, 'API key', keys),
  apiKeySealed: seal(apiKey, 'API key seal', keys),
});

/** Null if it was encrypted with none of these keys. */
export const openApiKey = (apiKeySealed: Buffer | null, keys: readonly string[]): string | null =>
  openSealed(apiKeySealed, 'API key seal', keys);

/**
 * Token and code of a share as stored: looked up by their hashes, and encrypted, because their owner may see
 * them again.
 */
export interface SealedShare {
  tokenHash: Buffer;
  codeHash: Buffer;
  /** Null only in shares of an older version that none of the keys decrypts. */
  sealed: Buffer | null;
}

export const sealShareSecrets = ({ token, code }: ShareSecrets, keys: readonly string[]): SealedShare => {
  const tokenHash = hashOfSecret(token);
  return {
    tokenHash,
    codeHash: lookupHash(code, 'share code', keys),
    sealed: seal(`${token}${code}`, 'share seal', keys, tokenHash),
  };
};

/** A token of 48 URL-safe characters, 288 random bits, and a code of 40 for people to type. */
export const newShareSecrets = (keys: readonly string[]): ShareSecrets & SealedShare => {
  const secrets = { token: randomBytes(36).toString('base64url'), code: randomText(codeAlphabet, 8) };
  return { ...secrets, ...sealShareSecrets(secrets, keys) };
};

/** Null if they were encrypted with none of these keys. */
export const openShareSecrets = (
  { sealed, tokenHash }: Pick<SealedShare, 'sealed' | 'tokenHash'>,
  keys: readonly string[],
): ShareSecrets | null => {
  const text = openSealed(sealed, 'share seal', keys, tokenHash);
  return text === null ? null : { token: text.slice(0, 48), code: text.slice(48) };
};

const webhookPrefix = 'whsec_';

/** 24 random bytes, as the libraries of Standard Webhooks expect them. */
export const newWebhookSecret = (): string => `${webhookPrefix}${randomBytes(24).toString('base64')}`;

interface SignedMessage {
  /** The same in every attempt. */
  id: string;
  body: string;
  at: Date;
}

/** The headers of a message to a webhook endpoint, with a signature for each secret (Standard Webhooks, symmetric). */
export const signatureHeaders = (
  { id, body, at }: SignedMessage,
  secrets: readonly string[],
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(webhookPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signed.join(' ') };
};

/** The token in the forms of a session, which cannot be computed without its cookie. */
export const formTokenOf = (sessionSecret: string): string =>
  createHmac('sha256', sessionSecret).update('form').digest('base64url');
