/** Converts a situation from kg, knots, hPa and millimetres to the reader's units. */
import { kgPerLb, mmPerInch } from '../../users/units.ts';
import type { LandingUnits } from '../request-parts.ts';
import type { ConditionForm } from './condition.ts';
import type { SituationWeather } from './weather.ts';

const mpsPerKt = 1_852 / 3_600;
const hpaPerInHg = 33.863_89;

const windIn = (kt: number, { wind }: LandingUnits): number =>
  wind === 'ms' ? Math.round(kt * mpsPerKt * 100) / 100 : kt;

/** Pressures are rounded down: a higher one would shorten the landing. */
export const weatherIn = <T extends SituationWeather>(weather: T, units: LandingUnits): T => ({
  ...weather,
  windSpeed: windIn(weather.windSpeed, units),
  gust: weather.gust === null ? null : windIn(weather.gust, units),
  ...Object.fromEntries(
    (['headwind', 'maxHeadwind', 'maxTailwind'] as const).flatMap((name) =>
      weather[name] === undefined ? [] : [[name, windIn(weather[name], units)]],
    ),
  ),
  qnh: units.pressure === 'inhg' ? Math.floor((weather.qnh / hpaPerInHg) * 100) / 100 : weather.qnh,
});

/** Depths stay within their limits of 3 and 13 mm. */
export const conditionIn = (form: ConditionForm, { depth }: LandingUnits): ConditionForm => ({
  ...form,
  depth: depth === 'inches' ? Number((form.depth / mmPerInch).toFixed(5)) : form.depth,
});

/** Converts a depth from the reader's unit to millimetres. */
export const depthMmIn = (given: number, { depth }: Pick<LandingUnits, 'depth'>): number =>
  depth === 'inches' ? given * mmPerInch : given;

/** Whole units, rounded up. */
export const weightIn = (kg: number, { weight }: LandingUnits): number =>
  weight === 'lb' ? Math.ceil(kg / kgPerLb) : kg;
