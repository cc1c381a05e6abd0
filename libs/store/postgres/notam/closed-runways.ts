import { closedByNotam } from '#domain/notam/airport.ts';
import { airportRepo } from '../airports/airports.ts';
import { notamRepo } from './notam.ts';
import type { ReadDb } from '../sql.ts';

const closedRunways = async (db: ReadDb, now: Date): Promise<ReadonlyMap<string, string[]>> => {
  const notams = await notamRepo(db).withClosures(now);
  const airports = await airportRepo(db).findEnds([...new Set(notams.flatMap((notam) => notam.airports))]);
  const closed = new Map<string, string[]>();
  for (const airport of airports) {
    const own = notams.filter((notam) => notam.airports.includes(airport.icao));
    const idents = closedByNotam(airport, own, now);
    if (idents.length > 0) closed.set(airport.icao, idents);
  }
  return closed;
};

/** Runways under the NOTAM in force. */
export const closedRunwayRepo = (db: ReadDb) => ({
  /**
   * Directions closed for landing and take-off by a NOTAM in force; those closed by publication are not counted
   * again. Reads only airports with such a NOTAM.
   */
  count: async (now: Date): Promise<number> =>
    [...(await closedRunways(db, now)).values()].reduce((sum, idents) => sum + idents.length, 0),

  /** ICAO code → designators of the same runway ends. */
  byAirport: (now: Date): Promise<ReadonlyMap<string, string[]>> => closedRunways(db, now),
});
