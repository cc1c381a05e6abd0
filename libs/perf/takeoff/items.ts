/** Effects of MEL and CDL items on a takeoff: stopping, climb and reduced thrust. */
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { inoperative, appliedEffect } from '../landing/modifiers.ts';
import type { Applied } from '../landing/types.ts';
import type { TakeoffCase } from './types.ts';

export interface Items {
  /** on the braking coefficient */
  frictionFactor: number;
  /** on the braked part of a stop */
  stopFactor: number;
  reversersInop: number;
  /** on the energy of the brakes that are left */
  brakeEnergyFactor: number;
  fieldLessKg: number;
  climbLessKg: number;
  /** 1 = 100 % */
  gradientLess: number;
  speedAddKt: number;
  /** true if brakes, spoilers or reversers are affected: reduced thrust is not permitted then */
  stopsWorse: boolean;
  applied: Applied[];
}

/** A gradient (1 = 100 %) with MEL and CDL items: taken at the weight plus their decrement, less their gradient decrement. */
export const withItems = <G extends number | null>(
  { climbLessKg, gradientLess }: Items,
  massKg: number,
  gradient: (kg: number) => G,
): G | number => {
  const bare = gradient(massKg + climbLessKg);
  return bare === null ? bare : bare - gradientLess;
};

/** Share of the weight that spoilers put on the wheels in a stop. */
const spoilerShare = 0.3;

export const itemsOf = (profile: AircraftProfile, { configuration, condition }: TakeoffCase): Items => {
  const items: Items = {
    frictionFactor: 1,
    stopFactor: 1,
    reversersInop: 0,
    brakeEnergyFactor: 1,
    fieldLessKg: 0,
    climbLessKg: 0,
    gradientLess: 0,
    speedAddKt: 0,
    stopsWorse: false,
    applied: [],
  };
  const { dry, slippery } = profile.braking.antiskidInopFactor;
  for (const { name, effect, source } of inoperative(profile, configuration)) {
    const antiskid = effect.antiskidInop ? (condition.state === 'DRY' ? dry : slippery) : 1;
    const spoilers = 1 - spoilerShare * (1 - (effect.spoilerFraction ?? 1));
    items.frictionFactor *= (effect.frictionFactor ?? 1) * antiskid * spoilers;
    items.stopFactor *= Math.max(1, effect.distanceFactor ?? 1);
    items.reversersInop += effect.reversersInop ?? 0;
    items.brakeEnergyFactor *= effect.brakeEnergyFactor ?? 1;
    items.fieldLessKg += effect.fieldWeightDecrementKg ?? 0;
    items.climbLessKg += effect.climbWeightDecrementKg ?? 0;
    items.gradientLess += (effect.gradientDecrementPercent ?? 0) / 100;
    items.speedAddKt = Math.max(items.speedAddKt, effect.vrefAddKt ?? 0);
    items.applied.push(appliedEffect(name, effect, source));
  }
  items.stopsWorse =
    items.frictionFactor < 1 || items.stopFactor > 1 || items.reversersInop > 0 || items.fieldLessKg > 0;
  return items;
};
