/** The nearest station to an airport without reports of its own. */
import type { Position } from '../airports/types.ts';
import { distanceNm, trackDeg, vectorOf } from '../geography/sphere.ts';
import type { ReportingStation } from './types.ts';

/** Weather farther away says nothing about the airport. */
const farthestStationNm = 200;

/** Great-circle distance in nautical miles, and initial course in degrees true. */
export const courseTo = (from: Position, to: Position) => {
  const a = vectorOf(from.latitudeDeg, from.longitudeDeg);
  const b = vectorOf(to.latitudeDeg, to.longitudeDeg);
  return { distanceNm: distanceNm(a, b), bearingDeg: trackDeg(a, b) };
};

type Course = ReturnType<typeof courseTo>;

/** Nearest among the stations that have reported since then; null when none is within 200 NM. */
export const nearestStation = (
  place: Position & { icao: string },
  stations: readonly ReportingStation[],
  since: Date,
): (ReportingStation & Course) | null => {
  const reach = farthestStationNm / 60;
  let best: (ReportingStation & Course) | null = null;
  for (const station of stations) {
    if (station.observedAt < since || station.icao === place.icao) continue;
    if (Math.abs(station.latitudeDeg - place.latitudeDeg) > reach) continue;
    const course = courseTo(place, station);
    if (course.distanceNm <= (best?.distanceNm ?? farthestStationNm)) best = { ...station, ...course };
  }
  return best;
};
