import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { LengthWorth } from '#domain/aircraft/profile-takeoff.ts';
import { mpsToKt } from '../kernel/units.ts';
import type { Items } from './items.ts';
import { dryEquivalentKg } from './losses.ts';
import type { Loss } from './losses.ts';
import type { Machine, Surface } from './machine.ts';
import type { TakeoffCase } from './types.ts';
import { levelCalmLength } from './worth.ts';

/** A surface with the runway's equivalent level, calm lengths on it. */
export interface Ground {
  surface: Surface;
  worth: LengthWorth;
  /** published weight loss of the actual surface, modelled as `surface` with a heavier aircraft; null: `surface` is the actual one */
  loss: Loss | null;
  /** height at the end of the takeoff distance with an engine inoperative, m */
  screenM: number;
  asdaM: number;
  todaM: number;
  toraM: number;
}

/** Everything the limits of one flap and thrust setting depend on, except mass. */
export interface Situation {
  profile: AircraftProfile;
  machine: Machine;
  takeoff: TakeoffCase;
  /** the dry surface, whose limit caps every other, then the actual one */
  grounds: readonly [Ground, ...Ground[]];
  /** declared distances less the line-up allowance, m */
  declared: { asdaM: number; todaM: number; toraM: number };
  items: Items;
}

/** A surface with its equivalent lengths on this runway. */
export const groundOf = (
  machine: Machine,
  takeoff: TakeoffCase,
  surface: Surface,
  declared: Situation['declared'],
): Ground => {
  const worth = surface.isDry ? machine.model.worth.dry : machine.model.worth.wet;
  const { slope } = takeoff.runway;
  const headwindKt = mpsToKt(takeoff.weather.headwindMps);
  const level = (lengthM: number): number => levelCalmLength(worth, lengthM, slope, headwindKt);
  return {
    surface,
    worth,
    loss: null,
    screenM: surface.screenM,
    asdaM: level(declared.asdaM),
    todaM: level(declared.todaM),
    toraM: level(declared.toraM),
  };
};

/** The same situation without wind. */
export const calmOf = (situation: Situation): Situation => {
  const { machine, declared } = situation;
  const [dry, ...others] = situation.grounds;
  const weather = { ...situation.takeoff.weather, headwindMps: 0, crosswindMps: 0 };
  const takeoff = { ...situation.takeoff, weather };
  const calm = ({ surface, loss, screenM }: Ground): Ground => ({
    ...groundOf(machine, takeoff, surface, declared),
    loss,
    screenM,
  });
  return { ...situation, takeoff, grounds: [calm(dry), ...others.map(calm)] };
};

/** Equivalent mass (kg) on the modelled surface for a takeoff weight. */
export const massOn = ({ loss }: Ground, takeoffKg: number): number =>
  loss === null ? takeoffKg : dryEquivalentKg(loss, takeoffKg);
