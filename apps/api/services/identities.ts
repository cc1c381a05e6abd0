import { createHash } from 'node:crypto';
import { emailField } from '#domain/fields/index.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { constantPeriod, entitlementOf } from '#domain/subscriptions/entitlement.ts';
import { hashesOfApiKey, openApiKey } from '#data/auth/api-keys.ts';
import { hashOfKey } from '#platform/developer-keys.ts';
import type { Context } from '#data/context.ts';
import { identityRepo } from '#data/postgres/users/identities.ts';
import type { Identity } from '#data/postgres/users/identities.ts';
import type { Caches } from './caches.ts';

/**
 * Users, sessions and developer keys of the calls: a revoked key, an ended session or a raised token generation takes effect
 * immediately.
 */
export interface Identities {
  byUserId: (userId: number) => Promise<Caller | null>;
  byApiKey: (apiKey: string) => Promise<Caller | null>;
  /** The user of a session that has not ended. */
  userOfSession: (id: number) => Promise<number | null>;
  keyById: (id: number) => Promise<DeveloperKey | null>;
  keyByText: (key: string) => Promise<DeveloperKey | null>;
  /**
   * Key for counting login attempts for this email address: the account, regardless of the spelling of the
   * address.
   */
  accountKey: (email: string) => Promise<string>;
}

/** As the operations read it, so that no spelling has a counter of its own. */
const addressSchema = emailField();

export const createIdentities = (
  context: Pick<Context, 'config' | 'postgres' | 'clock'>,
  caches: Pick<Caches, 'users' | 'sessions' | 'developerKeys' | 'developerKeysByHash'>,
): Identities => {
  const repo = identityRepo(context.postgres.db);
  const keys = context.config.ENCRYPTION_KEYS;

  const callers = new WeakMap<Identity, { caller: Caller; fromMs: number; untilMs: number }>();

  /** The same object as long as nothing about it changes, so that answers can be kept with it. */
  const toCaller = (identity: Identity | null): Caller | null => {
    if (!identity) return null;
    const now = context.clock.now();
    const known = callers.get(identity);
    if (known && known.fromMs <= now.getTime() && now.getTime() < known.untilMs) return known.caller;
    const { held, preview, apiKeySealed, ...user } = identity;
    const apiKey = openApiKey(apiKeySealed, keys);
    // A process does not start without the keys of what is stored.
    if (apiKey === null) throw new Error(`the API key of user ${user.userId} opens with no key`);
    const caller = { ...user, apiKey, entitlement: entitlementOf(held, preview, now) };
    callers.set(identity, { caller, ...constantPeriod(held, now) });
    return caller;
  };

  return {
    byUserId: async (userId) => toCaller(await caches.users.get(userId)),
    byApiKey: async (apiKey) => toCaller(await repo.byApiKey(hashesOfApiKey(apiKey, keys))),
    userOfSession: (id) => caches.sessions.get(id),
    keyById: (id) => caches.developerKeys.get(id),
    keyByText: async (key) => {
      const found = await caches.developerKeysByHash.get(hashOfKey(key).toString('hex'));
      return found?.endsAt && found.endsAt <= context.clock.now() ? null : found;
    },
    accountKey: async (email) => {
      const address = addressSchema.safeParse(email).data;
      const userId = address === undefined ? null : await repo.idByEmail(address);
      if (userId !== null) return `id ${userId}`;
      const text = (address ?? email.slice(0, 1_024)).toLowerCase();
      return `unknown ${createHash('sha256').update(text).digest('base64url')}`;
    },
  };
};
