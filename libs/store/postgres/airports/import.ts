import type { RunwayRename } from '#domain/airports/aliases.ts';
import { guardImport } from '#domain/airports/guard.ts';
import { planImport } from '#domain/airports/plan.ts';
import type { ImportPlan } from '#domain/airports/plan.ts';
import type { Airport, AirportSource, RunwayEnd } from '#domain/airports/types.ts';
import { refuseImport } from '#domain/source-error.ts';
import type { Refuse } from '#domain/source-error.ts';
import { airportChangeWrites } from './changes.ts';
import {
  airportColumns,
  airportRecord,
  fixedColumns,
  importedColumns,
  runwayEndRecord,
  airportTurnWrites,
} from './rows.ts';
import type { AirportRow, RunwayEndRow } from './rows.ts';
import { inParts, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

interface StoreImportOptions {
  source: AirportSource;
  at: Date;
  /** Called with the reason why the import should not be stored; default: SourceError GUARD. */
  refuse?: Refuse;
}

interface StoredImport {
  airportsAdded: number;
  airportsChanged: number;
  airportsRemoved: number;
  /** Airports whose runways were written. */
  runwaysChanged: number;
  changelog: number;
  renamed: number;
}

/** Rows per statement: some 2 MB of JSON, far below the statement timeout. */
const chunkRows = 2_000;

/** All airports in service as imported, without operator data. */
const loadImported = async (db: ReadDb): Promise<Map<string, Airport>> => {
  const ends = new Map<string, RunwayEnd[]>();
  for (const { icao, ...end } of await db.any<RunwayEndRow>(sql`
    SELECT ${fixedColumns}, ${importedColumns} FROM runway_end e ORDER BY e.icao, e.ident COLLATE "C"`)) {
    const list = ends.get(icao);
    if (list) list.push(end);
    else ends.set(icao, [end]);
  }
  const rows = await db.any<AirportRow>(
    sql`SELECT ${airportColumns} FROM airport a WHERE a.removed_at IS NULL`,
  );
  return new Map(rows.map((row) => [row.icao, { ...row, ends: ends.get(row.icao) ?? [] }]));
};

const storedColumns = sql`icao, former_icaos, iata, name, type, latitude, longitude, elevation_ft, country,
  municipality, source`;

const endColumns = sql`icao, ident, published_ident, reciprocal_ident, runway, true_bearing_deg, latitude,
  longitude, threshold_latitude, threshold_longitude, threshold_elevation_ft, displaced_threshold_m,
  length_m, width_m, surface, is_lighted, is_closed, slope_percent, slope_source, tora_m, tora_source, toda_m,
  toda_source, asda_m, asda_source, lda_m, lda_source, distances_as_of, flags`;

const writeAirports = async (tx: Tx, airports: readonly Airport[], at: Date): Promise<void> => {
  for (const chunk of inParts(airports, chunkRows)) {
    await tx.run(sql`
      INSERT INTO airport (${storedColumns}, updated_at)
      SELECT ${storedColumns}, ${at}
      FROM jsonb_populate_recordset(NULL::airport, ${JSON.stringify(chunk.map(airportRecord))}::jsonb)
      ON CONFLICT (icao) DO UPDATE SET (${storedColumns}, updated_at, removed_at) =
        (SELECT ${storedColumns}, updated_at, NULL::timestamptz FROM (SELECT excluded.*) AS given)`);
  }
};

/** Airports of `written` have their time already. */
const writeRunways = async (
  tx: Tx,
  airports: readonly Airport[],
  written: ReadonlySet<Airport>,
  at: Date,
): Promise<void> => {
  const codes = airports.map((airport) => airport.icao);
  await tx.run(sql`DELETE FROM runway_end WHERE icao = ANY(${codes}::text[])`);
  const others = airports.filter((airport) => !written.has(airport)).map((airport) => airport.icao);
  if (others.length > 0)
    await tx.run(sql`UPDATE airport SET updated_at = ${at} WHERE icao = ANY(${others}::text[])`);
  const ends = airports.flatMap(({ icao, ends: list }) => list.map((end) => ({ icao, end })));
  for (const chunk of inParts(ends, chunkRows)) {
    const rows = JSON.stringify(chunk.map(({ icao, end }) => runwayEndRecord(icao, end)));
    await tx.run(sql`
      INSERT INTO runway_end (${endColumns})
      SELECT ${endColumns} FROM jsonb_populate_recordset(NULL::runway_end, ${rows}::jsonb)`);
  }
};

const writeRenames = async (
  tx: Tx,
  renames: readonly (RunwayRename & { icao: string })[],
  at: Date,
): Promise<void> => {
  if (renames.length === 0) return;
  const list = sql`unnest(${renames.map((r) => r.icao)}::text[], ${renames.map((r) => r.oldIdent)}::text[],
    ${renames.map((r) => r.newIdent)}::text[]) AS r (icao, old_ident, new_ident)`;
  // An older alias of the old name now resolves to the new one.
  await tx.run(sql`
    UPDATE runway_alias a SET new_ident = r.new_ident FROM ${list}
    WHERE a.icao = r.icao AND a.new_ident = r.old_ident`);
  await tx.run(sql`
    INSERT INTO runway_alias (icao, old_ident, new_ident, since)
    SELECT r.icao, r.old_ident, r.new_ident, ${at} FROM ${list}
    ON CONFLICT (icao, old_ident) DO UPDATE SET new_ident = excluded.new_ident, since = excluded.since`);
  // A name that is in use again is no longer an alias.
  await tx.run(sql`
    DELETE FROM runway_alias a USING runway_end e WHERE e.icao = a.icao AND e.ident = a.old_ident`);
  await tx.run(sql`
    UPDATE runway_operator o SET ident = r.new_ident FROM ${list}
    WHERE o.icao = r.icao AND o.ident = r.old_ident
      AND NOT EXISTS (SELECT 1 FROM runway_operator x WHERE x.icao = r.icao AND x.ident = r.new_ident)`);
  await tx.run(sql`
    UPDATE runway_exit x SET ident = r.new_ident FROM ${list}
    WHERE x.icao = r.icao AND x.ident = r.old_ident
      AND NOT EXISTS (SELECT 1 FROM runway_exit y WHERE x.source = 'operator' AND y.source = 'operator'
        AND y.icao = r.icao AND y.ident = r.new_ident AND y.name = x.name)`);
  await tx.run(sql`
    UPDATE runway_intersection x SET ident = r.new_ident FROM ${list}
    WHERE x.icao = r.icao AND x.ident = r.old_ident
      AND NOT EXISTS (SELECT 1 FROM runway_intersection y
        WHERE y.icao = r.icao AND y.ident = r.new_ident AND y.name = x.name)`);
};

/** Deletes computed exits and intersections of removed runway ends; the operator's remain as orphans. */
const dropOrphans = async (tx: Tx, codes: readonly string[]): Promise<void> => {
  for (const table of [sql`runway_exit`, sql`runway_intersection`])
    await tx.run(sql`
      DELETE FROM ${table} x WHERE x.source = 'osm' AND x.icao = ANY(${[...codes]}::text[])
        AND NOT EXISTS (SELECT 1 FROM runway_end e WHERE e.icao = x.icao AND e.ident = x.ident)`);
};

const write = async (tx: Tx, plan: ImportPlan, at: Date): Promise<number> => {
  if (plan.airports.length > 0) await writeAirports(tx, plan.airports, at);
  if (plan.runwaysOf.length > 0) await writeRunways(tx, plan.runwaysOf, new Set(plan.airports), at);
  if (plan.removed.length > 0) {
    await tx.run(sql`DELETE FROM runway_end WHERE icao = ANY(${plan.removed}::text[])`);
    await tx.run(sql`
      UPDATE airport SET removed_at = ${at}, updated_at = ${at} WHERE icao = ANY(${plan.removed}::text[])`);
  }
  await writeRenames(tx, plan.renames, at);
  const touched = [...plan.runwaysOf.map((airport) => airport.icao), ...plan.removed];
  if (touched.length > 0) await dropOrphans(tx, touched);
  await airportChangeWrites(tx).add(plan.changes, at);
  return plan.renames.length;
};

export const airportWrites = (tx: Tx) => ({
  /**
   * Stores a complete import of one source: only airports and runways that have changed are written, each change
   * with a changelog row. Refuses (by default with SourceError GUARD) an import that removes or rewrites too much.
   */
  storeImport: async (
    airports: readonly Airport[],
    { source, at, refuse = refuseImport }: StoreImportOptions,
  ): Promise<StoredImport> => {
    // Two concurrent imports would also compute their differences from the same old state.
    await airportTurnWrites(tx).take();
    const plan = planImport(source, await loadImported(tx), airports);
    const problem = guardImport(plan.comparison);
    if (problem !== null) refuse(`Airport import refused: ${problem}`);
    const renamed = await write(tx, plan, at);
    return {
      airportsAdded: plan.added,
      airportsChanged: plan.airports.length - plan.added,
      airportsRemoved: plan.removed.length,
      runwaysChanged: plan.runwaysOf.length,
      changelog: plan.changes.length,
      renamed,
    };
  },
});

export const airportSeedRepo = (db: ReadDb) => ({
  /** True if there are no airports, or only FAA ones, which were the whole seed of earlier versions. */
  isWanted: async (): Promise<boolean> =>
    !(await db.exists(sql`SELECT 1 FROM airport WHERE source <> 'faa_nasr' LIMIT 1`)),
});

export const airportSeedWrites = (tx: Tx) => ({
  /** The planner takes tables without statistics for almost empty ones: joins of them took 18 s after a seed. */
  analyze: (): Promise<number> => tx.run(sql`ANALYZE airport, runway_end`),
});
