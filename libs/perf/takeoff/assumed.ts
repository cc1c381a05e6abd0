import { atmosphere, isaTemperature, toCelsius, toKelvin } from '../kernel/atmosphere.ts';
import { largest } from '../kernel/search.ts';
import { allHold } from './limits.ts';
import { flatRating, staticThrust } from './machine.ts';
import { publishedMostC } from './settings.ts';
import type { Setting, Shared } from './situation.ts';
import { situationOf, whyFullThrust } from './situation.ts';

/** Lowest whole degree C that reduces thrust: above both the actual and the flat-rating temperature. */
export const leastAssumed = ({ model, actual }: Shared): number => {
  const isaC = toCelsius(isaTemperature(actual.pressureAltitudeM));
  const flatC = isaC + flatRating(model, actual.pressureAltitudeM);
  return Math.ceil(Math.max(toCelsius(actual.temperatureK), flatC) - 1e-9);
};

/** Highest permitted assumed temperature, whole degrees C. */
export const mostAssumed = (shared: Shared): number => {
  const isaC = toCelsius(isaTemperature(shared.actual.pressureAltitudeM));
  const ofTypeC = isaC + shared.model.thrust.maxAssumedIsaPlusC;
  return Math.floor(Math.min(ofTypeC, publishedMostC(shared)?.value ?? Infinity));
};

/** Thrust at an assumed temperature (C) divided by thrust at the actual one. */
export const assumedShare = ({ model, actual }: Shared, celsius: number): number =>
  staticThrust(model, atmosphere(actual.pressureAltitudeM, toKelvin(celsius))) / staticThrust(model, actual);

/** Whether an assumed temperature (C) is a permitted reduction and every limit still holds at a mass. */
export const reducesThrust = (shared: Shared, setting: Setting, massKg: number, celsius: number): boolean =>
  celsius >= leastAssumed(shared) &&
  assumedShare(shared, celsius) >= 1 - shared.model.thrust.mostReduction &&
  allHold(situationOf(shared, setting, toKelvin(celsius)), massKg);

/** Highest assumed temperature (whole degrees C) at which every limit holds at a mass; null: no reduction. */
export const highestAssumed = (shared: Shared, setting: Setting, massKg: number): number | null => {
  if (whyFullThrust(shared) !== null || shared.takeoff.configuration.assumedTemperature === 'NONE')
    return null;
  const lowest = leastAssumed(shared);
  const top = mostAssumed(shared);
  if (lowest > top) return null;
  const works = (steps: number): boolean =>
    reducesThrust(shared, setting, massKg, lowest + Math.round(steps));
  const found = largest(0, top - lowest, works, 0.4);
  return found === null ? null : lowest + Math.round(found);
};

/** Assumed temperature to use: the requested one where possible, otherwise the highest. */
export const assumedToUse = (shared: Shared, highestC: number | null): number | null => {
  const asked = shared.takeoff.configuration.assumedTemperature;
  if (highestC === null || typeof asked !== 'number') return highestC;
  const whole = Math.floor(asked);
  return whole < leastAssumed(shared) ? null : Math.min(highestC, whole);
};
