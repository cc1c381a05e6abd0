import { createHash } from 'node:crypto';
import { emailField } from '#domain/fields/index.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { entitlementOf } from '#domain/subscriptions/entitlement.ts';
import { lookupHashes, openApiKey } from '#store/auth/secrets.ts';
import { hashOfKey } from '#platform/developer-keys.ts';
import type { Context } from '#data/context.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import type { Identity, TokenSubject } from '#store/postgres/users/identities.ts';
import type { Revisions } from '#store/postgres/revisions.ts';

/** The caller and developer keys of a call. */
export interface Credentials {
  /** The token's user; null if the token is revoked or its session has ended. */
  caller: Caller | null;
  /** The developer key that the token was issued for; null if that key is revoked. */
  tokenKey: DeveloperKey | null;
  /** The developer key sent with the call. */
  key: DeveloperKey | null;
}

/** Normalised as in the operations, so that all spellings of an address share a counter. */
const addressSchema = emailField();

/** Users and developer keys, read for every call, so that a revocation applies to the next one. */
export const createIdentities = (
  context: Pick<Context, 'config' | 'postgres' | 'clock'>,
  revisions: Pick<Revisions, 'note'>,
) => {
  const repo = identityRepo(context.postgres.db);
  const keys = context.config.ENCRYPTION_KEYS;

  const callerOf = ({ held, preview, apiKeySealed, ...user }: Identity): Caller => {
    const apiKey = () => {
      const opened = openApiKey(apiKeySealed, keys);
      // Cannot happen: startup fails if an encryption key is missing.
      if (opened === null) throw new Error(`the API key of user ${user.userId} opens with no key`);
      return opened;
    };
    return { ...user, apiKey, entitlement: entitlementOf(held, preview, context.clock.now()) };
  };
  const toCaller = (identity: Identity | null): Caller | null => identity && callerOf(identity);

  return {
    /** Looks up a token's claims and a developer key. */
    of: async ({
      claims: token,
      key,
    }: {
      claims: TokenSubject | null;
      key: string | null;
    }): Promise<Credentials> => {
      const presented = { token, keyHash: key === null ? null : hashOfKey(key) };
      const { identity, revisions: text, ...keysOf } = await repo.recognise(presented, context.clock.now());
      revisions.note(text);
      return { ...keysOf, caller: toCaller(identity) };
    },
    byUserId: async (userId: number) => toCaller(await repo.byUserId(userId)),
    byApiKey: async (apiKey: string) => toCaller(await repo.byApiKey(lookupHashes(apiKey, 'API key', keys))),
    /** The counter of login attempts for this email address: the account, whatever the spelling. */
    accountKey: async (email: string): Promise<string> => {
      const address = addressSchema.safeParse(email).data;
      const userId = address === undefined ? null : await repo.idByEmail(address);
      if (userId !== null) return `id ${userId}`;
      const text = (address ?? email.slice(0, 1_024)).toLowerCase();
      return `unknown ${createHash('sha256').update(text).digest('base64url')}`;
    },
  };
};

export type Identities = ReturnType<typeof createIdentities>;
