import { magneticVariation } from '../geomagnetism/wmm.ts';
import { positionOf } from './geometry.ts';
import { isIcaoCode, runwayPair, splitRunwayPair } from './ident.ts';
import { normaliseRunway } from './runway.ts';
import type { Airport, RawRunway, RawRunwayEnd, RunwayEnd, RunwayReject } from './types.ts';
import { round, roundDegrees } from './units.ts';

/** An airport as published by a source. */
export interface RawAirport extends Omit<Airport, 'ends'> {
  runways: RawRunway[];
}

/** Ends as published officially, by ICAO code and padded designator. */
type OfficialEnds = ReadonlyMap<string, ReadonlyMap<string, RawRunwayEnd>>;

export interface BuildResult {
  airports: Airport[];
  /** Rejected runways by reason. */
  rejects: Record<RunwayReject, number>;
  /** Airports with an invalid or duplicate ICAO code. */
  rejectedAirports: number;
}

const withOfficialEnds = (
  runway: RawRunway,
  ends: ReadonlyMap<string, RawRunwayEnd> | undefined,
): RawRunway => {
  if (!ends) return runway;
  const pair = splitRunwayPair(`${runway.low.ident}/${runway.high.ident}`);
  const low = pair && ends.get(pair[0]);
  const high = pair && ends.get(pair[1]);
  if (!low || !high) return runway;
  // Coordinates and elevations are used as pairs: mixing two surveys gives a wrong bearing or slope.
  const positions = positionOf(low) !== null && positionOf(high) !== null;
  const elevations = low.elevationFt !== null && high.elevationFt !== null;
  const merged = (end: RawRunwayEnd, official: RawRunwayEnd) => ({
    ...end,
    displacedThresholdFt: official.displacedThresholdFt ?? 0,
    ...(positions ? { latitudeDeg: official.latitudeDeg, longitudeDeg: official.longitudeDeg } : {}),
    ...(elevations ? { elevationFt: official.elevationFt } : {}),
    ...(official.official ? { official: official.official } : {}),
  });
  return { ...runway, low: merged(runway.low, low), high: merged(runway.high, high) };
};

/**
 * Airports after the import rules: only usable runways, with official distances before derived ones. `at` sets the year
 * of the magnetic variation (whole years, so that daily imports change nothing); without a valid model the last known
 * one is used.
 */
export const buildAirports = (raw: Iterable<RawAirport>, official: OfficialEnds, at: Date): BuildResult => {
  const year = at.getUTCFullYear();
  const rejects: Record<RunwayReject, number> = { ident: 0, length: 0, duplicate: 0, orphan: 0 };
  const airports = new Map<string, Airport>();
  let rejectedAirports = 0;
  for (const { runways, ...airport } of raw) {
    if (!isIcaoCode(airport.icao) || airports.has(airport.icao)) {
      rejectedAirports += 1;
      continue;
    }
    const context = {
      fieldElevationFt: airport.elevationFt,
      latitudeDeg: airport.latitudeDeg,
      variationDeg: round(magneticVariation(airport, year), 1),
    };
    const ends = new Map<string, RunwayEnd>();
    for (const runway of openFirst(runways)) {
      const result = normaliseRunway(withOfficialEnds(runway, official.get(airport.icao)), context);
      if ('reject' in result) {
        rejects[result.reject] += 1;
        continue;
      }
      const [low, high] = result.ends;
      if (ends.has(low.ident) || ends.has(high.ident)) {
        rejects.duplicate += 1;
        continue;
      }
      ends.set(low.ident, low).set(high.ident, high);
    }
    airports.set(airport.icao, {
      ...airport,
      latitudeDeg: roundDegrees(airport.latitudeDeg),
      longitudeDeg: roundDegrees(airport.longitudeDeg),
      ends: [...ends.values()].sort((a, b) => (a.ident < b.ident ? -1 : 1)),
    });
  }
  return { airports: [...airports.values()], rejects, rejectedAirports };
};

/**
 * Of runways with the same name, an open one wins over a closed one, then the longer one, whatever their order in the
 * file.
 */
const openFirst = (runways: readonly RawRunway[]): RawRunway[] =>
  runways.toSorted(
    (a, b) =>
      Number(a.isClosed) - Number(b.isClosed) ||
      (b.lengthFt ?? 0) - (a.lengthFt ?? 0) ||
      (runwayPair(a.low.ident, a.high.ident) < runwayPair(b.low.ident, b.high.ident) ? -1 : 1),
  );

/** Length of the longest open runway in metres; null if there is none. */
export const longestRunwayM = (ends: readonly RunwayEnd[]): number | null =>
  ends.reduce<number | null>(
    (longest, end) => (end.isClosed ? longest : Math.max(longest ?? 0, end.lengthM)),
    null,
  );
