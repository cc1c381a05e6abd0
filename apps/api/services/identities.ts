import { createHash } from 'node:crypto';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { entitlementOf } from '#domain/subscriptions/entitlement.ts';
import { hashOfKey } from '#data/auth/dev-keys.ts';
import type { Context } from '#data/context.ts';
import { identityRepo } from '#data/postgres/users/identities.ts';
import type { Identity } from '#data/postgres/users/identities.ts';

const maxAgeMs = 5_000;
const maxEntries = 20_000;

export interface Identities {
  byUserId: (userId: number) => Promise<Caller | null>;
  byApiKey: (apiKey: string) => Promise<Caller | null>;
  keyById: (id: number) => Promise<DeveloperKey | null>;
  keyByText: (key: string) => Promise<DeveloperKey | null>;
  /** What login attempts for this email address are counted by: the account, however its address is spelled. */
  accountKey: (email: string) => Promise<string>;
  /** Keeps what only changes with users, keys, products or airlines, under a key of the caller's own. */
  remember: <T>(key: string, load: () => Promise<T>) => Promise<T>;
  /** Called when the database says that something changed, and by operations that changed it themselves. */
  forget: () => void;
}

/**
 * Users and keys of the requests in flight. They are kept for seconds, and only while the listener hears
 * of changes: a revoked key or a raised token generation takes effect at once.
 */
export const createIdentities = (context: Context, isListening: () => boolean): Identities => {
  const repo = identityRepo(context.postgres.db);
  const kept = new Map<string, { value: Promise<unknown>; until: number }>();

  const remember = <T>(key: string, load: () => Promise<T>): Promise<T> => {
    if (!isListening()) return load();
    const now = performance.now();
    const known = kept.get(key);
    if (known && known.until > now) return known.value as Promise<T>;
    const value = load();
    if (kept.size >= maxEntries) kept.clear();
    kept.set(key, { value, until: now + maxAgeMs });
    value.catch(() => kept.delete(key));
    return value;
  };

  const toCaller = (identity: Identity | null): Caller | null => {
    if (!identity) return null;
    const { held, preview, ...user } = identity;
    return { ...user, entitlement: entitlementOf(held, preview, context.clock.now()) };
  };

  return {
    byUserId: async (userId) => toCaller(await remember(`u${userId}`, () => repo.byUserId(userId))),
    byApiKey: async (apiKey) => toCaller(await repo.byApiKey(apiKey)),
    keyById: (id) => remember(`k${id}`, () => repo.keyById(id)),
    keyByText: (key) => {
      const hash = hashOfKey(key);
      return remember(`h${hash.toString('base64')}`, () => repo.keyByHash(hash));
    },
    accountKey: async (email) => {
      const text = email.slice(0, 1_024).replaceAll('\0', '').trim();
      const userId = await repo.idByEmail(text);
      if (userId !== null) return `id ${userId}`;
      return `unknown ${createHash('sha256').update(text.normalize('NFKC').toLowerCase()).digest('base64url')}`;
    },
    remember,
    forget: () => kept.clear(),
  };
};
