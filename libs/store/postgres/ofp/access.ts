/** Read and write access to a plan: its owner, and the users with whom it is shared (M-2.3.3). */
import { sql } from '../sql.ts';
import type { ReadDb, Sql } from '../sql.ts';
import { isDisabled } from '../users/identities.ts';

/** A user's access to a plan. */
export type OfpRight = 'owner' | 'edit' | 'view';

export interface OfpAccess {
  ownerId: number;
  right: OfpRight;
  isOwnerDisabled: boolean;
}

export interface Reader {
  userId: number;
  now: Date;
}

export interface OfpCall extends Reader {
  ofpId: string;
}

/**
 * Condition on `ofp_share s`: accepted and not expired, so that this user can use the plan (A-21). Of several shares
 * the one with the most rights counts: `edit` sorts first.
 */
const isUsable = (userId: Sql, now: Date): Sql =>
  sql`s.recipient_id = ${userId} AND s.status = 'accepted' AND (s.expires_at IS NULL OR s.expires_at > ${now})`;

/** Aggregates several `ofp_share s`; while the owner is disabled, the plan can only be read. */
const rightOfShares = sql`min(CASE WHEN ${isDisabled(sql`s.owner_id`)} THEN 'view' ELSE s.permission END)`;

/** The user's own plans; their `access` is `owner`. */
export const ownPlans = ({ userId }: Reader): Sql =>
  sql`(SELECT o.*, 'owner' AS access FROM ofp o WHERE o.user_id = ${userId})`;

/** Plans that others share with the user. */
export const sharedPlans = ({ userId, now }: Reader): Sql => sql`
  (SELECT o.*, s.access FROM ofp o JOIN (
    SELECT s.owner_id, s.ofp_id, ${rightOfShares} AS access FROM ofp_share s WHERE ${isUsable(sql`${userId}`, now)}
    GROUP BY s.owner_id, s.ofp_id) s ON s.ofp_id = o.id AND s.owner_id = o.user_id)`;

/** Every plan that the user may read. */
export const accessiblePlans = (reader: Reader): Sql =>
  sql`(${ownPlans(reader)} UNION ALL ${sharedPlans(reader)})`;

/** One plan with its `access`; no row for users without access. */
export const accessiblePlan = ({ ofpId, ...reader }: OfpCall): Sql => sql`
  (SELECT * FROM (
    SELECT o.*, CASE WHEN o.user_id = ${reader.userId} THEN 'owner' ELSE (
      SELECT ${rightOfShares} FROM ofp_share s
      WHERE ${isUsable(sql`${reader.userId}`, reader.now)} AND s.owner_id = o.user_id AND s.ofp_id = o.id) END AS access
    FROM ofp o WHERE o.id = ${ofpId}) o WHERE access IS NOT NULL)`;

/** `owner_id` and `access` of one plan; no row for users without access. */
export const accessTo = (call: OfpCall): Sql =>
  sql`(SELECT user_id AS owner_id, access FROM ${accessiblePlan(call)} o)`;

/** Whether the plan of one column may be read by the user of another. */
export const mayRead = (ofpId: Sql, userId: Sql, now: Date): Sql => sql`
  EXISTS (SELECT FROM ofp o WHERE o.id = ${ofpId} AND (o.user_id = ${userId} OR EXISTS (
    SELECT FROM ofp_share s WHERE ${isUsable(userId, now)} AND s.owner_id = o.user_id AND s.ofp_id = o.id)))`;

export const ofpAccessRepo = (db: ReadDb) => ({
  /** Null when there is no such plan for this user. */
  of: (call: OfpCall): Promise<OfpAccess | null> =>
    db.maybe<OfpAccess>(sql`
      SELECT owner_id, access AS "right", ${isDisabled(sql`owner_id`)} AS is_owner_disabled FROM ${accessTo(call)} a`),
});
