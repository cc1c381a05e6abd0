import { forecastTimeAt } from './forecast-time.ts';
import type { ForecastTime } from './forecast-time.ts';
import { fieldsPerLevel, isGlobal, missingValue, unpackTemperature, unpackWind } from './snapshot.ts';
import type { WindGrid, WindSnapshot } from './snapshot.ts';

/** Wind components toward east and north in m/s and temperature in K; null without data. */
interface WindSample {
  uMs: number | null;
  vMs: number | null;
  temperatureK: number | null;
}

/** The sample where there are no data. */
const noSample: WindSample = { uMs: null, vMs: null, temperatureK: null };

export type WindSampler = (pressureHpa: number) => WindSample;

/** The four grid points around a place, by number, and their weights. */
interface Corners {
  points: readonly [number, number, number, number];
  weights: readonly [number, number, number, number];
}

/** The two indexes around a position on an axis, and the weight of the second. */
type Bracket = Pick<ForecastTime, 'lower' | 'upper' | 'weight'>;

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
  const time = forecastTimeAt(snapshot.header, timeMs);
  const corners = time.isCovered ? cornersOf(snapshot.header.grid, latitude, longitude) : null;
  if (corners === null) return () => noSample;
  const { levelsHpa } = snapshot.header;
  return (pressureHpa) => {
    const level = levelBracket(levelsHpa, pressureHpa);
    if (level === null) return noSample;
    sum(snapshot, corners, level, time, levelsHpa.length * fieldsPerLevel);
    const [u, v, t] = totals as unknown as readonly [number, number, number];
    const isWind = !Number.isNaN(u) && !Number.isNaN(v);
    return {
      uMs: isWind ? unpackWind(u) : null,
      vMs: isWind ? unpackWind(v) : null,
      temperatureK: Number.isNaN(t) ? null : unpackTemperature(t),
    };
  };
};

/** Weighted sums for u, v and T, in one array shared by thousands of calls. */
const totals = new Float64Array(fieldsPerLevel);

/** Sums over two hours, two levels and four corners into `totals`; NaN if a value is missing. */
const sum = (
  { steps }: WindSnapshot,
  corners: Corners,
  level: Bracket,
  time: ForecastTime,
  column: number,
): void => {
  totals.fill(0);
  for (let s = 0; s < 2; s++) {
    const hourWeight = s === 0 ? 1 - time.weight : time.weight;
    const data = steps[s === 0 ? time.lower : time.upper];
    if (hourWeight === 0) continue;
    if (data === undefined) totals.fill(Number.NaN);
    else addHour(data, corners, level, hourWeight, column);
  }
};

/** Adds one hour's share. */
const addHour = (
  data: Int16Array,
  { points, weights }: Corners,
  level: Bracket,
  hourWeight: number,
  column: number,
): void => {
  for (let c = 0; c < 4; c++) {
    const weight = hourWeight * (weights[c] ?? 0);
    if (weight === 0) continue;
    const at = (points[c] ?? 0) * column;
    if (level.weight < 1) add(data, at + level.lower * fieldsPerLevel, weight * (1 - level.weight));
    if (level.weight > 0) add(data, at + level.upper * fieldsPerLevel, weight * level.weight);
  }
};

const add = (data: Int16Array, at: number, weight: number): void => {
  for (let field = 0; field < fieldsPerLevel; field++) {
    const code = data[at + field] ?? missingValue;
    totals[field] = code === missingValue ? Number.NaN : (totals[field] ?? 0) + weight * code;
  }
};

/** Grid points around a place; null outside a regional grid. Longitudes wrap, so -180 and 180 are equal. */
const cornersOf = (grid: WindGrid, latitude: number, longitude: number): Corners | null => {
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
  return {
    points: [top + column, top + right, bottom + column, bottom + right],
    weights: [(1 - fx) * (1 - fy), fx * (1 - fy), (1 - fx) * fy, fx * fy],
  };
};

/** Tolerance at the edges of a grid, in steps, for increments rounded in the file. */
const edge = 1e-6;

const clamp01 = (x: number): number => Math.max(0, Math.min(1, x));

/** Levels around a pressure, weighted by its logarithm; null outside the levels. */
const levelBracket = (levelsHpa: readonly number[], pressureHpa: number): Bracket | null => {
  const last = levelsHpa.length - 1;
  if (!(pressureHpa >= (levelsHpa[0] ?? Number.NaN) && pressureHpa <= (levelsHpa[last] ?? Number.NaN)))
    return null;
  let lower = 0;
  while (lower < last - 1 && (levelsHpa[lower + 1] ?? 0) <= pressureHpa) lower += 1;
  const above = levelsHpa[lower] ?? pressureHpa;
  const below = levelsHpa[lower + 1] ?? pressureHpa;
  return { lower, upper: lower + 1, weight: Math.log(pressureHpa / above) / Math.log(below / above) };
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
