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
const idOf = (item: Sigmet | Pirep): string =>
  createHash('sha256').update(JSON.stringify(item)).digest('hex').slice(0, 24);

export const sigmetWrites = (tx: Tx) => ({
  /** Replaces a list: what is no longer in it was cancelled or has ended. Returns how many are new or gone. */
  store: async (
    product: SigmetProduct,
    sigmets: readonly Sigmet[],
    { now, source }: { now: Date; source: string },
  ): Promise<number> => {
    const byId = new Map(sigmets.map((sigmet) => [idOf(sigmet), sigmet]));
    const ids = [...byId.keys()];
    const all = [...byId.values()];
    const removed = await tx.run(
      sql`DELETE FROM sigmet WHERE product = ${product} AND NOT id = ANY(${ids}::text[])`,
    );
    const added =
      await tx.run(sql`INSERT INTO sigmet (id, product, valid_from, valid_to, item, source, received_at)
      SELECT u.id, ${product}, u.valid_from, u.valid_to, u.item::jsonb, ${source}, ${now}
      FROM unnest(${ids}::text[], ${all.map(({ validFrom }) => validFrom)}::timestamptz[],
        ${all.map(({ validTo }) => validTo)}::timestamptz[], ${all.map((sigmet) => JSON.stringify(sigmet))}::text[])
        AS u (id, valid_from, valid_to, item)
      ON CONFLICT (id) DO NOTHING`);
    return removed + added;
  },
});

export const pirepRepo = (db: ReadDb) => ({
  all: (): Promise<Pirep[]> => db.values<Pirep>(sql`SELECT item FROM pirep ORDER BY observed_at, id`),
});

export const pirepWrites = (tx: Tx) => ({
  /** Adds what is new; the sweep removes what is old. Returns how many are new. */
  store: (pireps: readonly Pirep[], { now, source }: { now: Date; source: string }): Promise<number> => {
    const byId = new Map(pireps.map((pirep) => [idOf(pirep), pirep]));
    const all = [...byId.values()];
    return tx.run(sql`INSERT INTO pirep (id, observed_at, item, source, received_at)
      SELECT u.id, u.observed_at, u.item::jsonb, ${source}, ${now}
      FROM unnest(${[...byId.keys()]}::text[], ${all.map(({ observedAt }) => observedAt)}::timestamptz[],
        ${all.map((pirep) => JSON.stringify(pirep))}::text[]) AS u (id, observed_at, item)
      ON CONFLICT (id) DO NOTHING`);
  },
});
