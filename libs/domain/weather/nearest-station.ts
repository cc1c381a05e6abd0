/** The station nearest to a field that does not report itself. */
import type { ReportingStation } from './types.ts';

const rad = Math.PI / 180;
const earthNm = 3_440.065;
/** Farther away the weather is another one. */
export const farthestStationNm = 200;

interface Place {
  latitudeDeg: number;
  longitudeDeg: number;
}

/** Along the great circle, nautical miles, and the first course, degrees true. */
export const courseTo = (from: Place, to: Place): { distanceNm: number; bearingDeg: number } => {
  const [lat1, lat2] = [from.latitudeDeg * rad, to.latitudeDeg * rad];
  const dLon = (to.longitudeDeg - from.longitudeDeg) * rad;
  const h = Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin(dLon / 2) ** 2;
  const bearing = Math.atan2(
    Math.sin(dLon) * Math.cos(lat2),
    Math.cos(lat1) * Math.sin(lat2) - Math.sin(lat1) * Math.cos(lat2) * Math.cos(dLon),
  );
  return {
    distanceNm: 2 * earthNm * Math.asin(Math.min(1, Math.sqrt(h))),
    bearingDeg: (bearing / rad + 360) % 360,
  };
};

/** Of those that have reported since then; null when none is within 200 NM. */
export const nearestStation = (
  place: Place & { icao: string },
  stations: readonly ReportingStation[],
  since: Date,
): (ReportingStation & { distanceNm: number; bearingDeg: number }) | null => {
  const reach = farthestStationNm / 60;
  let best: (ReportingStation & { distanceNm: number; bearingDeg: number }) | null = null;
  for (const station of stations) {
    if (station.observedAt < since || station.icao === place.icao) continue;
    if (Math.abs(station.latitudeDeg - place.latitudeDeg) > reach) continue;
    const course = courseTo(place, station);
    if (course.distanceNm <= Math.min(farthestStationNm, best?.distanceNm ?? Infinity))
      best = { ...station, ...course };
  }
  return best;
};
