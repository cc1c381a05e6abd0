import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export const airportSeedRepo = (db: ReadDb) => ({
  /** True if there are no airports, or only FAA ones, which were the whole seed of earlier versions. */
  isWanted: async (): Promise<boolean> => {
    const known = await db.any(sql`SELECT 1 FROM airport WHERE source <> 'faa_nasr' LIMIT 1`);
    return known.length === 0;
  },
});

export const airportSeedWrites = (tx: Tx) => ({
  /** The planner takes tables without statistics for almost empty ones: joins of them took 18 s after a seed. */
  analyze: async (): Promise<void> => {
    await tx.run(sql`ANALYZE airport, runway_end`);
  },
});
