/** V1 on each takeoff surface: by the type's rule, within what the runway allows. */
import type { V1Law } from '#domain/aircraft/profile-takeoff.ts';
import { largest } from '../kernel/search.ts';
import { mpsToKt } from '../kernel/units.ts';
import { brakeSpeed } from './brakes.ts';
import { allEngineDistance, balanced, goDistance, lawKt, speedsOf, stopDistance } from './field.ts';
import type { FieldDistances, MassSpeeds } from './field.ts';
import { massOn } from './ground.ts';
import type { Ground, Situation } from './ground.ts';
import type { Machine, Surface } from './machine.ts';
import { trueMps } from './machine.ts';
import { isContaminant } from './surface.ts';
import type { DecisionSpeed } from './types.ts';

const toleranceKt = 0.05;

/** Half the air distance may be over a clearway; the air distance is about a fifth of the total. */
const engineOutRun = (toraM: number, surface: Surface): number =>
  surface.isDry ? toraM * 1.1 : toraM * 1.04;
const allEngineRun = (toraM: number): number => toraM * 1.1;

/** Distances a mass needs on one surface at the balanced V1. */
interface Need extends FieldDistances {
  massKg: number;
  speeds: MassSpeeds;
  goLimitM: number;
  /** the balanced V1 fits both go and stop distances, and the all-engine takeoff fits */
  holds: boolean;
}

const needOf = ({ machine }: Situation, ground: Ground, takeoffKg: number): Need => {
  const { surface, asdaM, todaM, toraM } = ground;
  const massKg = massOn(ground, takeoffKg);
  const speeds = speedsOf(machine, massKg);
  const goLimitM = Math.min(todaM, engineOutRun(toraM, surface));
  const even = balanced(machine, surface, massKg, speeds, asdaM / goLimitM);
  const holds =
    massKg <= (machine.model.mostPublishedKg.field ?? Infinity) &&
    even.goM <= goLimitM &&
    even.stopM <= asdaM &&
    allEngineDistance(machine, surface, massKg, speeds) <= Math.min(todaM, allEngineRun(toraM));
  return { ...even, massKg, speeds, goLimitM, holds };
};

/** Whether a mass can both continue and stop on each surface at some V1. */
export const fieldHolds = (situation: Situation, takeoffKg: number): boolean =>
  situation.grounds.every(
    (ground) => needOf(situation, ground, takeoffKg + situation.items.fieldWeightDecrementKg).holds,
  );

/** V1 (kt) by the manufacturer's rule for weight, thrust, slope and wind. */
export const ruleKt = (
  machine: Machine,
  { belowVr, ...add }: V1Law,
  { slope, headwindKt }: { slope: number; headwindKt: number },
  massKg: number,
): number => {
  const { vrKt } = speedsOf(machine, massKg);
  const percentTonnes = (slope * massKg) / 10;
  const bySlope = percentTonnes * (slope > 0 ? add.uphill : add.downhill);
  const byWind = headwindKt * (headwindKt > 0 ? add.headwind : add.tailwind);
  return Math.min(vrKt, vrKt - lawKt(belowVr, machine, massKg) + bySlope + byWind);
};

/** Scheduled V1 (kt) where the runway allows it, with its basis. */
const wanted = (
  { machine, takeoff }: Situation,
  { asdaM, surface }: Ground,
  need: Need,
): Pick<DecisionSpeed, 'v1Kt' | 'basis'> => {
  const { v1 } = machine.model;
  const even = { v1Kt: need.v1Kt, basis: 'BALANCED' as const };
  if (v1 === 'balanced') return even;
  if ('dry' in v1) {
    const { slope } = takeoff.runway;
    const at = { slope, headwindKt: mpsToKt(takeoff.weather.headwindMps) };
    const kt = ruleKt(machine, surface.isDry ? v1.dry : v1.wet, at, need.massKg);
    // The rule is for a wet runway; a worse surface needs a lower V1 to stop.
    return isContaminant(takeoff.condition.state) && !surface.isDry && need.v1Kt < kt
      ? even
      : { v1Kt: kt, basis: 'RULE' };
  }
  const share = Math.max(need.goM / need.goLimitM, need.stopM / asdaM);
  const below = v1.belowVrKt * Math.max(0, (share - v1.fromShare) / (1 - v1.fromShare));
  return { v1Kt: need.speeds.vrKt - below, basis: 'RULE' };
};

const decisionOn = (
  situation: Situation,
  ground: Ground,
  takeoffKg: number,
  mostKt: number,
): DecisionSpeed => {
  const { machine } = situation;
  const { surface, asdaM } = ground;
  const need = needOf(situation, ground, takeoffKg);
  const { speeds, massKg, goLimitM, holds, v1Kt: evenKt } = need;
  if (!holds) return { v1Kt: evenKt, v1MinKt: null, v1MaxKt: null, basis: 'BALANCED' };
  const goes = (belowKt: number): boolean =>
    goDistance(machine, surface, massKg, speeds, trueMps(machine, evenKt - belowKt)) <= goLimitM;
  const stops = (kt: number): boolean =>
    stopDistance(machine, surface, massKg, trueMps(machine, kt)) <= asdaM;
  const v1MinKt = evenKt - (largest(0, evenKt - machine.vmcgKt, goes, toleranceKt) ?? 0);
  const stopKt = largest(evenKt, speeds.vrKt, stops, toleranceKt) ?? evenKt;
  const v1MaxKt = Math.max(v1MinKt, Math.min(stopKt, brakeSpeed(situation, takeoffKg)));
  const rule = wanted(situation, ground, need);
  const ruledKt = Math.max(machine.vmcgKt, Math.min(rule.v1Kt, mostKt));
  const v1Kt = Math.min(v1MaxKt, Math.max(v1MinKt, ruledKt));
  const basis = v1Kt > ruledKt ? 'GO' : v1Kt < ruledKt ? 'STOP' : rule.basis;
  return { v1Kt, v1MinKt, v1MaxKt, basis };
};

/** V1 on each surface; wet or contaminated V1 never exceeds dry V1 unless the aircraft could not continue from it. */
export const decisionsOf = (situation: Situation, massKg: number): DecisionSpeed[] => {
  let mostKt = Infinity;
  return situation.grounds.map((ground) => {
    const decision = decisionOn(situation, ground, massKg, mostKt);
    if (ground.loss === null) mostKt = Math.min(mostKt, decision.v1Kt);
    return decision;
  });
};

/** V1 (kt) on each surface from which the obstacle path starts, at most the scheduled one; null: it cannot stop. */
export const pathSpeeds = (situation: Situation, takeoffKg: number): (number | null)[] => {
  const { machine, grounds } = situation;
  let mostKt = Infinity;
  return grounds.map((ground) => {
    const need = needOf(situation, ground, takeoffKg);
    const { massKg, speeds } = need;
    const stops = (kt: number): boolean =>
      stopDistance(machine, ground.surface, massKg, trueMps(machine, kt)) <= ground.asdaM;
    const stopKt = largest(machine.vmcgKt, speeds.vrKt, stops, toleranceKt);
    if (stopKt === null) return null;
    const v1Kt = Math.max(machine.vmcgKt, Math.min(wanted(situation, ground, need).v1Kt, stopKt, mostKt));
    if (ground.loss === null) mostKt = Math.min(mostKt, v1Kt);
    return v1Kt;
  });
};
