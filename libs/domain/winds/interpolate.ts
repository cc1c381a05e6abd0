import { fieldsPerLevel, isGlobal, missingValue, unpackTemperature, unpackWind } from './snapshot.ts';
import type { WindGrid, WindHeader, WindSnapshot } from './snapshot.ts';
import { kelvinAt0c, pressureAltitudeFt } from './standard-atmosphere.ts';
import { hourMs } from '../time.ts';

/** A cycle is used for half a step beyond its last hour. */
const graceHours = 3;

/**
 * A time's position among the steps of a snapshot: `lower` and `upper` are the enclosing ones, `weight` is that of the
 * upper, 0 to 1.
 *
 * Interpolates linearly between the enclosing hours; `forecastHour` names the nearest one. Times before the cycle use
 * its first hour (only an analysis covers the past), times up to three hours after the last hour use the last.
 */
export const forecastTimeAt = ({ stepsHours: steps, cycleMs }: WindHeader, timeMs: number) => {
  const hours = (timeMs - cycleMs) / hourMs;
  const lower = Math.max(
    0,
    steps.findLastIndex((step) => step <= hours),
  );
  const from = steps[lower] ?? 0;
  const upper = hours > from && lower < steps.length - 1 ? lower + 1 : lower;
  const to = steps[upper] ?? from;
  const weight = upper === lower ? 0 : (hours - from) / (to - from);
  const isCovered = hours <= to + graceHours && (from === 0 || hours >= from - graceHours);
  return { forecastHour: weight >= 0.5 ? to : from, lower, upper, weight, isCovered };
};

/** Wind components toward east and north in m/s and temperature in K; null without data. */
interface WindSample {
  uMs: number | null;
  vMs: number | null;
  temperatureK: number | null;
}

/** The sample where there are no data. */
const noSample: WindSample = { uMs: null, vMs: null, temperatureK: null };

export type WindSampler = (pressureHpa: number) => WindSample;

/** Two neighbours on an axis, by index, with their weights. */
type Bracket = readonly [readonly [number, number], readonly [number, number]];

/**
 * A sampler for one place and time, by pressure in hPa; nulls without a snapshot. u, v and T are interpolated
 * separately: bilinear in latitude and longitude, linear in log pressure and in time; averaging directions would be off
 * by more than 20 degrees in one of twelve cells.
 */
export const windSampler = (
  snapshot: WindSnapshot | null,
  { latitude, longitude }: { latitude: number; longitude: number },
  timeMs: number,
): WindSampler => {
  if (snapshot === null) return () => noSample;
  const { levelsHpa, grid } = snapshot.header;
  const { lower, upper, weight: upperWeight, isCovered } = forecastTimeAt(snapshot.header, timeMs);
  const corners = isCovered ? cornersOf(grid, latitude, longitude) : null;
  if (corners === null) return () => noSample;
  const hours: Bracket = [
    [lower, 1 - upperWeight],
    [upper, upperWeight],
  ];
  const columns = hours
    .flatMap(([step, hourWeight]) =>
      corners.map(([point, weight]) => ({
        data: snapshot.steps[step],
        from: point * levelsHpa.length * fieldsPerLevel,
        weight: hourWeight * weight,
      })),
    )
    .filter(({ weight }) => weight !== 0);
  return (pressureHpa) => {
    const levels = levelBracket(levelsHpa, pressureHpa);
    if (levels === null) return noSample;
    /** Weighted sums; NaN if a value is missing. */
    const totals: [u: number, v: number, t: number] = [0, 0, 0];
    for (const { data, from, weight } of columns)
      for (const [level, levelWeight] of levels) {
        if (levelWeight === 0) continue;
        for (let field = 0; field < fieldsPerLevel; field++) {
          const code = data?.[from + level * fieldsPerLevel + field] ?? missingValue;
          const value = code === missingValue ? Number.NaN : code;
          totals[field] = (totals[field] ?? 0) + weight * levelWeight * value;
        }
      }
    const [u, v, t] = totals;
    const isWind = !Number.isNaN(u) && !Number.isNaN(v);
    return {
      uMs: isWind ? unpackWind(u) : null,
      vMs: isWind ? unpackWind(v) : null,
      temperatureK: Number.isNaN(t) ? null : unpackTemperature(t),
    };
  };
};

/**
 * The four grid points around a place, by number, with their weights; null outside a regional grid. Longitudes wrap, so
 * -180 and 180 are equal.
 */
const cornersOf = (
  grid: WindGrid,
  latitude: number,
  longitude: number,
): (readonly [point: number, weight: number])[] | null => {
  const { ni, nj } = grid;
  const y = (grid.northDeg - latitude) / grid.djDeg;
  const x = ((((longitude - grid.westDeg) % 360) + 360) % 360) / grid.diDeg;
  const wraps = isGlobal(grid);
  if (y < -edge || y > nj - 1 + edge || (!wraps && x > ni - 1 + edge)) return null;
  // At the far edge, the row is the second one of its lower neighbour, so poles need no special case.
  const row = Math.max(0, Math.min(nj - 2, Math.floor(y)));
  const column = wraps ? Math.floor(x) % ni : Math.min(ni - 2, Math.floor(x));
  const fy = clamp01(y - row);
  const fx = clamp01(x - (wraps ? Math.floor(x) : column));
  const right = wraps ? (column + 1) % ni : column + 1;
  const top = row * ni;
  const bottom = top + ni;
  return [
    [top + column, (1 - fx) * (1 - fy)],
    [top + right, fx * (1 - fy)],
    [bottom + column, (1 - fx) * fy],
    [bottom + right, fx * fy],
  ];
};

/** Tolerance at the edges of a grid, in steps, for increments rounded in the file. */
const edge = 1e-6;

const clamp01 = (x: number): number => Math.max(0, Math.min(1, x));

/** Levels around a pressure, weighted by its logarithm; null outside the levels. */
const levelBracket = (levelsHpa: readonly number[], pressureHpa: number): Bracket | null => {
  const last = levelsHpa.length - 1;
  if (!(pressureHpa >= (levelsHpa[0] ?? Number.NaN) && pressureHpa <= (levelsHpa[last] ?? Number.NaN)))
    return null;
  const lower = Math.min(
    last - 1,
    levelsHpa.findLastIndex((level) => level <= pressureHpa),
  );
  const above = levelsHpa[lower] ?? pressureHpa;
  const below = levelsHpa[lower + 1] ?? pressureHpa;
  const weight = Math.log(pressureHpa / above) / Math.log(below / above);
  return [
    [lower, 1 - weight],
    [lower + 1, weight],
  ];
};

export const knotsPerMs = 3600 / 1852;

/** Speed in knots of components in m/s. */
export const speedKt = (uMs: number, vMs: number): number => Math.hypot(uMs, vMs) * knotsPerMs;

/** Direction of origin, degrees true, 0 <= direction < 360. */
export const directionDeg = (uMs: number, vMs: number): number => {
  const degrees = (Math.atan2(-uMs, -vMs) * 180) / Math.PI;
  return degrees < 0 ? degrees + 360 : degrees;
};

/** Whole degrees true, 1 to 360, or 0 if calm, and whole knots, as answers have them; null without a wind. */
export const answeredWind = ({ uMs, vMs }: Pick<WindSample, 'uMs' | 'vMs'>) => {
  if (uMs === null || vMs === null) return { windDirection: null, windSpeed: null };
  const windSpeed = Math.round(speedKt(uMs, vMs));
  return { windDirection: windSpeed === 0 ? 0 : Math.round(directionDeg(uMs, vMs)) % 360 || 360, windSpeed };
};

/**
 * The lowest pressure altitude of 0 degrees C above a place in feet, interpolated between grid levels: 0 if it freezes
 * at the lowest level, null without data or frost.
 */
export const freezingLevelFt = (
  snapshot: WindSnapshot | null,
  place: { latitude: number; longitude: number },
  timeMs: number,
): number | null => {
  const sample = windSampler(snapshot, place, timeMs);
  let below: { logPressure: number; kelvin: number } | null = null;
  for (const level of snapshot?.header.levelsHpa.toReversed() ?? []) {
    const kelvin = sample(level).temperatureK;
    if (kelvin === null) continue;
    const logPressure = Math.log(level);
    if (kelvin <= kelvinAt0c) {
      if (below === null) return 0;
      const share = (below.kelvin - kelvinAt0c) / (below.kelvin - kelvin);
      const pressure = Math.exp(below.logPressure + share * (logPressure - below.logPressure));
      return Math.round(pressureAltitudeFt(pressure) / 100) * 100;
    }
    below = { logPressure, kelvin };
  }
  return null;
};
