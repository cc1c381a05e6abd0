import type { ReceivedShare, Share, SharePermission } from '#domain/ofp/share.ts';
import type { OfpFacts } from '#domain/ofp/summary.ts';
import type { SealedShare } from '#store/auth/secrets.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';
import { isDisabled } from '../users/identities.ts';

interface NewShare extends SealedShare {
  ownerId: number;
  ofpId: string;
  email: string | null;
  permission: SharePermission;
  createdAt: Date;
  expiresAt: Date | null;
}

export interface SharedPlan {
  name: string;
  /** As extracted by the service version that imported the plan. */
  facts: Partial<OfpFacts>;
}

/** A share with the secrets that its owner may see. */
type StoredShare = Share & Pick<SealedShare, 'sealed' | 'tokenHash'>;

const columns = sql`s.id, s.owner_id AS owner_user_id, s.ofp_id, s.recipient_id AS shared_with_user_id,
  s.email AS shared_with_email, s.permission, s.status, s.created_at, s.accepted_at, s.revoked_at, s.expires_at,
  s.revision,
  ${isDisabled(sql`s.owner_id`)} AS is_owner_disabled,
  (SELECT k.app_scheme FROM app_user a JOIN developer_key k ON k.id = a.developer_key_id WHERE a.id = s.owner_id) AS app_scheme`;

/**
 * Condition on `ofp_share s`: this user has accepted it, or it invites the account's verified address and has no
 * recipient yet.
 */
export const isReceivedBy = (userId: Sql): Sql => sql`
  (s.recipient_id = ${userId} OR (s.recipient_id IS NULL AND s.owner_id <> ${userId} AND lower(s.email) = (
    SELECT lower(email) FROM app_user WHERE id = ${userId} AND email_verified_at IS NOT NULL)))`;

/** As shown to its recipient; a deleted plan has no name. */
const received = (condition: Sql): Sql => sql`
  SELECT ${columns}, p.name AS plan_name, u.firstname || ' ' || u.lastname AS owner_name
  FROM ofp_share s JOIN app_user u ON u.id = s.owner_id LEFT JOIN ofp p ON p.id = s.ofp_id AND p.user_id = s.owner_id
  WHERE ${condition}`;

/** Selects shares of one plan or of all, newest first, after the last one of the previous page. */
interface SharePage {
  ofpId: string | null;
  before: number | null;
  limit: number;
}

const onPage = ({ ofpId, before, limit }: SharePage): Sql => sql`
  (${ofpId}::text IS NULL OR s.ofp_id = ${ofpId}) AND (${before}::int IS NULL OR s.id < ${before})
  ORDER BY s.id DESC LIMIT ${limit}`;

export const shareRepo = (db: ReadDb) => ({
  /** Shares of a user. */
  issued: (userId: number, page: SharePage): Promise<StoredShare[]> =>
    db.any<StoredShare>(sql`
      SELECT ${columns}, s.sealed, s.token_hash FROM ofp_share s
      WHERE s.owner_id = ${userId} AND ${onPage(page)}`),

  /** One share of a user. */
  issuedById: (id: number, userId: number): Promise<StoredShare | null> =>
    db.maybe<StoredShare>(sql`
      SELECT ${columns}, s.sealed, s.token_hash FROM ofp_share s
      WHERE s.id = ${id} AND s.owner_id = ${userId}`),

  /** Shares that a user has accepted or is invited to. */
  received: (userId: number, page: SharePage): Promise<ReceivedShare[]> =>
    db.any<ReceivedShare>(received(sql`${isReceivedBy(sql`${userId}`)} AND ${onPage(page)}`)),

  /** One share, for its recipient. */
  receivedById: (id: number): Promise<ReceivedShare> => db.one<ReceivedShare>(received(sql`s.id = ${id}`)),

  /** With the plan; null if it has been deleted. */
  byToken: (tokenHash: Buffer): Promise<(StoredShare & { plan: SharedPlan | null }) | null> =>
    db.maybe<StoredShare & { plan: SharedPlan | null }>(sql`
      SELECT ${columns}, s.sealed, s.token_hash,
        CASE WHEN o.id IS NOT NULL THEN jsonb_build_object('name', o.name, 'facts', o.facts) END AS plan
      FROM ofp_share s LEFT JOIN ofp o ON o.id = s.ofp_id WHERE s.token_hash = ${tokenHash}`),
});

export const shareWrites = (tx: Tx) => ({
  /**
   * The new share of a plan of this owner, which has no recipient yet; null when there is no such plan. The plan cannot be
   * deleted meanwhile.
   */
  insert: (share: NewShare): Promise<(Share & { plan: string }) | null> =>
    tx.maybe<Share & { plan: string }>(sql`
      WITH s AS (
        INSERT INTO ofp_share (owner_id, ofp_id, email, permission, token_hash, code_hash, sealed,
          created_at, expires_at)
        SELECT o.user_id, o.id, ${share.email}::text, ${share.permission}::text, ${share.tokenHash}::bytea, ${share.codeHash}::bytea,
          ${share.sealed}::bytea, ${share.createdAt}::timestamptz, ${share.expiresAt}::timestamptz
        FROM ofp o WHERE o.id = ${share.ofpId} AND o.user_id = ${share.ownerId} FOR KEY SHARE
        RETURNING *)
      SELECT ${columns}, o.name AS plan FROM s JOIN ofp o ON o.id = s.ofp_id`),

  /** Locks the share with this token or code. */
  lockBySecret: (tokenHash: Buffer | null, codeHashes: readonly Buffer[]): Promise<Share | null> =>
    tx.maybe<Share>(sql`
      SELECT ${columns} FROM ofp_share s
      WHERE s.token_hash = ${tokenHash} OR s.code_hash = ANY (${[...codeHashes]}::bytea[]) FOR UPDATE`),

  /** Locks a share that this user has accepted or is invited to. */
  lockReceived: (id: number, userId: number): Promise<Share | null> =>
    tx.maybe<Share>(sql`
      SELECT ${columns} FROM ofp_share s WHERE s.id = ${id} AND ${isReceivedBy(sql`${userId}`)} FOR UPDATE`),

  /** Locks a share, for its owner or its recipient. */
  lock: (id: number, userId: number): Promise<(StoredShare & { isReceived: boolean }) | null> =>
    tx.maybe<StoredShare & { isReceived: boolean }>(sql`
      SELECT ${columns}, s.sealed, s.token_hash, ${isReceivedBy(sql`${userId}`)} IS TRUE AS is_received
      FROM ofp_share s WHERE s.id = ${id} FOR UPDATE`),

  accept: (id: number, userId: number, now: Date): Promise<number> =>
    tx.run(sql`
      UPDATE ofp_share s SET status = 'accepted', recipient_id = ${userId}, accepted_at = ${now} WHERE s.id = ${id}`),

  revoke: (id: number, now: Date): Promise<Share> =>
    tx.one<Share>(sql`
      UPDATE ofp_share s SET status = 'revoked', revoked_at = ${now} WHERE s.id = ${id} RETURNING ${columns}`),

  /** Ends the shares of a plan that is being deleted; returns their number. */
  revokeOfPlan: (ownerId: number, ofpId: string, now: Date): Promise<number> =>
    tx.run(sql`
      UPDATE ofp_share SET status = 'revoked', revoked_at = ${now}
      WHERE owner_id = ${ownerId} AND ofp_id = ${ofpId} AND status <> 'revoked'`),
});
