import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { Items } from './items.ts';
import type { Machine, Surface } from './machine.ts';
import type { TakeoffCase } from './types.ts';
import { levelCalmLength } from './worth.ts';

/** A surface with the level, calm lengths that the runway is worth on it. */
export interface Ground {
  surface: Surface;
  asdaM: number;
  todaM: number;
  toraM: number;
}

/** Everything that the limits of one flap and thrust depend on, without the mass. */
export interface Situation {
  profile: AircraftProfile;
  machine: Machine;
  takeoff: TakeoffCase;
  /** the actual surface, and the dry one, below whose limit no other may come out */
  grounds: readonly Ground[];
  /** declared distances less those of lining up, m */
  declared: { asdaM: number; todaM: number; toraM: number };
  items: Items;
}

/** The grounds of a runway for the surfaces of a case. */
export const groundOf = (
  machine: Machine,
  takeoff: TakeoffCase,
  surface: Surface,
  declared: Situation['declared'],
): Ground => {
  const worth = surface.isDry ? machine.model.worth.dry : machine.model.worth.wet;
  const { slope } = takeoff.runway;
  const { headwindKt } = takeoff.weather;
  const level = (lengthM: number): number => levelCalmLength(worth, lengthM, slope, headwindKt);
  return {
    surface,
    asdaM: level(declared.asdaM),
    todaM: level(declared.todaM),
    toraM: level(declared.toraM),
  };
};
