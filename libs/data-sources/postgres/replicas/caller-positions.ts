/** What a replica must have replayed before it answers a user (ADR 184). */
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import { positionOf, visiblePosition } from './log-position.ts';
import type { LogPosition } from './log-position.ts';

export const callerPositionRepo = (db: ReadDb) => ({
  /** In the order given; null: nothing that they have written or been told of is recent. */
  ofEach: async (userIds: readonly number[]): Promise<(LogPosition | null)[]> => {
    const rows = await db.any<{ userId: number; position: string }>(sql`
      SELECT user_id AS "userId", position::text AS position FROM caller_position WHERE user_id = ANY(${userIds})`);
    const found = new Map(rows.map(({ userId, position }) => [userId, positionOf(position)]));
    return userIds.map((userId) => found.get(userId) ?? null);
  },
});

export const callerPositionWrites = (tx: Tx) => ({
  /** These users have written, or been told of, what is committed now. */
  note: (userIds: readonly number[]): Promise<number> =>
    // In their order, so that two of these statements cannot wait for each other.
    tx.run(sql`
      INSERT INTO caller_position (user_id, position)
      SELECT DISTINCT id, ${visiblePosition} FROM unnest(${userIds}::int[]) id ORDER BY id
      ON CONFLICT (user_id) DO UPDATE SET position = greatest(caller_position.position, excluded.position), written_at = now()`),
});
