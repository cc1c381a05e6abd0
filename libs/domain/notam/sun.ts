import type { Position } from './types.ts';

const rad = Math.PI / 180;
const dayMs = 86_400_000;

/**
 * Sunrise or sunset (upper limb, 34' refraction: -0.833 degrees) of the local day whose noon falls on this UTC
 * day, in milliseconds since 1970; null in polar day or night. Almanac formula of low precision, about 1 minute.
 */
export const sunEventMs = (event: 'sunrise' | 'sunset', dayStartMs: number, at: Position): number | null => {
  const noonMs = dayStartMs + (12 - at.longitudeDeg / 15) * 3_600_000;
  const days = (noonMs - Date.UTC(2000, 0, 1, 12)) / dayMs;
  const meanAnomaly = (357.529 + 0.98560028 * days) * rad;
  const meanLongitude = (280.459 + 0.98564736 * days) * rad;
  const longitude = meanLongitude + (1.915 * Math.sin(meanAnomaly) + 0.02 * Math.sin(2 * meanAnomaly)) * rad;
  const obliquity = (23.439 - 0.00000036 * days) * rad;
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(longitude));
  const rightAscension = Math.atan2(Math.cos(obliquity) * Math.sin(longitude), Math.cos(longitude));
  let equationOfTime = meanLongitude - rightAscension;
  equationOfTime -= 2 * Math.PI * Math.round(equationOfTime / (2 * Math.PI));
  const transitMs = noonMs - (equationOfTime / rad) * 240_000;
  const latitude = at.latitudeDeg * rad;
  const cosine =
    (Math.sin(-0.833 * rad) - Math.sin(latitude) * Math.sin(declination)) /
    (Math.cos(latitude) * Math.cos(declination));
  if (!(Math.abs(cosine) <= 1)) return null;
  const halfDayMs = (Math.acos(cosine) / rad) * 240_000;
  return event === 'sunrise' ? transitMs - halfDayMs : transitMs + halfDayMs;
};
