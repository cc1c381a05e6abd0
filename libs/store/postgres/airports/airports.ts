/** Airports as the service presents them: the import, overridden by operator data. */
import { defaultMacgPercent } from '#domain/airports/served.ts';
import { availableAirportRepo } from './available.ts';
import type { AvailableAirport } from './available.ts';
import { airportColumns, fixedColumns, toRunwayEnd } from './rows.ts';
import type { RunwayEndRow } from './rows.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql } from '../sql.ts';
import type { MapPoint } from '#domain/airports/map.ts';
import type {
  RunwayExit,
  RunwayIntersection,
  RunwayProcedures,
  ServedAirport,
  ServedRunwayEnd,
} from '#domain/airports/served.ts';

export type {
  RunwayExit,
  RunwayIntersection,
  RunwayProcedures,
  ServedAirport,
  ServedRunwayEnd,
} from '#domain/airports/served.ts';

export type { AvailableAirport } from './available.ts';

interface AirportFilter {
  /** Only these ICAO codes. */
  icaos?: readonly string[];
  /** Only airports with an open runway of at least this length. */
  minimumRunwayM?: number;
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

type EffectiveEndRow = RunwayEndRow & RunwayProcedures;

/** The operator's figures replace the imported ones. */
const effectiveEnds = (condition: Sql): Sql => sql`
  SELECT ${fixedColumns}, coalesce(o.is_closed, e.is_closed) AS is_closed,
    coalesce(o.tora_m, e.tora_m) AS tora_m,
    CASE WHEN o.tora_m IS NULL THEN e.tora_source ELSE 'operator' END AS tora_source,
    coalesce(o.toda_m, e.toda_m) AS toda_m,
    CASE WHEN o.toda_m IS NULL THEN e.toda_source ELSE 'operator' END AS toda_source,
    coalesce(o.asda_m, e.asda_m) AS asda_m,
    CASE WHEN o.asda_m IS NULL THEN e.asda_source ELSE 'operator' END AS asda_source,
    coalesce(o.lda_m, e.lda_m) AS lda_m,
    CASE WHEN o.lda_m IS NULL THEN e.lda_source ELSE 'operator' END AS lda_source,
    coalesce(o.efp_kind, 'std') AS efp_kind, o.efp_text,
    o.efp_acceleration_altitude_ft, o.efp_turn,
    coalesce(o.macg_percent, ${defaultMacgPercent}) AS macg_percent
  FROM runway_end e LEFT JOIN runway_operator o ON o.icao = e.icao AND o.ident = e.ident
  WHERE ${condition} ORDER BY e.icao, e.ident`;

const withoutIcao = <Row extends { icao: string }>(rows: readonly Row[]): Omit<Row, 'icao'>[] =>
  rows.map((row) => {
    const { icao: _, ...rest } = row;
    return rest;
  });

export const airportRepo = (db: ReadDb) => {
  /** Directions of airports by designator, closed ones included. */
  const endsOf = async (icaos: readonly string[]): Promise<Map<string, ServedRunwayEnd[]>> => {
    const rows = await db.any<EffectiveEndRow>(effectiveEnds(sql`e.icao = ANY(${icaos}::text[])`));
    return new Map(
      [...Map.groupBy(rows, ({ icao }) => icao)].map(([icao, own]) => [icao, own.map(toRunwayEnd)]),
    );
  };

  return {
    /** Directions of an airport; empty when unknown. */
    runwayEnds: async (icao: string): Promise<ServedRunwayEnd[]> =>
      (await endsOf([icao.toUpperCase()])).get(icao.toUpperCase()) ?? [],

    /** An airport in service with its runway ends, or null. */
    findByIcao: async (icao: string): Promise<ServedAirport | null> =>
      (await airportRepo(db).findByIcaos([icao.toUpperCase()]))[0] ?? null,

    /** Those in service with their runway ends. */
    findByIcaos: async (icaos: readonly string[]): Promise<ServedAirport[]> => {
      const airports = await db.any<Omit<ServedAirport, 'ends'>>(sql`
        SELECT ${airportColumns}, a.time_zone, a.magnetic_variation_deg, a.magnetic_model, a.updated_at,
          a.osm_state
        FROM airport a WHERE a.icao = ANY(${icaos}::text[]) AND a.removed_at IS NULL ORDER BY a.icao`);
      if (airports.length === 0) return [];
      const ends = await endsOf(airports.map(({ icao }) => icao));
      return airports.map((airport) => ({ ...airport, ends: ends.get(airport.icao) ?? [] }));
    },

    /**
     * Airports in service with their runway ends, without the further data of `findByIcao`; unknown ones are
     * absent.
     */
    findEnds: async (
      icaos: readonly string[],
    ): Promise<{ icao: string; latitudeDeg: number; longitudeDeg: number; ends: ServedRunwayEnd[] }[]> => {
      const airports = await db.any<{ icao: string; latitudeDeg: number; longitudeDeg: number }>(sql`
        SELECT icao, latitude AS latitude_deg, longitude AS longitude_deg FROM airport
        WHERE icao = ANY(${icaos}::text[]) AND removed_at IS NULL ORDER BY icao`);
      const ends = await endsOf(icaos);
      return airports.map((airport) => ({ ...airport, ends: ends.get(airport.icao) ?? [] }));
    },

    /** One direction; an old designator resolves to the current one. */
    findRunwayEnd: async (icao: string, ident: string): Promise<ServedRunwayEnd | null> => {
      const code = icao.toUpperCase();
      const row = await db.maybe<EffectiveEndRow>(
        effectiveEnds(sql`e.icao = ${code} AND e.ident = coalesce(
          (SELECT ident FROM runway_end WHERE icao = ${code} AND ident = ${ident}),
          (SELECT new_ident FROM runway_alias WHERE icao = ${code} AND old_ident = ${ident}))`),
      );
      return row && toRunwayEnd(row);
    },

    /** Exits for landing, nearest first; an operator's exit replaces or hides the computed one of its name. */
    exits: async (icao: string): Promise<RunwayExit[]> =>
      withoutIcao(await airportRepo(db).exitsOf([icao.toUpperCase()])),

    exitsOf: (icaos: readonly string[]): Promise<(RunwayExit & { icao: string })[]> =>
      db.any<RunwayExit & { icao: string }>(sql`
        SELECT x.icao, x.ident, x.name, x.source, x.side, x.distance_m, x.angle_deg
        FROM runway_exit x
        WHERE x.icao = ANY(${icaos}::text[]) AND NOT x.is_hidden AND (x.source = 'operator' OR NOT EXISTS (
          SELECT 1 FROM runway_exit o WHERE o.source = 'operator' AND o.icao = x.icao AND o.ident = x.ident
            AND o.name = x.name))
        ORDER BY x.ident, x.distance_m, x.name`),

    /** Intersections for take-off, nearest to the beginning first. */
    intersections: async (icao: string): Promise<RunwayIntersection[]> =>
      withoutIcao(await airportRepo(db).intersectionsOf([icao.toUpperCase()])),

    intersectionsOf: (icaos: readonly string[]): Promise<(RunwayIntersection & { icao: string })[]> =>
      db.any<RunwayIntersection & { icao: string }>(sql`
        SELECT icao, ident, name, source, entry_m FROM runway_intersection
        WHERE icao = ANY(${icaos}::text[]) ORDER BY ident, entry_m, name`),

    listIcaos: async (): Promise<string[]> =>
      (
        await db.any<{ icao: string }>(sql`SELECT icao FROM airport WHERE removed_at IS NULL ORDER BY icao`)
      ).map((row) => row.icao),

    /** Available airports: in service, with an open runway. */
    availableAirports: async ({ icaos, minimumRunwayM = 0 }: AirportFilter = {}): Promise<
      AvailableAirport[]
    > => {
      const wanted = icaos && new Set(icaos);
      return (await availableAirportRepo(db).list()).filter(
        (airport) => airport.longestRunwayM >= minimumRunwayM && (!wanted || wanted.has(airport.icao)),
      );
    },

    /** Every airport in service, for the map. */
    mapAirports: (): Promise<MapPoint[]> =>
      db.any<MapPoint>(sql`
        SELECT a.icao, a.iata, a.name, a.latitude AS latitude_deg, a.longitude AS longitude_deg,
          count(DISTINCT e.runway)::int AS runways, max(e.length_m) AS longest_runway_m, a.updated_at
        FROM airport a LEFT JOIN runway_end e ON e.icao = a.icao AND NOT e.is_closed
        WHERE a.removed_at IS NULL GROUP BY a.icao ORDER BY a.icao`),

    /** Counts for airportStatus; `runwayClosedByNotam` comes from the NOTAM repository. */
    statistics: (): Promise<AirportStatistics> =>
      db.one<AirportStatistics>(sql`
        WITH direction AS (
          SELECT coalesce(o.efp_kind, 'std') AS efp, o.macg_percent AS macg
          FROM runway_end e LEFT JOIN runway_operator o USING (icao, ident)
          WHERE NOT coalesce(o.is_closed, e.is_closed))
        SELECT (SELECT count(*) FROM airport WHERE removed_at IS NULL) AS total_airport,
          count(*) AS total_runways,
          count(*) FILTER (WHERE efp = 'std') AS total_efp_std,
          count(*) FILTER (WHERE efp = 'custom') AS total_efp_custom,
          count(*) FILTER (WHERE macg <> ${defaultMacgPercent}) AS "customMACG",
          (SELECT count(*) FROM obstacle) AS total_obstacles,
          (SELECT count(*) FROM runway_exit WHERE source = 'osm') AS total_calculated_rwy_exits,
          (SELECT count(*) FROM runway_exit WHERE source = 'operator') AS custom_runway_exit,
          (SELECT count(*) FROM runway_intersection) AS total_intx
        FROM direction`),
  };
};
