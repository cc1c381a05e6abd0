import { parseVariant } from '#domain/airports/variant.ts';
import type { ServedRunwayEnd } from '#domain/airports/served.ts';
import { airportRepo } from '../postgres/airport-repo.ts';
import type { RunwayExit } from '../postgres/airport-repo.ts';
import type { Db } from '../postgres/sql.ts';

/** A direction to land on with its exits; NOTAM effects are already in the distances. */
export interface LandingRunway {
  /** The runway id as it was asked for, in its normal form. */
  id: string;
  end: ServedRunwayEnd;
  exits: RunwayExit[];
}

export type LandingRunwayFailure = 'AIRPORT_NOT_FOUND' | 'RUNWAY_NOT_FOUND' | 'RUNWAY_CLOSED';

/** Finds the runway of a landing request. A take-off intersection is no runway to land on. */
export const findLandingRunway = async (
  db: Db,
  icao: string,
  runway: string,
): Promise<LandingRunway | LandingRunwayFailure> => {
  const repo = airportRepo(db);
  const variant = parseVariant(runway);
  const [end, exits] = variant
    ? await Promise.all([repo.findRunwayEnd(icao, variant.ident), repo.exits(icao)])
    : [null, []];
  if (!end || !variant || variant.intersection !== null || variant.notam !== null) {
    return (await repo.runwayEnds(icao)).length > 0 ? 'RUNWAY_NOT_FOUND' : 'AIRPORT_NOT_FOUND';
  }
  if (end.isClosed) return 'RUNWAY_CLOSED';
  return { id: end.ident, end, exits: exits.filter((exit) => exit.ident === end.ident) };
};
