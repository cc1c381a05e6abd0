import type { Present } from '#domain/crew/presence.ts';
import { sql } from '../sql.ts';
import { mayRead } from '../ofp/access.ts';
import type { ReadDb, Tx } from '../sql.ts';

export const presenceRepo = (db: ReadDb) => ({
  /** Seen after this time, of those who may read the plan. */
  present: (ofpId: string, { after, now }: { after: Date; now: Date }): Promise<Present[]> =>
    db.any<Present & Record<string, unknown>>(sql`
      SELECT p.user_id, u.streaming_alias AS alias, u.firstname, u.lastname, p.role, p.seen_at
      FROM crew_presence p JOIN app_user u ON u.id = p.user_id
      WHERE p.ofp_id = ${ofpId} AND p.seen_at > ${after}
        AND ${mayRead(sql`p.ofp_id`, sql`p.user_id`, now)} ORDER BY p.user_id`),
});

export const presenceWrites = (tx: Tx) => ({
  seen: (ofpId: string, userId: number, role: string | null | undefined, now: Date): Promise<number> =>
    tx.run(sql`
      INSERT INTO crew_presence AS p (ofp_id, user_id, role, seen_at) VALUES (${ofpId}, ${userId}, ${role ?? null}, ${now})
      ON CONFLICT (ofp_id, user_id) DO UPDATE SET seen_at = excluded.seen_at,
        role = CASE WHEN ${role === undefined}::boolean THEN p.role ELSE excluded.role END`),

  left: (ofpId: string, userId: number): Promise<number> =>
    tx.run(sql`DELETE FROM crew_presence WHERE ofp_id = ${ofpId} AND user_id = ${userId}`),
});
