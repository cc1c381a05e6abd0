import type { TakeoffFlap } from '#domain/aircraft/profile-takeoff.ts';
import { ktToMps } from '../kernel/units.ts';
import { largest } from '../kernel/search.ts';
import { brakeSpeed } from './brakes.ts';
import {
  finalSegment,
  firstSegment,
  leastFinalSegment,
  leastFirstSegment,
  leastSecondSegment,
  secondSegment,
} from './climb.ts';
import { fieldHolds, pathSpeeds } from './decision.ts';
import { leastByTableKg, speedsOf } from './field.ts';
import { calmOf } from './ground.ts';
import type { Situation } from './ground.ts';
import { withItems } from './items.ts';
import { trueMps } from './machine.ts';
import { creditedWindMps, leastWindKt, pathHolds, windLossKg } from './path.ts';
import type { LimitCode, LimitWeights } from './types.ts';

const toleranceKg = 1;
const climbReferenceM = 3000;
const [shortestGainM, longestGainM] = [1000, 4500];
/** Lift-off is about this much above VR, kt. */
const liftOffAboveVrKt = 4;

/** Climb limit factor for a level, calm runway length (m): a longer runway allows a higher climb speed. */
export const climbGain = (
  { climbByLength, climbByLengthCurve: curve }: TakeoffFlap,
  lengthM: number,
): number => {
  const most = curve < 0 ? -climbByLength / (2 * curve) : Infinity;
  const within = Math.min(longestGainM, Math.max(shortestGainM, lengthM));
  const long = Math.min(most, Math.log(within / climbReferenceM));
  return 1 + climbByLength * long + curve * long * long;
};

/** Whether every climb segment meets its gradient; on a long runway the profile may allow a higher speed for the second. */
const climbHolds = ({ profile, machine, grounds, items }: Situation, massKg: number): boolean => {
  const { engines } = machine;
  const gain = climbGain(machine.flap, grounds[0].todaM);
  const second = withItems(items, massKg, (kg) => secondSegment(machine, kg / gain));
  if (second < leastSecondSegment(engines)) return false;
  const first = withItems(items, massKg, (kg) => firstSegment(machine, kg / gain));
  if (first < leastFirstSegment(engines)) return false;
  const final = withItems(items, massKg, (kg) => finalSegment(profile, machine, kg));
  return final === null || final >= leastFinalSegment(engines);
};

/** Whether lift-off ground speed is within the tyre speed limit. */
const tyreHolds = ({ profile, machine, takeoff }: Situation, massKg: number): boolean => {
  const kt = speedsOf(machine, massKg).vrKt + liftOffAboveVrKt;
  const ground = trueMps(machine, kt) - creditedWindMps(takeoff.weather.headwindMps);
  return ground <= ktToMps(profile.limits.tireSpeedKt);
};

/** Whether V1MBE is at or above VR, so that it never lowers V1. */
const brakeHolds = (situation: Situation, massKg: number): boolean =>
  speedsOf(situation.machine, massKg).vrKt <= brakeSpeed(situation, massKg);

/** Whether the net path from the V1 of each surface clears every obstacle, from the end of the takeoff distance on. */
const pathClears = (situation: Situation, massKg: number): boolean => {
  const { machine, grounds } = situation;
  const v1Kt = pathSpeeds(situation, massKg);
  return grounds.every((ground, i) => {
    const kt = v1Kt[i] ?? null;
    return kt !== null && pathHolds(situation, ground, massKg, trueMps(machine, kt));
  });
};

/** Whether the path clears in the wind, and in calm air at the weight plus the published wind correction. */
const obstacleHolds = (situation: Situation, massKg: number): boolean => {
  const { profile, takeoff } = situation;
  const calmKg = massKg + windLossKg(leastWindKt(takeoff), profile.weight.mstow, massKg);
  return pathClears(situation, massKg) && (calmKg === massKg || pathClears(calmOf(situation), calmKg));
};

/** Whether the case has a departure path: obstacles or turns. */
const hasPath = ({ takeoff }: Situation): boolean =>
  takeoff.obstacles.length > 0 || (takeoff.turns ?? []).length > 0;

/** Whether every performance limit holds at a mass. */
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
  const { climb } = machine.model.mostPublishedKg;
  const unlimited = (kg: number): number | null => (kg >= high ? null : kg);
  return {
    structKg: profile.weight.mstow,
    fieldKg: unlimited(limit(fieldHolds)),
    climbKg: unlimited(limit(climbHolds, climb)),
    obstacleKg: hasPath(situation) ? unlimited(limit(obstacleHolds)) : null,
    tyreKg: unlimited(limit(tyreHolds)),
    brakeKg: machine.model.brakeEnergyJ === null ? null : unlimited(limit(brakeHolds)),
    vmcMinimumKg: leastByTableKg(machine, profile.weight.oew),
  };
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
