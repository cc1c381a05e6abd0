import type { TakeoffFlap } from '#domain/aircraft/profile-takeoff.ts';
import { ktToMps } from '../kernel/units.ts';
import { linear } from '../kernel/interpolate.ts';
import { largest } from '../kernel/search.ts';
import { brakeEnergy, energyReferenceMps, stopEnergy } from './brakes.ts';
import {
  finalSegment,
  firstSegment,
  leastFinalSegment,
  leastFirstSegment,
  leastSecondSegment,
  secondSegment,
} from './climb.ts';
import { allEngineDistance, balanced, goDistance, leastByTableKg, speedsOf, stopDistance } from './field.ts';
import type { MassSpeeds } from './field.ts';
import type { Ground, Situation } from './ground.ts';
import { withItems } from './items.ts';
import type { Machine, Surface } from './machine.ts';
import { trueMps } from './machine.ts';
import { creditedWindMps, pathHolds } from './path.ts';
import type { LimitCode, LimitWeights } from './types.ts';
import { wetUpToMm } from './surface.ts';

const toleranceKg = 1;
const climbReferenceM = 3000;
const [shortestGainM, longestGainM] = [1000, 4500];
/** Lift-off is about this much above VR, kt. */
const liftOffAboveVrKt = 4;

/** Whether a mass can both go and stop on each surface at some V1. */
export const fieldHolds = ({ machine, grounds, items }: Situation, takeoffKg: number): boolean => {
  const massKg = takeoffKg + items.fieldLessKg;
  const speeds = speedsOf(machine, massKg);
  return grounds.every(({ surface, asdaM, todaM, toraM }) => {
    if (allEngineDistance(machine, surface, massKg, speeds) > Math.min(todaM, allEngineRun(toraM)))
      return false;
    const lengthM = Math.min(todaM, engineOutRun(toraM, surface));
    const { goM, stopM } = balanced(machine, surface, massKg, speeds, asdaM / lengthM);
    return goM <= lengthM + balanceM && stopM <= asdaM + balanceM;
  });
};

/** Going and stopping are balanced within this, m. */
const balanceM = 0.5;
/** Half of the air part may be over a clearway; the air part is about a fifth of the distance. */
const engineOutRun = (toraM: number, surface: Surface): number =>
  surface.isDry ? toraM * 1.1 : toraM * 1.04;
const allEngineRun = (toraM: number): number => toraM * 1.1;

/** Factor on the climb limit of a level, calm runway length (m): speed that a longer one gives, squared, is climbed with. */
export const climbGain = (
  { climbByLength, climbByLengthCurve: curve }: TakeoffFlap,
  lengthM: number,
): number => {
  const most = curve < 0 ? -climbByLength / (2 * curve) : Infinity;
  const within = Math.min(longestGainM, Math.max(shortestGainM, lengthM));
  const long = Math.min(most, Math.log(within / climbReferenceM));
  return 1 + climbByLength * long + curve * long * long;
};

/** Whether every segment of the climb holds; a long runway gives speed for the second where the profile says so. */
export const climbHolds = ({ profile, machine, grounds, items }: Situation, massKg: number): boolean => {
  const { engines } = machine;
  const gain = climbGain(machine.flap, grounds[0]?.todaM ?? climbReferenceM);
  const second = withItems(items, massKg, (kg) => secondSegment(machine, kg / gain));
  if (second < leastSecondSegment(engines)) return false;
  const first = withItems(items, massKg, (kg) => firstSegment(machine, kg / gain));
  if (first < leastFirstSegment(engines)) return false;
  const final = withItems(items, massKg, (kg) => finalSegment(profile, machine, kg));
  return final === null || final >= leastFinalSegment(engines);
};

/** Whether the lift-off is within the speed of the tyres over the ground. */
const tyreHolds = ({ profile, machine, takeoff }: Situation, massKg: number): boolean => {
  const kt = speedsOf(machine, massKg).vrKt + liftOffAboveVrKt;
  const ground = trueMps(machine, kt) - creditedWindMps(takeoff.weather.headwindKt);
  return ground <= ktToMps(profile.limits.tireSpeedKt);
};

/** Lowest V1 (kt) from which a mass can go on, within VMCG and VR; null when it cannot even from VR. */
export const lowestGo = (
  machine: Machine,
  { surface, todaM, toraM }: Ground,
  massKg: number,
  speeds: MassSpeeds,
): number | null => {
  const lengthM = Math.min(todaM, engineOutRun(toraM, surface));
  const { vmcgKt } = machine;
  const goes = (below: number): boolean =>
    goDistance(machine, surface, massKg, speeds, trueMps(machine, speeds.vrKt - below)) <= lengthM;
  const below = largest(0, speeds.vrKt - vmcgKt, goes, 0.05);
  return below === null ? null : speeds.vrKt - below;
};

/** Highest V1 (kt) from which a mass can stop, within VMCG and VR; null when it cannot even from VMCG. */
export const highestStop = (
  machine: Machine,
  { surface, asdaM }: Ground,
  massKg: number,
  speeds: MassSpeeds,
): number | null =>
  largest(
    machine.vmcgKt,
    speeds.vrKt,
    (kt) => stopDistance(machine, surface, massKg, trueMps(machine, kt)) <= asdaM,
    0.05,
  );

/** Highest V1 (kt) whose energy the brakes take: V1MBE. */
export const brakeSpeed = ({ machine, takeoff, items, grounds }: Situation, massKg: number): number => {
  const energyJ = brakeEnergy(machine, grounds[0]?.asdaM ?? climbReferenceM) / items.brakeEnergyFactor;
  const { windShare, speedExponent } = machine.model.brakeEnergyLaw;
  const wind = windShare * creditedWindMps(takeoff.weather.headwindKt);
  const share = energyJ / stopEnergy(machine, massKg, energyReferenceMps);
  return (energyReferenceMps * share ** (1 / speedExponent) + wind) / trueMps(machine, 1);
};

/** Whether V1MBE is at or above VR, so that it never lowers V1. */
const brakeHolds = (situation: Situation, massKg: number): boolean =>
  speedsOf(situation.machine, massKg).vrKt <= brakeSpeed(situation, massKg);

/** Whether the net path of the highest V1 clears every obstacle, from the end of the takeoff distance on. */
const obstacleHolds = (situation: Situation, massKg: number): boolean => {
  const { machine, grounds } = situation;
  return grounds.every((ground) => {
    const v1Kt = highestStop(machine, ground, massKg, speedsOf(machine, massKg));
    return v1Kt !== null && pathHolds(situation, ground, massKg, trueMps(machine, v1Kt));
  });
};

/** Whether a path is given: without obstacles and turns nothing is below it. */
const hasPath = ({ takeoff }: Situation): boolean =>
  takeoff.obstacles.length > 0 || (takeoff.turns ?? []).length > 0;

/** Whether every limit of performance holds at a mass. */
export const allHold = (situation: Situation, massKg: number): boolean =>
  climbHolds(situation, massKg) &&
  tyreHolds(situation, massKg) &&
  fieldHolds(situation, massKg) &&
  brakeHolds(situation, massKg) &&
  (!hasPath(situation) || obstacleHolds(situation, massKg));

/** Each limit weight by itself. */
export const limitWeights = (situation: Situation): LimitWeights => {
  const { profile, machine } = situation;
  const low = profile.weight.oew * 0.6;
  const high = profile.weight.mstow * 1.8;
  const limit = (holds: (of: Situation, massKg: number) => boolean, most = high): number => {
    const top = Math.min(most, high);
    return largest(low, top, (kg) => holds(situation, kg), toleranceKg) ?? 0;
  };
  const { field, climb } = machine.model.mostPublishedKg;
  const lessKg = decrementKg(situation);
  const dryGround = { ...situation, grounds: situation.grounds.slice(0, 1) };
  const fieldKg = (): number => {
    if (lessKg === 0) return limit(fieldHolds, field);
    const lessThanDryKg = Math.max(0, limit((_of, kg) => fieldHolds(dryGround, kg), field) - lessKg);
    return machine.model.contaminated?.hasOwnDecrements
      ? lessThanDryKg
      : Math.min(lessThanDryKg, limit(fieldHolds, field));
  };
  const unlimited = (kg: number): number | null => (kg >= high ? null : kg);
  return {
    structKg: profile.weight.mstow,
    fieldKg: unlimited(fieldKg()),
    climbKg: unlimited(limit(climbHolds, climb)),
    obstacleKg: hasPath(situation) ? unlimited(limit(obstacleHolds)) : null,
    tyreKg: unlimited(limit(tyreHolds)),
    brakeKg: machine.model.brakeEnergyJ === null ? null : unlimited(limit(brakeHolds)),
    vmcMinimumKg: leastByTableKg(machine, profile.weight.oew),
  };
};

/**
 * Least loss (kg) of a contaminated runway against the dry field limit. Published losses are larger than those of the AMC
 * alone; between the depths of the tables, and from 3 mm, where nothing is lost yet, they are interpolated.
 */
export const decrementKg = ({ machine, takeoff, grounds }: Situation): number => {
  const { state, depthM } = takeoff.condition;
  const rows = (machine.model.contaminated?.decrements ?? []).filter((row) => row.state === state);
  const km = (grounds[0]?.todaM ?? 0) / 1000;
  const points = rows.map(({ depthMm, kg: [a, b] }): [number, number] => [depthMm, Math.max(0, a + b * km)]);
  if (points.length === 0) return 0;
  const [first] = points;
  if (first && first[0] > wetUpToMm) points.unshift([wetUpToMm, 0]);
  const least = points.length === 1 ? first?.[1] : linear(points, depthM * 1000);
  return least ?? 0;
};

/** Limits from the lowest up. */
export const ranked = (limits: LimitWeights): { code: LimitCode; kg: number }[] => {
  const all: [LimitCode, number | null][] = [
    ['FIELD', limits.fieldKg],
    ['CLIMB', limits.climbKg],
    ['OBSTACLE', limits.obstacleKg],
    ['TYRE', limits.tyreKg],
    ['BRAKE', limits.brakeKg],
    ['STRUCT', limits.structKg],
  ];
  return all.flatMap(([code, kg]) => (kg === null ? [] : [{ code, kg }])).toSorted((a, b) => a.kg - b.kg);
};
