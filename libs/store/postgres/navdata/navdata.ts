import { airacCycleById, cyclePeriod } from '#domain/navdata/airac.ts';
import type { StoredNavPoint } from '#domain/navdata/search.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';

interface NavdataSearch {
  /** Upper-case letters and digits. */
  ident: string;
  exact: boolean;
  limit: number;
  /** Determines the cycle in effect. */
  at: Date;
}

interface NavdataCount {
  source: string;
  cycle: string | null;
  points: number;
}

type PointRow = Omit<StoredNavPoint, 'cyclePeriod'>;

const periodOf = (id: string | null): string | null => {
  const cycle = id === null ? null : airacCycleById(id);
  return cycle && cyclePeriod(cycle);
};

/** Above every letter and digit in byte order: the end of a prefix's range. */
const afterPrefix = '~';

export const navdataRepo = (db: ReadDb) => ({
  /** Points in effect, ordered by ident, then place. One per ident and place across all sources. */
  search: async ({ ident, exact, limit, at }: NavdataSearch): Promise<StoredNavPoint[]> => {
    // Postgres accepts no NUL character in a text, so none is stored either.
    if (ident.includes('\u0000')) return [];
    const match = exact
      ? sql`ident = ${ident}`
      : sql`ident >= ${ident} AND ident < ${`${ident}${afterPrefix}`}`;
    const rows = await db.any<PointRow>(sql`
      SELECT id, ident, name, frequency_mhz, latitude AS latitude_deg, longitude AS longitude_deg, airway,
        cycle
      FROM navdata_point
      WHERE NOT is_shadowed AND ${match} AND valid_from <= ${at} AND valid_to > ${at}
      ORDER BY ident, latitude, longitude LIMIT ${limit}`);
    return rows.map((row) => ({ ...row, cyclePeriod: periodOf(row.cycle) }));
  },

  /** Current and future points, per source and cycle. */
  counts: (): Promise<NavdataCount[]> =>
    db.any<NavdataCount>(sql`
      SELECT source, cycle, count(*) AS points FROM navdata_point GROUP BY source, cycle ORDER BY source, cycle`),
});
