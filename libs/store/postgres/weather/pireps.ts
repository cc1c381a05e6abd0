import { createHash } from 'node:crypto';
import type { Pirep } from '#domain/weather/pirep.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export const pirepRepo = (db: ReadDb) => ({
  all: async (): Promise<Pirep[]> =>
    (await db.any<{ item: Pirep }>(sql`SELECT item FROM pirep ORDER BY observed_at, id`)).map(
      ({ item }) => item,
    ),
});

const idOf = (pirep: Pirep): string =>
  createHash('sha256').update(JSON.stringify(pirep)).digest('hex').slice(0, 24);

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
