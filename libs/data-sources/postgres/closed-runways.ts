import { airportUnderNotams } from '#domain/notam/airport.ts';
import { airportRepo } from './airport-repo.ts';
import { notamRepo } from './notam-repo.ts';
import type { Db } from './sql.ts';

/**
 * Directions that a NOTAM in force closes for landing and take-off; those closed by publication are not counted
 * again. Reads only airports that have such a NOTAM.
 */
export const countRunwaysClosedByNotam = async (db: Db, now: Date): Promise<number> => {
  const notams = await notamRepo(db).withClosures(now);
  const byAirport = new Map<string, typeof notams>();
  for (const notam of notams)
    for (const icao of notam.airports) byAirport.set(icao, [...(byAirport.get(icao) ?? []), notam]);
  let closed = 0;
  for (const [icao, own] of byAirport) {
    const airport = await airportRepo(db).findByIcao(icao);
    if (!airport) continue;
    const { states } = airportUnderNotams(airport, own, now);
    closed += airport.ends.filter((end) => !end.isClosed && states.get(end.ident)?.closed).length;
  }
  return closed;
};
