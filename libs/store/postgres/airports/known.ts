import type { KnownAirport, RunwayExit, RunwayIntersection } from '#domain/airports/served.ts';
import { airportRepo } from './airports.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';

/** Airports with everything that belongs to their runways. */
export const knownAirportRepo = (db: ReadDb) => ({
  /** By ICAO code; those that are unknown or no longer in service are absent. */
  byIcaos: async (icaos: readonly string[]): Promise<Map<string, KnownAirport>> => {
    const repo = airportRepo(db);
    const airports = await repo.findByIcaos(icaos);
    const found = airports.map(({ icao }) => icao);
    if (found.length === 0) return new Map();
    const [exits, intersections, aliases] = await Promise.all([
      repo.exitsOf(found),
      repo.intersectionsOf(found),
      db.any<{ icao: string; old: string; present: string }>(sql`
        SELECT icao, old_ident AS old, new_ident AS present FROM runway_alias WHERE icao = ANY(${found}::text[])`),
    ]);
    const ownOf = <Row extends { icao: string }>(rows: readonly Row[], icao: string): Omit<Row, 'icao'>[] =>
      rows.flatMap(({ icao: of, ...row }) => (of === icao ? [row] : []));
    return new Map(
      airports.map((airport) => [
        airport.icao,
        {
          airport,
          exits: ownOf(exits, airport.icao) as RunwayExit[],
          intersections: ownOf(intersections, airport.icao) as RunwayIntersection[],
          aliases: new Map(ownOf(aliases, airport.icao).map(({ old, present }) => [old, present])),
        },
      ]),
    );
  },
});
