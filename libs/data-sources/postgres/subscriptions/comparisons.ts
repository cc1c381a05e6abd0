import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export const comparisonRepo = (db: ReadDb) => ({
  /** Until when this gateway was compared; null: never. */
  until: async (gateway: string): Promise<Date | null> =>
    (
      await db.maybe<{ until: Date }>(
        sql`SELECT compared_until AS until FROM gateway_comparison WHERE gateway = ${gateway}`,
      )
    )?.until ?? null,
});

export const comparisonWrites = (tx: Tx) => ({
  note: (gateway: string, until: Date): Promise<number> =>
    tx.run(sql`
      INSERT INTO gateway_comparison (gateway, compared_until) VALUES (${gateway}, ${until})
      ON CONFLICT (gateway) DO UPDATE SET compared_until = excluded.compared_until`),
});
