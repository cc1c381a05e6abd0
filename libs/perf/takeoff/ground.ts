import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { linear } from '../kernel/interpolate.ts';
import type { Items } from './items.ts';
import type { Machine, Surface } from './machine.ts';
import type { TakeoffCase } from './types.ts';
import { wetUpToMm } from './surface.ts';
import { levelCalmLength } from './worth.ts';

/** A surface with the level, calm lengths that the runway is worth on it. */
export interface Ground {
  surface: Surface;
  /** the surface carries as much less, as published: it is `surface` with an aircraft that is so much heavier, kg */
  addKg: number;
  /** height at the end of the takeoff distance with an engine inoperative, m */
  screenM: number;
  asdaM: number;
  todaM: number;
  toraM: number;
}

/** Everything that the limits of one flap and thrust depend on, without the mass. */
export interface Situation {
  profile: AircraftProfile;
  machine: Machine;
  takeoff: TakeoffCase;
  /** the dry surface, below whose limit no other may come out, then the actual one */
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
    addKg: 0,
    screenM: surface.screenM,
    asdaM: level(declared.asdaM),
    todaM: level(declared.todaM),
    toraM: level(declared.toraM),
  };
};

/**
 * Least loss (kg) of a contaminated runway against the dry field limit. Published losses are larger than those of the AMC
 * alone; between the depths of the tables, and from 3 mm, where nothing is lost yet, they are interpolated.
 */
export const decrementKg = (machine: Machine, takeoff: TakeoffCase, levelM: number): number => {
  const { state, depthM } = takeoff.condition;
  const rows = (machine.model.contaminated?.decrements ?? []).filter((row) => row.state === state);
  const km = levelM / 1000;
  const points = rows.map(({ depthMm, kg: [a, b] }): [number, number] => [depthMm, Math.max(0, a + b * km)]);
  if (points.length === 0) return 0;
  const [first] = points;
  if (first && first[0] > wetUpToMm) points.unshift([wetUpToMm, 0]);
  const least = points.length === 1 ? first?.[1] : linear(points, depthM * 1000);
  return least ?? 0;
};
