/** Sunrise and sunset: upper limb on the horizon with 34' of refraction, the sun at -0.833 degrees. */
import type { Position } from './airports/types.ts';
import { rad } from './geography/sphere.ts';
import { dayMs, hourMs } from './time.ts';

/** Time in which the earth turns by one degree. */
const degreeMs = 240_000;
const horizon = Math.sin(-0.833 * rad);

/** Declination and equation of time, radians, by the almanac's low-precision formula. */
const sunAt = (ms: number) => {
  const days = (ms - Date.UTC(2000, 0, 1, 12)) / dayMs;
  const meanAnomaly = (357.529 + 0.98560028 * days) * rad;
  const meanLongitude = (280.459 + 0.98564736 * days) * rad;
  const longitude = meanLongitude + (1.915 * Math.sin(meanAnomaly) + 0.02 * Math.sin(2 * meanAnomaly)) * rad;
  const obliquity = (23.439 - 0.00000036 * days) * rad;
  const rightAscension = Math.atan2(Math.cos(obliquity) * Math.sin(longitude), Math.cos(longitude));
  const difference = meanLongitude - rightAscension;
  return {
    declination: Math.asin(Math.sin(obliquity) * Math.sin(longitude)),
    equationOfTime: difference - 2 * Math.PI * Math.round(difference / (2 * Math.PI)),
  };
};

/** Cosine of half the day arc: below -1 the sun never sets, above 1 it never rises. */
const arcCosine = (latitudeDeg: number, declination: number): number => {
  const latitude = latitudeDeg * rad;
  return (
    (horizon - Math.sin(latitude) * Math.sin(declination)) / (Math.cos(latitude) * Math.cos(declination))
  );
};

/** Sunrise and sunset of the local day whose noon is on this UTC day, in milliseconds since 1970, to about a minute. */
export const sunOfDay = (
  dayStartMs: number,
  { latitudeDeg, longitudeDeg }: Position,
):
  | { sunriseMs: number; sunsetMs: number; polar: null }
  | { sunriseMs: null; sunsetMs: null; polar: 'day' | 'night' } => {
  const meanNoonMs = dayStartMs + 12 * hourMs - longitudeDeg * degreeMs;
  const noonCosine = arcCosine(latitudeDeg, sunAt(meanNoonMs).declination);
  // At a pole, the quotient is infinite.
  if (!(Math.abs(noonCosine) <= 1))
    return { sunriseMs: null, sunsetMs: null, polar: noonCosine < 0 ? 'day' : 'night' };
  const eventMs = (sign: 1 | -1): number => {
    let ms = meanNoonMs;
    // The declination changes between noon and the event, which matters at high latitudes.
    for (let round = 0; round < 3; round += 1) {
      const { declination, equationOfTime } = sunAt(ms);
      const cosine = Math.max(-1, Math.min(1, arcCosine(latitudeDeg, declination)));
      ms = meanNoonMs + ((sign * Math.acos(cosine) - equationOfTime) / rad) * degreeMs;
    }
    return ms;
  };
  return { sunriseMs: eventMs(-1), sunsetMs: eventMs(1), polar: null };
};

/** Start of the UTC day with the noon of the local day at this time. */
export const solarDayStart = (ms: number, { longitudeDeg }: Position): number =>
  Math.floor((ms + longitudeDeg * degreeMs) / dayMs) * dayMs;
