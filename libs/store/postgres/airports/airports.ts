/** Airports as the service presents them: the import, overridden by operator data. */
import type { MapPoint } from '#domain/airports/map.ts';
import { defaultMacgPercent } from '#domain/airports/served.ts';
import type {
  KnownAirport,
  RunwayExit,
  RunwayIntersection,
  ServedAirport,
  ServedRunwayEnd,
} from '#domain/airports/served.ts';
import { airportColumns, fixedColumns } from './rows.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';
import type { Airport } from '#domain/airports/types.ts';

interface AirportStatistics {
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

type OfAirport<T> = T & { icao: string };

/** Without the code of the airport that they belong to. */
const ofAirport = <T extends object>(rows: readonly OfAirport<T>[], code: string): T[] =>
  rows.flatMap(({ icao, ...row }) => (icao === code ? [row as unknown as T] : []));

export const airportRepo = (db: ReadDb) => {
  /** Airports in service with their runway ends; the operator's figures replace imported ones. */
  const findByIcaos = async (icaos: readonly string[]): Promise<ServedAirport[]> => {
    const airports = await db.any<Omit<ServedAirport, 'ends'>>(sql`
      SELECT ${airportColumns}, a.time_zone, a.magnetic_variation_deg, a.magnetic_model, a.updated_at
      FROM airport a WHERE a.icao = ANY(${icaos}::text[]) AND a.removed_at IS NULL ORDER BY a.icao`);
    if (airports.length === 0) return [];
    const ends = await db.any<OfAirport<ServedRunwayEnd>>(sql`
      SELECT ${fixedColumns}, coalesce(o.is_closed, e.is_closed) AS is_closed,
        jsonb_build_object('asOf', e.distances_as_of,
          'tora', jsonb_build_object('valueM', coalesce(o.tora_m, e.tora_m),
            'source', CASE WHEN o.tora_m IS NULL THEN e.tora_source ELSE 'operator' END),
          'toda', jsonb_build_object('valueM', coalesce(o.toda_m, e.toda_m),
            'source', CASE WHEN o.toda_m IS NULL THEN e.toda_source ELSE 'operator' END),
          'asda', jsonb_build_object('valueM', coalesce(o.asda_m, e.asda_m),
            'source', CASE WHEN o.asda_m IS NULL THEN e.asda_source ELSE 'operator' END),
          'lda', jsonb_build_object('valueM', coalesce(o.lda_m, e.lda_m),
            'source', CASE WHEN o.lda_m IS NULL THEN e.lda_source ELSE 'operator' END)) AS distances,
        coalesce(o.efp_kind, 'std') AS efp_kind, o.efp_text, o.efp_acceleration_altitude_ft, o.efp_turn,
        coalesce(o.macg_percent, ${defaultMacgPercent}) AS macg_percent
      FROM runway_end e LEFT JOIN runway_operator o ON o.icao = e.icao AND o.ident = e.ident
      WHERE e.icao = ANY(${airports.map(({ icao }) => icao)}::text[]) ORDER BY e.icao, e.ident`);
    const byIcao = Map.groupBy(ends, ({ icao }) => icao);
    return airports.map((airport) => ({
      ...airport,
      ends: ofAirport<ServedRunwayEnd>(byIcao.get(airport.icao) ?? [], airport.icao),
    }));
  };

  return {
    findByIcaos,

    /** An airport in service with its runway ends, or null. */
    findByIcao: async (icao: string): Promise<ServedAirport | null> =>
      (await findByIcaos([icao.toUpperCase()]))[0] ?? null,

    /** Airports in service by code, with everything that belongs to their runways. */
    known: async (icaos: readonly string[]): Promise<Map<string, KnownAirport>> => {
      const airports = await findByIcaos(icaos);
      const found = airports.map(({ icao }) => icao);
      if (found.length === 0) return new Map();
      // One after the other: within a transaction they share a connection.
      // An operator's exit replaces or hides the computed one of its name.
      const exits = await db.any<OfAirport<RunwayExit>>(sql`
        SELECT x.icao, x.ident, x.name, x.source, x.side, x.distance_m, x.angle_deg
        FROM runway_exit x
        WHERE x.icao = ANY(${found}::text[]) AND NOT x.is_hidden AND (x.source = 'operator' OR NOT EXISTS (
          SELECT 1 FROM runway_exit o WHERE o.source = 'operator' AND o.icao = x.icao AND o.ident = x.ident
            AND o.name = x.name))
        ORDER BY x.ident, x.distance_m, x.name`);
      const intersections = await db.any<OfAirport<RunwayIntersection>>(sql`
        SELECT icao, ident, name, source, entry_m FROM runway_intersection
        WHERE icao = ANY(${found}::text[]) ORDER BY ident, entry_m, name`);
      const aliases = await db.any<OfAirport<{ old: string; present: string }>>(sql`
        SELECT icao, old_ident AS old, new_ident AS present FROM runway_alias
        WHERE icao = ANY(${found}::text[])`);
      return new Map(
        airports.map((airport) => [
          airport.icao,
          {
            airport,
            exits: ofAirport<RunwayExit>(exits, airport.icao),
            intersections: ofAirport<RunwayIntersection>(intersections, airport.icao),
            aliases: new Map(
              aliases.flatMap(({ icao, old, present }) => (icao === airport.icao ? [[old, present]] : [])),
            ),
          },
        ]),
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

export const icaoGroupRepo = (db: ReadDb) => ({
  /**
   * All codes of the same airport by each of them, the current one first; only of airports whose code changed. A code
   * that is in service itself, or was that of two airports, leads to no other.
   */
  all: async (): Promise<ReadonlyMap<string, readonly string[]>> => {
    const groups = await db.values<string[]>(sql`
      SELECT array_prepend(icao, array_agg(former ORDER BY former COLLATE "C")) AS codes FROM (
        SELECT min(a.icao) AS icao, former FROM airport a, unnest(a.former_icaos) AS former
        WHERE a.removed_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM airport s WHERE s.icao = former AND s.removed_at IS NULL)
        GROUP BY former HAVING count(*) = 1) AS claims
      GROUP BY icao ORDER BY icao`);
    return new Map(groups.flatMap((codes) => codes.map((code) => [code, codes])));
  },
});

export interface AvailableAirport extends Pick<
  Airport,
  'icao' | 'iata' | 'name' | 'municipality' | 'formerIcaos'
> {
  longestRunwayM: number;
}

export const availableAirportRepo = (db: ReadDb) => ({
  /** Version that changes with every change of an airport. */
  version: (): Promise<string> =>
    db.value<string>(sql`
      SELECT concat((SELECT max(updated_at) FROM airport), ' ', (SELECT max(id) FROM airport_change)) AS version`),

  /** All available airports: in service, with an open runway. Some 8,000. */
  list: (): Promise<AvailableAirport[]> =>
    db.any<AvailableAirport>(sql`
      SELECT a.icao, a.iata, a.name, a.municipality, a.former_icaos, e.longest AS longest_runway_m
      FROM airport a JOIN (
        SELECT r.icao, max(r.length_m) AS longest
        FROM runway_end r LEFT JOIN runway_operator o ON o.icao = r.icao AND o.ident = r.ident
        WHERE NOT coalesce(o.is_closed, r.is_closed) GROUP BY r.icao) e USING (icao)
      WHERE a.removed_at IS NULL ORDER BY a.icao COLLATE "C"`),
});
