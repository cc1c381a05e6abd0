import { atmosphere, isaTemperature, toCelsius, toKelvin } from '../kernel/atmosphere.ts';
import { largest } from '../kernel/search.ts';
import { allHold } from './limits.ts';
import { flatRating, staticThrust } from './machine.ts';
import { publishedMostC } from './settings.ts';
import type { Setting, Shared } from './situation.ts';
import { situationOf, whyFullThrust } from './situation.ts';

/** Lowest whole degree C that reduces thrust: not below the actual temperature nor that of flat rating. */
export const leastAssumed = ({ model, actual }: Shared): number => {
  const isaC = toCelsius(isaTemperature(actual.pressureAltitudeM));
  const flatC = isaC + flatRating(model, actual.pressureAltitudeM);
  return Math.ceil(Math.max(toCelsius(actual.temperatureK), flatC) - 1e-9);
};

/** Highest whole degree C that may be assumed. */
export const mostAssumed = (shared: Shared): number => {
  const isaC = toCelsius(isaTemperature(shared.actual.pressureAltitudeM));
  const ofTypeC = isaC + shared.model.thrust.maxAssumedIsaPlusC;
  return Math.floor(Math.min(ofTypeC, publishedMostC(shared)?.value ?? Infinity));
};

/** Thrust of an assumed temperature (C) over that of the actual one. */
export const assumedShare = ({ model, actual }: Shared, celsius: number): number =>
  staticThrust(model, atmosphere(actual.pressureAltitudeM, toKelvin(celsius))) / staticThrust(model, actual);

/** Whether every limit holds for a mass at the thrust of an assumed temperature (C) that reduces it within what is allowed. */
export const reducesThrust = (shared: Shared, setting: Setting, massKg: number, celsius: number): boolean =>
  celsius >= leastAssumed(shared) &&
  assumedShare(shared, celsius) >= 1 - shared.model.thrust.mostReduction &&
  allHold(situationOf(shared, setting, toKelvin(celsius)), massKg);

/** Highest assumed temperature (whole degrees C) at which every limit holds at a mass; null: thrust is not reduced. */
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

/** The assumed temperature to use: the highest, or the requested one where it is possible. */
export const assumedToUse = (shared: Shared, highestC: number | null): number | null => {
  const asked = shared.takeoff.configuration.assumedTemperature;
  if (highestC === null || typeof asked !== 'number') return highestC;
  const whole = Math.floor(asked);
  return whole < leastAssumed(shared) ? null : Math.min(highestC, whole);
};
