import { rad } from '../geography/sphere.ts';
import type { Position } from './types.ts';

const wgs84AM = 6_378_137;
const wgs84E2 = 0.00669437999014;

/** Metres per radian of latitude and longitude at this latitude (WGS-84). */
const metresPerRadian = (latitudeDeg: number) => {
  const sin = Math.sin(latitudeDeg * rad);
  const w = 1 - wgs84E2 * sin * sin;
  return {
    latitude: (wgs84AM * (1 - wgs84E2)) / w ** 1.5,
    longitude: (wgs84AM / Math.sqrt(w)) * Math.cos(latitudeDeg * rad),
  };
};

const wrap180 = (degrees: number): number => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** 0 <= result < 360. */
export const wrap360 = (degrees: number): number => ((degrees % 360) + 360) % 360;

/** Smallest angle between two directions, 0 to 180 degrees. */
export const angleBetween = (a: number, b: number): number => Math.abs(wrap180(a - b));

/** Null if the source has no coordinates. */
export const positionOf = ({
  latitudeDeg,
  longitudeDeg,
}: Readonly<Record<keyof Position, number | null>>): Position | null =>
  latitudeDeg === null || longitudeDeg === null ? null : { latitudeDeg, longitudeDeg };

/** Offset east and north in metres; accurate to centimetres over an airport. */
export const localOffsetM = (from: Position, to: Position): { eastM: number; northM: number } => {
  const scale = metresPerRadian((from.latitudeDeg + to.latitudeDeg) / 2);
  return {
    eastM: wrap180(to.longitudeDeg - from.longitudeDeg) * rad * scale.longitude,
    northM: (to.latitudeDeg - from.latitudeDeg) * rad * scale.latitude,
  };
};

/** Distance in metres, for up to some tens of kilometres. */
export const distanceM = (from: Position, to: Position): number => {
  const { eastM, northM } = localOffsetM(from, to);
  return Math.hypot(eastM, northM);
};

/** Bearing in degrees true at `from`, 0 <= result < 360. */
export const trueBearingDeg = (from: Position, to: Position): number => {
  const { eastM, northM } = localOffsetM(from, to);
  const middle = ((from.latitudeDeg + to.latitudeDeg) / 2) * rad;
  const convergence = (wrap180(to.longitudeDeg - from.longitudeDeg) * Math.sin(middle)) / 2;
  return wrap360(Math.atan2(eastM, northM) / rad - convergence);
};

/** The point `metres` from `from` in the direction of `bearingDeg`. */
export const pointAt = (from: Position, bearingDeg: number, metres: number): Position => {
  const scale = metresPerRadian(from.latitudeDeg);
  return {
    latitudeDeg: from.latitudeDeg + (metres * Math.cos(bearingDeg * rad)) / scale.latitude / rad,
    longitudeDeg: wrap180(from.longitudeDeg + (metres * Math.sin(bearingDeg * rad)) / scale.longitude / rad),
  };
};
