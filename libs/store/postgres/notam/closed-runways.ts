import { closedByNotam } from '#domain/notam/airport.ts';
import { airportRepo } from '../airports/airports.ts';
import { notamRepo } from './notam.ts';
import type { ReadDb } from '../sql.ts';

/** Runways under the NOTAM in force. */
export const closedRunwayRepo = (db: ReadDb) => ({
  /**
   * Runway ends closed for landing and take-off by a NOTAM in force, by airport; those closed by publication are not
   * counted again. Reads only airports with such a NOTAM.
   */
  byAirport: async (now: Date): Promise<ReadonlyMap<string, string[]>> => {
    const notams = await notamRepo(db).withClosures(now);
    const airports = await airportRepo(db).findByIcaos([
      ...new Set(notams.flatMap((notam) => notam.airports)),
    ]);
    const closed = airports.map((airport): [string, string[]] => {
      const own = notams.filter((notam) => notam.airports.includes(airport.icao));
      return [airport.icao, closedByNotam(airport, own, now)];
    });
    return new Map(closed.filter(([, idents]) => idents.length > 0));
  },
});
