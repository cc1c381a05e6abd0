import type { KnownAirport } from '#domain/airports/known.ts';
import { airportRepo } from './airports.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';

/** Airports with everything that belongs to their runways. */
export const knownAirportRepo = (db: ReadDb) => ({
  /** Null when the airport is unknown or no longer in service. */
  byIcao: async (icao: string): Promise<KnownAirport | null> => {
    const repo = airportRepo(db);
    const airport = await repo.findByIcao(icao);
    if (!airport) return null;
    const [exits, intersections, aliases] = await Promise.all([
      repo.exits(icao),
      repo.intersections(icao),
      db.any<{ old: string; present: string }>(sql`
        SELECT old_ident AS old, new_ident AS present FROM runway_alias WHERE icao = ${icao}`),
    ]);
    return {
      airport,
      exits,
      intersections,
      aliases: new Map(aliases.map(({ old, present }) => [old, present])),
    };
  },
});
