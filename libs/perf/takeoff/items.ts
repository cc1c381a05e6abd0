/** Effects of MEL and CDL items on a takeoff: stopping, climb and reduced thrust. */
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { appliedEffect, combined, inoperative } from '../landing/modifiers.ts';
import type { Modifiers } from '../landing/modifiers.ts';
import type { TakeoffCase } from './types.ts';

/** The effects that a takeoff takes as a landing does, and its own. */
export interface Items extends Pick<
  Modifiers,
  | 'frictionFactor'
  | 'reversersInop'
  | 'fieldWeightDecrementKg'
  | 'climbWeightDecrementKg'
  | 'gradientDecrementPercent'
  | 'vrefAddKt'
  | 'brakeEnergyFactor'
  | 'applied'
> {
  /** on the braked part of a stop */
  stopFactor: number;
  /** true if brakes, spoilers or reversers are affected: reduced thrust is not permitted then */
  stopsWorse: boolean;
}

/** A gradient (1 = 100 %) with MEL and CDL items: taken at the weight plus their decrement, less their gradient decrement. */
export const withItems = <G extends number | null>(
  { climbWeightDecrementKg, gradientDecrementPercent }: Items,
  massKg: number,
  gradient: (kg: number) => G,
): G | number => {
  const bare = gradient(massKg + climbWeightDecrementKg);
  return bare === null ? bare : bare - gradientDecrementPercent / 100;
};

/** Share of the weight that spoilers put on the wheels in a stop. */
const spoilerShare = 0.3;

export const itemsOf = (profile: AircraftProfile, { configuration, condition }: TakeoffCase): Items => {
  const found = inoperative(profile, configuration);
  const effects = found.map(({ effect }) => effect);
  const all = combined(effects);
  const { dry, slippery } = profile.braking.antiskidInopFactor;
  const frictionFactor = effects.reduce((factor, effect) => {
    const antiskid = effect.antiskidInop ? (condition.state === 'DRY' ? dry : slippery) : 1;
    const spoilers = 1 - spoilerShare * (1 - (effect.spoilerFraction ?? 1));
    return factor * (effect.frictionFactor ?? 1) * antiskid * spoilers;
  }, 1);
  const stopFactor = effects.reduce((factor, effect) => factor * Math.max(1, effect.distanceFactor ?? 1), 1);
  return {
    ...all,
    frictionFactor,
    stopFactor,
    stopsWorse:
      frictionFactor < 1 || stopFactor > 1 || all.reversersInop > 0 || all.fieldWeightDecrementKg > 0,
    applied: found.map(({ name, effect, source }) => appliedEffect(name, effect, source)),
  };
};
