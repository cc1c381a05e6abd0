/** Who may read and change what belongs to a plan: its owner, and those with whom it is shared (M-2.3.3). */
import { sql } from '../sql.ts';
import type { ReadDb, Sql } from '../sql.ts';

/** What a user may do with a plan. */
export type OfpRight = 'owner' | 'edit' | 'view';

export interface OfpAccess {
  ownerId: number;
  right: OfpRight;
}

export interface Reader {
  userId: number;
  now: Date;
}

export interface OfpCall extends Reader {
  ofpId: string;
}

/**
 * Every plan that the user may read, with its `access`: the only place that decides it. A share counts while it is accepted
 * and has not expired; of several the one with the most rights.
 */
export const accessibleTo = ({ userId, now }: Reader): Sql => sql`
  (SELECT o.*, 'owner' AS access FROM ofp o WHERE o.user_id = ${userId}
  UNION ALL
  SELECT o.*, s.permission FROM ofp o JOIN (
    SELECT owner_id, ofp_id, min(permission) AS permission FROM ofp_share
    WHERE recipient_id = ${userId} AND status = 'accepted' AND (expires_at IS NULL OR expires_at > ${now})
    GROUP BY owner_id, ofp_id) s ON s.ofp_id = o.id AND s.owner_id = o.user_id)`;

/** `owner_id` and `access` of one plan; no row for a stranger. */
export const accessTo = ({ ofpId, ...reader }: OfpCall): Sql => sql`
  (SELECT user_id AS owner_id, access FROM ${accessibleTo(reader)} o WHERE id = ${ofpId})`;

export const ofpAccessRepo = (db: ReadDb) => ({
  /** Null when there is no such plan for this user. */
  of: (call: OfpCall): Promise<OfpAccess | null> =>
    db.maybe<OfpAccess & Record<string, unknown>>(sql`
      SELECT owner_id AS "ownerId", access AS "right" FROM ${accessTo(call)} a`),
});
