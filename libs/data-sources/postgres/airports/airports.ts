/** Airports as the service sees them: the import with the operator's data over it. */
import { defaultMacgPercent } from '#domain/airports/served.ts';
import { listAvailable } from './available.ts';
import type { AvailableAirport } from './available.ts';
import { storeImport } from './import.ts';
import type { StoreImportOptions, StoredImport } from './import.ts';
import { airportFromRow, endFromRow } from './rows.ts';
import type { AirportRow, RunwayEndRow } from './rows.ts';
import { joinSql, sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';
import type {
  RunwayExit,
  RunwayIntersection,
  RunwayProcedures,
  ServedAirport,
  ServedRunwayEnd,
} from '#domain/airports/served.ts';
import type { Airport } from '#domain/airports/types.ts';
import type { RunwayComment } from '#domain/airports/changes.ts';

export type {
  RunwayExit,
  RunwayIntersection,
  RunwayProcedures,
  ServedAirport,
  ServedRunwayEnd,
} from '#domain/airports/served.ts';

export type { AvailableAirport } from './available.ts';

export interface AirportFilter {
  /** Only these ICAO codes. */
  icaos?: readonly string[];
  /** Only airports with an open runway of at least this length. */
  minimumRunwayM?: number;
}

export interface MapAirport {
  icao: string;
  iata: string | null;
  name: string;
  latitudeDeg: number;
  longitudeDeg: number;
  /** Physical runways in use. */
  runways: number;
  longestRunwayM: number | null;
  updatedAt: Date;
}

export interface AirportStatistics {
  totalAirport: number;
  totalRunways: number;
  totalEfpStd: number;
  totalEfpCustom: number;
  totalObstacles: number;
  totalCalculatedRwyExits: number;
  totalIntx: number;
  customMACG: number;
  customRunwayExit: number;
}

export interface AirportChangeRow {
  icao: string;
  changedAt: Date;
  runways: RunwayComment[];
}

interface EffectiveEndRow extends RunwayEndRow {
  efp_kind: 'std' | 'custom';
  efp_text: string | null;
  efp_acceleration_altitude_ft: number | null;
  efp_turn: RunwayProcedures['efpTurn'];
  macg_percent: number | null;
}

const over = (column: 'tora' | 'toda' | 'asda' | 'lda'): Sql => {
  const columns = {
    tora: sql`coalesce(o.tora_m, e.tora_m) AS tora_m,
      CASE WHEN o.tora_m IS NULL THEN e.tora_source ELSE 'operator' END AS tora_source`,
    toda: sql`coalesce(o.toda_m, e.toda_m) AS toda_m,
      CASE WHEN o.toda_m IS NULL THEN e.toda_source ELSE 'operator' END AS toda_source`,
    asda: sql`coalesce(o.asda_m, e.asda_m) AS asda_m,
      CASE WHEN o.asda_m IS NULL THEN e.asda_source ELSE 'operator' END AS asda_source`,
    lda: sql`coalesce(o.lda_m, e.lda_m) AS lda_m,
      CASE WHEN o.lda_m IS NULL THEN e.lda_source ELSE 'operator' END AS lda_source`,
  };
  return columns[column];
};

/** Later columns of one name win in the row object, so the operator's figures replace the imported ones. */
const effectiveEnds = (condition: Sql): Sql => sql`
  SELECT e.*, ${joinSql([over('tora'), over('toda'), over('asda'), over('lda')], ', ')},
    coalesce(o.is_closed, e.is_closed) AS is_closed, coalesce(o.efp_kind, 'std') AS efp_kind, o.efp_text,
    o.efp_acceleration_altitude_ft, o.efp_turn, o.macg_percent
  FROM runway_end e LEFT JOIN runway_operator o USING (icao, ident)
  WHERE ${condition} ORDER BY icao, ident`;

const served = (row: EffectiveEndRow): ServedRunwayEnd => ({
  ...endFromRow(row),
  efpKind: row.efp_kind,
  efpText: row.efp_text,
  efpAccelerationAltitudeFt: row.efp_acceleration_altitude_ft,
  efpTurn: row.efp_turn,
  macgPercent: row.macg_percent ?? defaultMacgPercent,
});

type HeadRow = AirportRow & {
  time_zone: string | null;
  magnetic_variation_deg: number | null;
  updated_at: Date;
  osm_state: ServedAirport['osmState'];
};

export const airportRepo = (db: ReadDb) => {
  /** Directions of an airport by designator, closed ones included; empty when unknown. */
  const runwayEnds = async (icao: string): Promise<ServedRunwayEnd[]> =>
    (await db.any<EffectiveEndRow>(effectiveEnds(sql`e.icao = ${icao.toUpperCase()}`))).map(served);

  return {
    runwayEnds,

    /** An airport in service with its directions, or null. */
    findByIcao: async (icao: string): Promise<ServedAirport | null> => {
      const row = await db.maybe<HeadRow>(sql`
        SELECT icao, iata, name, type, latitude, longitude, elevation_ft, country, region, municipality,
          has_scheduled_service, source, time_zone, magnetic_variation_deg, updated_at, osm_state
        FROM airport WHERE icao = ${icao.toUpperCase()} AND removed_at IS NULL`);
      if (!row) return null;
      return {
        ...airportFromRow(row, []),
        ends: await runwayEnds(row.icao),
        timeZone: row.time_zone,
        magneticVariationDeg: row.magnetic_variation_deg,
        updatedAt: row.updated_at,
        osmState: row.osm_state,
      };
    },

    /** Airports in service with their directions, without what `findByIcao` knows more of; unknown ones are absent. */
    findEnds: async (
      icaos: readonly string[],
    ): Promise<{ icao: string; latitudeDeg: number; longitudeDeg: number; ends: ServedRunwayEnd[] }[]> => {
      const airports = await db.any<{ icao: string; latitudeDeg: number; longitudeDeg: number }>(sql`
        SELECT icao, latitude AS "latitudeDeg", longitude AS "longitudeDeg" FROM airport
        WHERE icao = ANY(${icaos}::text[]) AND removed_at IS NULL ORDER BY icao`);
      const rows = await db.any<EffectiveEndRow>(effectiveEnds(sql`e.icao = ANY(${icaos}::text[])`));
      const ends = Map.groupBy(rows, (row) => row.icao);
      return airports.map((airport) => ({ ...airport, ends: (ends.get(airport.icao) ?? []).map(served) }));
    },

    /** One direction; an old designator finds the runway's present one. */
    findRunwayEnd: async (icao: string, ident: string): Promise<ServedRunwayEnd | null> => {
      const code = icao.toUpperCase();
      const row = await db.maybe<EffectiveEndRow>(
        effectiveEnds(sql`e.icao = ${code} AND e.ident = coalesce(
          (SELECT ident FROM runway_end WHERE icao = ${code} AND ident = ${ident}),
          (SELECT new_ident FROM runway_alias WHERE icao = ${code} AND old_ident = ${ident}))`),
      );
      return row ? served(row) : null;
    },

    /** Exits for landing, nearest first; an operator's exit replaces or hides the computed one of its name. */
    exits: (icao: string): Promise<RunwayExit[]> =>
      db.any<RunwayExit & { icao: string }>(sql`
        SELECT x.ident, x.name, x.source, x.side, x.distance_m AS "distanceM", x.angle_deg AS "angleDeg"
        FROM runway_exit x
        WHERE x.icao = ${icao.toUpperCase()} AND NOT x.is_hidden AND (x.source = 'operator' OR NOT EXISTS (
          SELECT 1 FROM runway_exit o WHERE o.source = 'operator' AND o.icao = x.icao AND o.ident = x.ident
            AND o.name = x.name))
        ORDER BY x.ident, x.distance_m, x.name`),

    /** Entries for take-off before the full length, nearest to the beginning first. */
    intersections: (icao: string): Promise<RunwayIntersection[]> =>
      db.any<RunwayIntersection>(sql`
        SELECT ident, name, source, entry_m AS "entryM" FROM runway_intersection
        WHERE icao = ${icao.toUpperCase()} ORDER BY ident, entry_m, name`),

    listIcaos: async (): Promise<string[]> =>
      (
        await db.any<{ icao: string }>(sql`SELECT icao FROM airport WHERE removed_at IS NULL ORDER BY icao`)
      ).map((row) => row.icao),

    /** Airports that can be chosen: in service, with an open runway. */
    availableAirports: async ({ icaos, minimumRunwayM = 0 }: AirportFilter = {}): Promise<
      AvailableAirport[]
    > => {
      const wanted = icaos && new Set(icaos);
      return (await listAvailable(db)).filter(
        (airport) => airport.longestRunwayM >= minimumRunwayM && (!wanted || wanted.has(airport.icao)),
      );
    },

    /** Every airport in service, for the map. */
    mapAirports: (): Promise<MapAirport[]> =>
      db.any<MapAirport>(sql`
        SELECT a.icao, a.iata, a.name, a.latitude AS "latitudeDeg", a.longitude AS "longitudeDeg",
          count(DISTINCT e.runway)::int AS runways, max(e.length_m) AS "longestRunwayM", a.updated_at AS "updatedAt"
        FROM airport a LEFT JOIN runway_end e ON e.icao = a.icao AND NOT e.is_closed
        WHERE a.removed_at IS NULL GROUP BY a.icao ORDER BY a.icao`),

    /** Real counts for airportStatus; `runwayClosedByNotam` is the NOTAM repository's. */
    statistics: (): Promise<AirportStatistics> =>
      db.one<AirportStatistics>(sql`
        WITH direction AS (
          SELECT coalesce(o.efp_kind, 'std') AS efp, o.macg_percent AS macg
          FROM runway_end e LEFT JOIN runway_operator o USING (icao, ident)
          WHERE NOT coalesce(o.is_closed, e.is_closed))
        SELECT (SELECT count(*) FROM airport WHERE removed_at IS NULL) AS "totalAirport",
          count(*) AS "totalRunways",
          count(*) FILTER (WHERE efp = 'std') AS "totalEfpStd",
          count(*) FILTER (WHERE efp = 'custom') AS "totalEfpCustom",
          count(*) FILTER (WHERE macg <> ${defaultMacgPercent}) AS "customMACG",
          (SELECT count(*) FROM obstacle) AS "totalObstacles",
          (SELECT count(*) FROM runway_exit WHERE source = 'osm') AS "totalCalculatedRwyExits",
          (SELECT count(*) FROM runway_exit WHERE source = 'operator') AS "customRunwayExit",
          (SELECT count(*) FROM runway_intersection) AS "totalIntx"
        FROM direction`),

    /** Newest first. */
    changelog: (limit = 20): Promise<AirportChangeRow[]> =>
      db.any<AirportChangeRow>(sql`
        SELECT icao, changed_at AS "changedAt", runways FROM airport_change ORDER BY id DESC LIMIT ${limit}`),

    storeImport: (tx: Tx, airports: readonly Airport[], options: StoreImportOptions): Promise<StoredImport> =>
      storeImport(tx, airports, options),
  };
};

export type AirportRepo = ReturnType<typeof airportRepo>;
