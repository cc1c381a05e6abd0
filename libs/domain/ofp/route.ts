/** The route of a plan: its navigation log, from aerodrome to aerodrome. */
import { distanceNm, vectorOf } from '../geography/sphere.ts';
import type { GivenPoint } from '../weather/route.ts';
import type { OfpAirport } from './schema-parts.ts';
import type { NormalizedOfp } from './schema.ts';

/** If the log starts or ends farther away, the aerodrome is added. */
const sameNm = 1;

const aerodromePoint = (
  { icao, latitude, longitude, elevationFt }: OfpAirport,
  eto: string | null,
): GivenPoint | null =>
  latitude === null || longitude === null
    ? null
    : {
        ident: icao,
        latitude,
        longitude,
        flightLevel: Math.max(0, Math.round((elevationFt ?? 0) / 100)),
        eto,
      };

const isSame = (a: GivenPoint, b: GivenPoint | undefined): boolean =>
  b !== undefined &&
  distanceNm(vectorOf(a.latitude, a.longitude), vectorOf(b.latitude, b.longitude)) < sameNm;

/** Empty with fewer than two positions. Times are the planned ones. */
export const plannedRoute = ({ navlog, origin, destination, times }: NormalizedOfp): GivenPoint[] => {
  const points = navlog.map(({ name, latitude, longitude, cruiseLevel, eto }) => ({
    ident: name === '' ? null : name,
    latitude,
    longitude,
    flightLevel: cruiseLevel,
    eto,
  }));
  const { estimated, scheduled } = times;
  const first = aerodromePoint(origin, estimated.off ?? scheduled.off);
  const last = aerodromePoint(destination, estimated.on ?? scheduled.on);
  const route = [
    ...(first && !isSame(first, points[0]) ? [first] : []),
    ...points,
    ...(last && !isSame(last, points.at(-1)) ? [last] : []),
  ];
  return route.length < 2 ? [] : route;
};
