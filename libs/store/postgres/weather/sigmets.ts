import { createHash } from 'node:crypto';
import type { Sigmet, SigmetProduct } from '#domain/weather/sigmet.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import type { Pirep } from '#domain/weather/pirep.ts';

export const sigmetRepo = (db: ReadDb) => ({
  all: (): Promise<Sigmet[]> => db.values<Sigmet>(sql`SELECT item FROM sigmet ORDER BY valid_from, id`),

  /** Stored warnings of each list that are in force, for the guard. */
  counts: async (now: Date): Promise<Partial<Record<SigmetProduct, number>>> => {
    const rows = await db.any<{ product: SigmetProduct; n: number }>(
      sql`SELECT product, count(*)::int AS n FROM sigmet WHERE valid_to > ${now} GROUP BY product`,
    );
    return Object.fromEntries(rows.map(({ product, n }) => [product, n]));
  },
});

/** The same text for the same place and time is the same warning or report. */
const rowsOf = (items: readonly (Sigmet | Pirep)[]): { id: string; item: Sigmet | Pirep }[] =>
  items.map((item) => ({
    id: createHash('sha256').update(JSON.stringify(item)).digest('hex').slice(0, 24),
    item,
  }));

export const sigmetWrites = (tx: Tx) => ({
  /**
   * Replaces a list: warnings no longer in it were cancelled or have ended. Returns how many are new or
   * removed.
   */
  store: async (product: SigmetProduct, sigmets: readonly Sigmet[]): Promise<number> => {
    const rows = rowsOf(sigmets);
    const ids = rows.map(({ id }) => id);
    const removed = await tx.run(
      sql`DELETE FROM sigmet WHERE product = ${product} AND NOT id = ANY(${ids}::text[])`,
    );
    const added = await tx.run(sql`
      INSERT INTO sigmet (id, product, valid_from, valid_to, item)
      SELECT id, ${product}, (item ->> 'validFrom')::timestamptz, (item ->> 'validTo')::timestamptz, item
      FROM jsonb_populate_recordset(NULL::sigmet, ${JSON.stringify(rows)}::jsonb) ON CONFLICT (id) DO NOTHING`);
    return removed + added;
  },
});

export const pirepRepo = (db: ReadDb) => ({
  all: (): Promise<Pirep[]> => db.values<Pirep>(sql`SELECT item FROM pirep ORDER BY observed_at, id`),
});

export const pirepWrites = (tx: Tx) => ({
  /** Adds new rows; the sweep removes old ones. Returns the number of new rows. */
  store: (pireps: readonly Pirep[]): Promise<number> =>
    tx.run(sql`
      INSERT INTO pirep (id, observed_at, item)
      SELECT id, (item ->> 'observedAt')::timestamptz, item
      FROM jsonb_populate_recordset(NULL::pirep, ${JSON.stringify(rowsOf(pireps))}::jsonb) ON CONFLICT (id) DO NOTHING`),
});
