import { createHash } from 'node:crypto';
import { emailField } from '#domain/fields/index.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { entitlementOf } from '#domain/subscriptions/entitlement.ts';
import { hashesOfApiKey, openApiKey } from '#data/auth/api-keys.ts';
import { hashOfKey } from '#platform/developer-keys.ts';
import type { Context } from '#data/context.ts';
import { identityRepo } from '#data/postgres/users/identities.ts';
import type { Identity, TokenSubject } from '#data/postgres/users/identities.ts';
import type { Revisions } from '#data/postgres/revisions.ts';

/** Users and developer keys of the calls, read for each call: what is revoked ends with the next one. */
export interface Identities {
  byUserId: (userId: number) => Promise<Caller | null>;
  byApiKey: (apiKey: string) => Promise<Caller | null>;
  /** The caller of a token, and the key for which it was issued; null once it was revoked or its session has ended. */
  ofToken: (token: TokenSubject) => Promise<{ caller: Caller; key: DeveloperKey | null } | null>;
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
  revisions: Pick<Revisions, 'note'>,
): Identities => {
  const repo = identityRepo(context.postgres.db);
  const keys = context.config.ENCRYPTION_KEYS;

  const callerOf = ({ held, preview, apiKeySealed, ...user }: Identity): Caller => {
    const apiKey = openApiKey(apiKeySealed, keys);
    // A process does not start without the keys of what is stored.
    if (apiKey === null) throw new Error(`the API key of user ${user.userId} opens with no key`);
    return { ...user, apiKey, entitlement: entitlementOf(held, preview, context.clock.now()) };
  };
  const toCaller = (identity: Identity | null): Caller | null => identity && callerOf(identity);

  return {
    byUserId: async (userId) => toCaller(await repo.byUserId(userId)),
    byApiKey: async (apiKey) => toCaller(await repo.byApiKey(hashesOfApiKey(apiKey, keys))),
    ofToken: async (token) => {
      const { holder, revisions: text } = await repo.ofToken(token);
      revisions.note(text);
      return holder && { caller: callerOf(holder.identity), key: holder.key };
    },
    keyById: repo.keyById,
    keyByText: async (key) => {
      const found = await repo.keyByHash(hashOfKey(key));
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
