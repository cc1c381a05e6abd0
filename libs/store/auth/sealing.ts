/** Short texts that are found by a keyed hash, or sealed because their owner may see them again. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { keyIdOf } from '#platform/config/config.ts';

const idBytes = 6;
const ivBytes = 12;
const tagBytes = 16;
const unbound: Buffer = Buffer.alloc(0);

type SealUse = 'share seal' | 'API key seal' | 'PIN seal' | 'answer seal' | 'webhook seal';
type HashUse = 'share code' | 'API key' | 'email' | 'device code';

const knownKeys = new Map<string, KeyObject>();

/** A key for each use, from a configured one; kept, since there are few and each takes longer than to open a value. */
const derived = (key: string, use: SealUse | HashUse): KeyObject => {
  const name = `${use} ${key}`;
  const known = knownKeys.get(name);
  if (known) return known;
  const made = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', use, 32)));
  knownKeys.set(name, made);
  return made;
};

const knownIds = new Map<string, Buffer>();

/** What a value sealed with this key begins with: `keyIdOf` in 6 bytes. */
export const sealIdOf = (key: string): Buffer => {
  const id = knownIds.get(key) ?? Buffer.from(keyIdOf(key), 'base64url');
  knownIds.set(key, id);
  return id;
};

/** New values are sealed and hashed with the first key. */
const firstOf = ([key]: readonly string[]): string => {
  if (key === undefined) throw new Error('there is no key to seal with');
  return key;
};

const hashWith = (key: string, text: string, use: HashUse): Buffer =>
  createHmac('sha256', derived(key, use)).update(text).digest();

export const lookupHash = (text: string, use: HashUse, keys: readonly string[]): Buffer =>
  hashWith(firstOf(keys), text, use);

/** With every key, since the one with which the text was stored is not known. */
export const lookupHashes = (text: string, use: HashUse, keys: readonly string[]): Buffer[] =>
  keys.map((key) => hashWith(key, text, use));

/** AES-256-GCM; opens only with the same `boundTo`. */
export const seal = (text: string, use: SealUse, keys: readonly string[], boundTo = unbound): Buffer => {
  const key = firstOf(keys);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', derived(key, use), iv).setAAD(boundTo);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([sealIdOf(key), iv, cipher.getAuthTag(), sealed]);
};

/** Opens what follows the id of the key; null for another key, use, or text that it is bound to. */
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
    // Sealed with another key, or for another use.
    return null;
  }
};

/** Null when the key that sealed it is none of these. */
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
