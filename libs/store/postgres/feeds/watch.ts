import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

export const feedWatchWrites = (tx: Tx) => ({
  /** Notes which feeds are down now; returns those that were not when they were last noted. */
  note: async (down: readonly string[], now: Date): Promise<string[]> => {
    await tx.run(sql`DELETE FROM feed_watch WHERE NOT feed = ANY (${[...down]}::text[])`);
    const fallen = await tx.any<{ feed: string }>(sql`
      INSERT INTO feed_watch (feed, down_since) SELECT feed, ${now} FROM unnest(${[...down]}::text[]) feed
      ON CONFLICT (feed) DO NOTHING RETURNING feed`);
    return fallen.map(({ feed }) => feed);
  },
});
