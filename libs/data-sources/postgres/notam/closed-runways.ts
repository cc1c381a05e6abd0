import { closedByNotam } from '#domain/notam/airport.ts';
import { airportRepo } from '../airports/airports.ts';
import { notamRepo } from './notam.ts';
import type { ReadDb } from '../sql.ts';

/** Runways under the NOTAM in force. */
export const closedRunwayRepo = (db: ReadDb) => ({
  /**
   * Directions closed for landing and take-off by a NOTAM in force; those closed by publication are not counted
   * again. Reads only airports with such a NOTAM.
   */
  count: async (now: Date): Promise<number> => {
    const notams = await notamRepo(db).withClosures(now);
    const airports = await airportRepo(db).findEnds([...new Set(notams.flatMap((notam) => notam.airports))]);
    let closed = 0;
    for (const airport of airports) {
      const own = notams.filter((notam) => notam.airports.includes(airport.icao));
      closed += closedByNotam(airport, own, now).length;
    }
    return closed;
  },
});
