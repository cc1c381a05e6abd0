import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import type { GatewayStatus, HeldSubscription, Product } from '#domain/subscriptions/entitlement.ts';
import { revisionsText } from '../revisions.ts';
import { entitledFields } from '../subscriptions/products.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql } from '../sql.ts';
import type { TokenClaims } from '#store/auth/tokens.ts';

/** Whether the account in this column is disabled. */
export const isDisabled = (userId: Sql): Sql =>
  sql`EXISTS (SELECT FROM app_user WHERE id = ${userId} AND disabled_at IS NOT NULL)`;

/** A user as needed by every request; the entitlement is computed by the caller, which has the clock. */
export interface Identity extends Omit<Caller, 'apiKey' | 'vaIds' | 'entitlement'> {
  /** Null only before `npm run migrate` has encrypted what an older version stored. */
  apiKeySealed: Buffer | null;
  vaIds: number[];
  held: HeldSubscription[];
  preview: Product;
}

interface IdentityRow extends Omit<Identity, 'held' | 'vaIds'> {
  vaIds: number[] | null;
  held:
    | { id: number; product: Product; gatewayStatus: GatewayStatus; startsAt: string; endsAt: string }[]
    | null;
}

const product = sql`jsonb_build_object(${entitledFields})`;

const columns = sql`u.id AS user_id, u.email, u.api_key_sealed, u.token_generation, u.credentials_from,
  u.disabled_at IS NOT NULL AS is_disabled, u.active_va_id,
  (SELECT array_agg(m.va_id) FROM va_member m WHERE m.user_id = u.id) AS va_ids,
  (SELECT jsonb_build_object('scope', a.scope, 'vaId', a.va_id)
     FROM va_admin a WHERE a.user_id = u.id AND a.is_active) AS va_admin,
  (SELECT jsonb_agg(jsonb_build_object('id', s.id, 'product', ${product}, 'gatewayStatus', s.gateway_status,
      'startsAt', s.starts_at, 'endsAt', s.ends_at))
     FROM subscription s JOIN product p ON p.code = s.product_code WHERE s.user_id = u.id) AS held,
  (SELECT ${product} FROM product p WHERE p.level = 0 ORDER BY p.code LIMIT 1) AS preview`;
const users = sql`SELECT ${columns} FROM app_user u`;

const keyColumns = sql`id, name, user_info AS "userInfo", weather, efb, library, subscription,
  return_url_hosts AS "returnUrlHosts"`;
const developerKey = sql`SELECT ${keyColumns} FROM developer_key WHERE revoked_at IS NULL AND NOT ${isDisabled(sql`owner_id`)}`;

const toIdentity = (row: IdentityRow | null): Identity | null =>
  row && {
    ...row,
    vaIds: row.vaIds ?? [],
    held: (row.held ?? []).map((held) => ({
      ...held,
      startsAt: new Date(held.startsAt),
      endsAt: new Date(held.endsAt),
    })),
  };

/** Content of the claims of a token. */
export type TokenSubject = Omit<TokenClaims, 'isGuest' | 'expiresAt'>;

/** Credentials of a call: the claims of a token and the hash of a developer key, or null. */
interface Presented {
  token: TokenSubject | null;
  keyHash: Buffer | null;
}

interface Recognised {
  /** The holder of the token, if its session has not ended and its generation is current. */
  identity: Identity | null;
  /** The key for which the token was issued; null: none, or it was revoked. */
  tokenKey: DeveloperKey | null;
  /** The key of the call, if it is accepted now. */
  key: DeveloperKey | null;
}

export const identityRepo = (db: ReadDb) => ({
  /** Who presents these credentials, and the data revisions. */
  recognise: async (
    { token, keyHash }: Presented,
    now: Date,
  ): Promise<Recognised & { revisions: string }> => {
    const { tokenKey, key, revisions, ...row } = await db.one<
      { [Column in keyof IdentityRow]: IdentityRow[Column] | null } & Omit<Recognised, 'identity'> & {
          revisions: string;
        }
    >(sql`
      SELECT ${revisionsText} AS revisions, ${columns},
        (SELECT row_to_json(k) FROM (${developerKey} AND id = ${token?.developerKeyId ?? null}::int) k) AS token_key,
        (SELECT row_to_json(k) FROM (${developerKey} AND (key_hash = ${keyHash}::bytea
          OR (previous_key_hash = ${keyHash}::bytea AND coalesce(previous_until > ${now}, true)))
          ORDER BY key_hash = ${keyHash}::bytea DESC LIMIT 1) k) AS key
      FROM (SELECT) call
      LEFT JOIN app_user u ON u.id = ${token?.userId ?? null}::int AND u.token_generation = ${token?.generation ?? null}::int
        AND (${token?.session ?? null}::bigint IS NULL OR EXISTS (
          SELECT FROM user_session WHERE id = ${token?.session ?? null}::bigint AND user_id = u.id))`);
    return {
      tokenKey,
      key,
      identity: row.userId === null ? null : toIdentity(row as IdentityRow),
      revisions,
    };
  },
  byUserId: async (userId: number): Promise<Identity | null> =>
    toIdentity(await db.maybe<IdentityRow>(sql`${users} WHERE u.id = ${userId}`)),
  /** The account with an API key, by its hashes with every key. */
  byApiKey: async (hashes: readonly Buffer[]): Promise<Identity | null> =>
    toIdentity(
      await db.maybe<IdentityRow>(sql`${users} WHERE u.api_key_hash = ANY (${[...hashes]}::bytea[])`),
    ),
  /** The account of an email address, ignoring letter case. */
  idByEmail: (email: string): Promise<number | null> =>
    db.valueOrNull<number>(sql`SELECT id FROM app_user WHERE lower(email) = lower(${email})`),
  oldestId: (): Promise<number | null> => db.value<number | null>(sql`SELECT min(id) AS id FROM app_user`),
});
