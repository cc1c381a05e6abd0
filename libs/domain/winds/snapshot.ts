import { z } from 'zod';

/**
 * A forecast cycle of winds aloft in memory: one int16 array per forecast hour, ordered by grid point from the
 * north-west corner, then level, then u, v and temperature. A waypoint reads whole columns, so its five levels share
 * two cache lines.
 */
export interface WindSnapshot {
  readonly header: WindHeader;
  /** One array per entry of `header.stepsHours`; index ((row x ni + column) x levels + level) x 3 + field. */
  readonly steps: readonly Int16Array[];
}

const windGridSchema = z.object({
  ni: z.int().min(2).max(4096),
  nj: z.int().min(2).max(4096),
  /** First row (north) and first column (west), degrees. */
  northDeg: z.number().min(-90).max(90),
  westDeg: z.number().min(-360).max(360),
  /** Increments, degrees, positive. */
  diDeg: z.number().positive(),
  djDeg: z.number().positive(),
});

export const windHeaderSchema = z.object({
  /** Reference time of the model run, milliseconds UTC. */
  cycleMs: z.int(),
  /** Name of the model in answers. */
  source: z.string().max(80).optional(),
  /** Forecast hours, ascending. */
  stepsHours: z.array(z.int().min(0).max(384)).min(1),
  /** Isobaric levels in hPa, ascending (highest flight level first). */
  levelsHpa: z.array(z.number().positive()).min(2),
  grid: windGridSchema,
});

export type WindGrid = z.output<typeof windGridSchema>;
export type WindHeader = z.output<typeof windHeaderSchema>;

/** u and v in m/s and temperature in K, in this order. */
export const fieldsPerLevel = 3;
/** Forecast hours of the specification: 0 to 48, every 6. */
export const forecastHours: readonly number[] = [0, 6, 12, 18, 24, 30, 36, 42, 48];

export const missingValue = -32768;
/** Resolution of all fields: 0.01 m/s and 0.01 K, at least as fine as the source. */
const stepsPerUnit = 100;
const temperatureOffsetK = 200;

/** Encodes a wind component in m/s (up to 327 m/s) as int16; NaN becomes the missing value. */
export const packWind = (ms: number): number =>
  Number.isNaN(ms) ? missingValue : Math.max(-32767, Math.min(32767, Math.round(ms * stepsPerUnit)));

/** Encodes a temperature in K likewise. */
export const packTemperature = (kelvin: number): number => packWind(kelvin - temperatureOffsetK);

/** Decodes a wind component in m/s from a code or a weighted sum of codes. */
export const unpackWind = (code: number): number => code / stepsPerUnit;

/** Decodes a temperature in K from a code or a weighted sum of codes. */
export const unpackTemperature = (code: number): number => code / stepsPerUnit + temperatureOffsetK;

/** int16 numbers in one step of a snapshot. */
export const stepLength = (header: WindHeader): number =>
  header.grid.ni * header.grid.nj * header.levelsHpa.length * fieldsPerLevel;

/** True if the columns span the whole earth, so that the last is next to the first. */
export const isGlobal = (grid: WindGrid): boolean => Math.abs(grid.ni * grid.diDeg - 360) < grid.diDeg / 2;
