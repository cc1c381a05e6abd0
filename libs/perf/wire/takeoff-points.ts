import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffDrawingFacts, TakeoffPoints } from '#domain/performance/graphic.ts';
import { atmosphere, pressureAltitude, toKelvin } from '../kernel/atmosphere.ts';
import { itemsOf } from '../takeoff/items.ts';
import type { Ground } from '../takeoff/ground.ts';
import { accelerate, acceleration, trueMps } from '../takeoff/machine.ts';
import { situationOf } from '../takeoff/situation.ts';
import type { TakeoffCase, TakeoffColumn, TakeoffResult } from '../takeoff/types.ts';
import { lengthOfLevelCalm } from '../takeoff/worth.ts';

/**
 * Distances from brake release to V1, VR and lift-off with an engine failure one second before V1, m on the actual runway:
 * on the actual surface, with the V1 of the answer.
 */
export const takeoffPoints = (
  profile: AircraftProfile,
  takeoff: TakeoffCase,
  { rating, flap, improvedKt, full, reduced }: TakeoffResult,
): TakeoffDrawingFacts['points'] => {
  const { takeoffPerformance: model } = profile;
  const { massKg, runway, weather } = takeoff;
  if (!model || massKg === undefined) return { full: null, reduced: null };
  const actual = atmosphere(pressureAltitude(runway.elevationM, weather.qnhPa), weather.temperatureK);
  const ratingShare = model.ratings[rating] ?? 1;
  const shared = { profile, model, takeoff, actual, rating, ratingShare, items: itemsOf(profile, takeoff) };
  const pointsOf = (column: TakeoffColumn | null): TakeoffPoints | null => {
    if (!column) return null;
    const { assumedTemperatureC: assumedC, speeds } = column;
    const kelvin = assumedC === null ? actual.temperatureK : toKelvin(assumedC);
    const { machine, grounds } = situationOf(shared, { flap, improvedKt }, kelvin);
    const [v1, vr] = [trueMps(machine, speeds.v1Kt), trueMps(machine, speeds.vrKt)];
    const actualLength = ({ surface }: Ground, levelCalmM: number): number => {
      const worth = surface.isDry ? model.worth.dry : model.worth.wet;
      return lengthOfLevelCalm(worth, levelCalmM, runway.slope, weather.headwindKt);
    };
    const ground = grounds.at(-1);
    if (!ground) return null;
    const { engines } = machine;
    const { fluid } = ground.surface;
    const failure = Math.max(0, v1 - Math.max(0, acceleration(machine, fluid, massKg, v1, engines)));
    const withAll = accelerate(machine, fluid, massKg, 0, failure, engines);
    const rolledTo = (mps: number): number =>
      withAll + accelerate(machine, fluid, massKg, failure, mps, engines - 1);
    const point = (levelCalmM: number): number | null => {
      const metres = actualLength(ground, levelCalmM);
      return Number.isFinite(metres) ? Math.round(metres) : null;
    };
    return {
      v1M: point(rolledTo(v1)),
      vrM: point(rolledTo(vr)),
      liftOffM: point(rolledTo(Math.max(v1, vr)) + model.rotationS * trueMps(machine, speeds.v2Kt)),
    };
  };
  return { full: pointsOf(full), reduced: pointsOf(reduced) };
};
