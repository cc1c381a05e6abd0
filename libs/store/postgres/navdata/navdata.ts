import { airacCycleById, cyclePeriod } from '#domain/navdata/airac.ts';
import type { StoredNavPoint } from '#domain/navdata/search.ts';
import { inParts, recordOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import { familyOf } from '#domain/navdata/types.ts';
import type { AirwayPoint, NavPoint, NavdataFamily, NavdataSet } from '#domain/navdata/types.ts';
import { refuseImport } from '#domain/source-error.ts';
import type { Refuse } from '#domain/source-error.ts';

interface NavdataSearch {
  /** Upper-case letters and digits. */
  ident: string;
  exact: boolean;
  limit: number;
  /** Determines the cycle in effect. */
  at: Date;
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
});

interface StoreNavdataOptions {
  at: Date;
  /** Called with the reason why the set should not be stored; default: SourceError GUARD. */
  refuse?: Refuse;
}

interface StoredNavdata {
  added: number;
  changed: number;
  removed: number;
  airwayPoints: number;
}

const chunkRows = 10_000;
const undated = new Date('1900-01-01T00:00:00Z');

const loadNext = async (tx: Tx, points: readonly NavPoint[]): Promise<void> => {
  await tx.run(sql`
    CREATE TEMP TABLE IF NOT EXISTS navdata_next (ident text COLLATE "C", name text, band text,
      frequency_mhz float8, latitude_deg float8, longitude_deg float8, region text) ON COMMIT DROP`);
  await tx.run(sql`TRUNCATE navdata_next`);
  for (const part of inParts(points, chunkRows)) {
    await tx.run(sql`
      INSERT INTO navdata_next
      SELECT * FROM jsonb_populate_recordset(NULL::navdata_next, ${JSON.stringify(part.map(recordOf))}::jsonb)`);
  }
  await tx.run(sql`ANALYZE navdata_next`);
};

const writePoints = async (tx: Tx, set: NavdataSet, at: Date) => {
  const { source, cycle } = set;
  const period = cycle === null ? null : airacCycleById(cycle);
  const validFrom = period?.startsAt ?? undated;
  await loadNext(tx, set.points);
  const same = sql`n.ident = p.ident AND n.latitude_deg = p.latitude AND n.longitude_deg = p.longitude`;
  const own = sql`p.source = ${source} AND p.cycle IS NOT DISTINCT FROM ${cycle}`;
  const removed = await tx.run(sql`
    DELETE FROM navdata_point p WHERE ${own} AND NOT EXISTS (SELECT 1 FROM navdata_next n WHERE ${same})`);
  const changed = await tx.run(sql`
    UPDATE navdata_point p SET name = n.name, band = n.band, frequency_mhz = n.frequency_mhz, region = n.region
    FROM navdata_next n WHERE ${own} AND ${same}
      AND (p.name, p.band, p.frequency_mhz, p.region) IS DISTINCT FROM (n.name, n.band, n.frequency_mhz, n.region)`);
  const added = await tx.run(sql`
    INSERT INTO navdata_point (source, ident, name, band, frequency_mhz, latitude, longitude, region, cycle, valid_from)
    SELECT ${source}, n.ident, n.name, n.band, n.frequency_mhz, n.latitude_deg, n.longitude_deg, n.region, ${cycle}, ${validFrom}
    FROM navdata_next n
    WHERE NOT EXISTS (SELECT 1 FROM navdata_point p WHERE ${own} AND ${same})
    ORDER BY n.ident, n.latitude_deg, n.longitude_deg`);
  // The previous cycle stays in effect until this one begins; expired ones are deleted.
  await tx.run(sql`
    UPDATE navdata_point SET valid_to = ${period?.startsAt ?? at}
    WHERE source = ${source} AND cycle IS DISTINCT FROM ${cycle} AND valid_to > ${period?.startsAt ?? at}`);
  await tx.run(sql`
    DELETE FROM navdata_point WHERE source = ${source} AND valid_to < ${at}::timestamptz - interval '1 day'`);
  return { added, changed, removed };
};

const loadNextAirways = async (tx: Tx, list: readonly AirwayPoint[]): Promise<void> => {
  await tx.run(sql`
    CREATE TEMP TABLE IF NOT EXISTS navdata_airway_next (airway text, ident text, region text,
      latitude_deg float8, longitude_deg float8) ON COMMIT DROP`);
  await tx.run(sql`TRUNCATE navdata_airway_next`);
  for (const part of inParts(list, chunkRows)) {
    await tx.run(sql`
      INSERT INTO navdata_airway_next
      SELECT * FROM jsonb_populate_recordset(NULL::navdata_airway_next, ${JSON.stringify(part.map(recordOf))}::jsonb)`);
  }
};

/**
 * Replaces the airways of a family and cycle; returns the number of rows written, 0 when they are unchanged.
 */
const writeAirways = async (
  tx: Tx,
  family: NavdataFamily,
  cycle: string | null,
  list: readonly AirwayPoint[],
): Promise<number> => {
  await loadNextAirways(tx, list);
  const columns = sql`airway, ident, region, latitude, longitude`;
  const given = sql`airway, ident, region, latitude_deg, longitude_deg`;
  const next = sql`SELECT ${given} FROM navdata_airway_next`;
  const own = sql`SELECT ${columns} FROM navdata_airway
    WHERE family = ${family} AND cycle IS NOT DISTINCT FROM ${cycle}`;
  const differs = await tx.value<boolean>(sql`
    SELECT EXISTS ((${own}) EXCEPT (${next})) OR EXISTS ((${next}) EXCEPT (${own})) AS differs`);
  if (!differs) return 0;
  await tx.run(sql`
    DELETE FROM navdata_airway WHERE family = ${family}
      AND (cycle IS NOT DISTINCT FROM ${cycle} OR cycle IS NULL
        OR NOT EXISTS (SELECT 1 FROM navdata_point p WHERE p.cycle = navdata_airway.cycle))`);
  return tx.run(sql`
    INSERT INTO navdata_airway (family, cycle, ${columns})
    SELECT DISTINCT ${family}, ${cycle}::text, ${given} FROM navdata_airway_next`);
};

/**
 * Airways of a point: those of its family and cycle that refer to it by region, by a position within some 2
 * km, or (FAA tables, where idents are unique except for NDBs) by ident alone.
 */
const joinAirways = (tx: Tx, family: NavdataFamily, cycle: string | null): Promise<number> =>
  tx.run(sql`
    WITH named AS (
      SELECT p.id, string_agg(DISTINCT a.airway, ',' ORDER BY a.airway) AS airway
      FROM navdata_point p LEFT JOIN navdata_airway a ON a.family = ${family} AND a.ident = p.ident
        AND a.cycle IS NOT DISTINCT FROM p.cycle
        AND (a.region = p.region OR (abs(a.latitude - p.latitude) < 0.02 AND abs(a.longitude - p.longitude) < 0.04)
          OR (a.region IS NULL AND a.latitude IS NULL AND p.band <> 'lf'))
      WHERE (p.source = ${family} OR p.source LIKE ${`${family}\\_%`}) AND p.cycle IS NOT DISTINCT FROM ${cycle}
      GROUP BY p.id)
    UPDATE navdata_point p SET airway = named.airway FROM named
    WHERE p.id = named.id AND p.airway IS DISTINCT FROM named.airway`);

const ranked = sql`ARRAY['xplane_fix', 'xplane_nav', 'faa_fix', 'faa_nav', 'ourairports']`;

/**
 * Hides a point that a better source has near the same place (0.05 degrees) in the same band, or at exactly the same
 * place: one row per ident, latitude and longitude.
 */
const hideDoubles = (tx: Tx, at: Date): Promise<number> =>
  tx.run(sql`
    WITH doubled AS MATERIALIZED (
      SELECT p.id FROM navdata_point p JOIN navdata_point b ON b.ident = p.ident
      WHERE b.source <> p.source AND array_position(${ranked}, b.source) < array_position(${ranked}, p.source)
        AND b.valid_from <= ${at} AND b.valid_to > ${at}
        AND (b.latitude = p.latitude AND b.longitude = p.longitude
          OR b.band = p.band AND abs(b.latitude - p.latitude) < 0.05
            AND abs(b.longitude - p.longitude) < 0.05 / greatest(0.1, cos(radians(p.latitude)))))
    UPDATE navdata_point p SET is_shadowed = NOT p.is_shadowed
    WHERE p.is_shadowed <> (p.id IN (SELECT id FROM doubled))`);

const hasLost = (before: number, now: number): boolean => now * 2 < before;

/**
 * The reason to refuse a set: an older cycle, or fewer than half of the points or of one kind, since a
 * partial set (only waypoints, only navaids) would delete the rest.
 */
const problemsOf = async (tx: Tx, set: NavdataSet): Promise<string[]> => {
  const newest = await tx.value<Date | null>(sql`
    SELECT max(valid_from) AS newest FROM navdata_point WHERE source = ${set.source}`);
  const rows = await tx.any<{ band: NavPoint['band']; count: number }>(sql`
    SELECT band, count(*)::int AS count FROM navdata_point
    WHERE source = ${set.source} AND valid_to = 'infinity' GROUP BY band ORDER BY band`);
  const problems: string[] = [];
  const start = set.cycle === null ? undefined : airacCycleById(set.cycle)?.startsAt;
  if (newest && start && start < newest)
    problems.push(`cycle ${set.cycle ?? ''} is older than the one already loaded (${set.source})`);
  const before = rows.reduce((sum, { count }) => sum + count, 0);
  if (hasLost(before, set.points.length))
    return [...problems, `${set.source} fell from ${before} to ${set.points.length} points`];
  for (const { band, count } of rows) {
    const left = set.points.filter((point) => point.band === band).length;
    if (hasLost(count, left)) problems.push(`${set.source} fell from ${count} to ${left} ${kindNames[band]}`);
  }
  return set.airways.length === 0 ? problems : [...problems, ...(await lostAirways(tx, set))];
};

const kindNames = { point: 'waypoints', vhf: 'VHF navaids', lf: 'NDB' } as const;

const lostAirways = async (tx: Tx, set: NavdataSet): Promise<string[]> => {
  const family = familyOf(set.source);
  const count = await tx.value<number>(sql`
    SELECT count(*)::int AS count FROM navdata_airway
    WHERE family = ${family} AND cycle IS NOT DISTINCT FROM ${set.cycle}`);
  const left = new Set(set.airways.map((each) => JSON.stringify(each))).size;
  return hasLost(count, left) ? [`the airways of ${family} fell from ${count} to ${left} points`] : [];
};

export const navdataWrites = (tx: Tx) => ({
  /**
   * Stores one set (all files of a source and cycle): its points replace those of the same source and cycle, only
   * changes are written. A cycle that begins later is kept next to the current one. Refuses (by default with
   * SourceError GUARD) an older cycle, and a loss of more than half of the points, of one kind of them or of the
   * airways.
   */
  store: async (
    set: NavdataSet,
    { at, refuse = refuseImport }: StoreNavdataOptions,
  ): Promise<StoredNavdata> => {
    await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('navdata import'))`);
    const family = familyOf(set.source);
    const isAirwayFile = set.points.length === 0;
    for (const reason of isAirwayFile ? await lostAirways(tx, set) : await problemsOf(tx, set))
      refuse(reason);
    const counts = isAirwayFile ? { added: 0, changed: 0, removed: 0 } : await writePoints(tx, set, at);
    const airwayPoints = set.airways.length > 0 ? await writeAirways(tx, family, set.cycle, set.airways) : 0;
    // Without fresh statistics the joins below would be planned for an empty table.
    await tx.run(sql`ANALYZE navdata_point, navdata_airway`);
    await joinAirways(tx, family, set.cycle);
    await hideDoubles(tx, at);
    return { ...counts, airwayPoints };
  },
});
