/** Net flight path over the ground after an engine failure: straight, in banked turns, and after the takeoff thrust time limit. */
import { dryScreenM as clearanceM } from '../kernel/constants.ts';
import { gravity, ktToMps, mpsToKt } from '../kernel/units.ts';
import { climbKt, finalSegment, netLoss, secondSegment } from './climb.ts';
import { allEngineDistance, goDistance, speedsOf } from './field.ts';
import { massOn } from './ground.ts';
import type { Ground, Situation } from './ground.ts';
import { withItems } from './items.ts';
import { trueMps } from './machine.ts';
import { cleanSpeedKt } from './retraction.ts';
import type { DepartureTurn, TakeoffCase } from './types.ts';

/** Above this bank, turns need more speed, height and obstacle clearance (CAT.POL.A.210). */
const usualBankDeg = 15;
const steepClearanceM = 15.24;
/** Minimum net heights to start a turn, and a turn at a higher bank. */
const leastTurnM = 15.24;
const leastSteepTurnM = 121.92;
/** Takeoff thrust time limit with one engine inoperative, from brake release. */
const takeoffThrustS = 600;

/** Credited wind (m/s): half the headwind or 1.5 times the tailwind (25.105(d)). */
export const creditedWindMps = (headwindMps: number): number => headwindMps * (headwindMps > 0 ? 0.5 : 1.5);

/**
 * Wind correction of an obstacle limit (kg), positive for a loss: a share of the maximum takeoff
 * weight plus one of the actual weight per knot, as published for the 737-800 and any obstacle.
 */
export const windLossKg = (headwindKt: number, mstowKg: number, massKg: number): number =>
  headwindKt < 0
    ? -headwindKt * (0.0038 * mstowKg + 0.0019 * massKg)
    : -headwindKt * Math.max(0, 0.0025 * mstowKg - 0.002 * massKg);

/** Path leg of constant gradient over the ground, from a distance on. */
interface Leg {
  fromM: number;
  gradient: number;
  turn: DepartureTurn | null;
}

/** Turns along the path, each with its headwind (m/s) at start and end, since a crosswind may become a tailwind. */
const turnsOf = ({ turns = [], weather }: TakeoffCase): { turn: DepartureTurn; windsMps: number[] }[] => {
  const { headwindMps, crosswindMps = 0 } = weather;
  let headingDeg = 0;
  return turns
    .toSorted((a, b) => a.distanceM - b.distanceM)
    .map((turn) => {
      const windsMps = [0, 0.25, 0.5, 0.75, 1].map((part) => {
        const change = ((headingDeg + part * turn.headingChangeDeg) * Math.PI) / 180;
        return headwindMps * Math.cos(change) - Math.abs(crosswindMps * Math.sin(change));
      });
      headingDeg += turn.headingChangeDeg;
      return { turn, windsMps };
    });
};

/** Lowest headwind (kt) along the path. */
export const leastWindKt = (takeoff: TakeoffCase): number =>
  mpsToKt(Math.min(takeoff.weather.headwindMps, ...turnsOf(takeoff).flatMap(({ windsMps }) => windsMps)));

/** Brake release point after lining up, m from the start of the takeoff run; path distances start here. */
const releaseM = ({ takeoff, declared }: Situation): number => takeoff.runway.todaM - declared.todaM;

/** Path legs at a mass from the end of the takeoff distance (m from the start of the takeoff run). */
const legsOf = (situation: Situation, massKg: number, endM: number): Leg[] => {
  const { profile, machine, takeoff, items } = situation;
  const loss = netLoss(machine.engines);
  const still = trueMps(machine, speedsOf(machine, massKg).v2Kt);
  const overGround = (gross: number, windMps: number, airMps = still): number =>
    (gross - loss) * (airMps / Math.max(1, airMps - windMps));
  const straight = withItems(items, massKg, (kg) => secondSegment(machine, kg));
  let wind = creditedWindMps(takeoff.weather.headwindMps);
  const legs: Leg[] = [{ fromM: endM, gradient: overGround(straight, wind), turn: null }];
  for (const { turn, windsMps } of turnsOf(takeoff)) {
    const { headingChangeDeg, bankDeg, distanceM } = turn;
    const winds = windsMps.map(creditedWindMps);
    wind = winds.at(-1) ?? wind;
    // At bank angles of 20 and 25 degrees V2 increases by 5 and 10 kt.
    const mps = trueMps(machine, climbKt(machine, massKg) + Math.max(0, bankDeg - usualBankDeg));
    const ground = mps - Math.min(0, ...winds);
    const radiusM = ground ** 2 / (gravity * Math.tan((bankDeg * Math.PI) / 180));
    const banked = withItems(items, massKg, (kg) => secondSegment(machine, kg, bankDeg));
    const fromM = Math.max(distanceM, legs.at(-1)?.fromM ?? endM);
    const lengthM = (radiusM * Math.abs(headingChangeDeg) * Math.PI) / 180;
    legs.push(
      { fromM, gradient: Math.min(...winds.map((mpsAhead) => overGround(banked, mpsAhead))), turn },
      { fromM: fromM + lengthM, gradient: overGround(straight, wind), turn: null },
    );
  }
  // The ground roll takes about twice as long as the same distance at V2.
  const rollM = endM - releaseM(situation);
  const limitM = Math.max(endM, endM - 2 * rollM + (still - wind) * takeoffThrustS);
  const kept = legs.filter(({ fromM }) => fromM < limitM);
  const level = { fromM: limitM, gradient: 0, turn: null };
  const cleanKt = cleanSpeedKt(profile, machine.model, massKg);
  const final = withItems(items, massKg, (kg) => finalSegment(profile, machine, kg));
  if (cleanKt === null || final === null || final <= loss) return [...kept, level];
  const clean = ktToMps(cleanKt) / machine.final.air.rootSigma;
  const pull = Math.max(1e-3, 0.5 * (Math.max(0, straight - loss) + final - loss));
  const acceleratedM = limitM + Math.max(0, clean ** 2 - still ** 2) / (2 * gravity * pull);
  return [...kept, level, { fromM: acceleratedM, gradient: overGround(final, wind, clean), turn: null }];
};

/** Net height (m) above the runway at a distance (m) along the path. */
const heightAt = (legs: readonly Leg[], screenM: number, distanceM: number): number => {
  let heightM = screenM;
  for (const [i, { fromM, gradient }] of legs.entries()) {
    const toM = Math.min(distanceM, legs[i + 1]?.fromM ?? Infinity);
    if (toM > fromM) heightM += gradient * (toM - fromM);
  }
  return heightM;
};

const isSteep = (turn: DepartureTurn | null | undefined): boolean => (turn?.bankDeg ?? 0) > usualBankDeg;

/** Whether the net path from a V1 (true m/s) on one surface clears obstacles and starts turns high enough. */
export const pathHolds = (situation: Situation, ground: Ground, massKg: number, v1Mps: number): boolean => {
  const { machine, takeoff, declared } = situation;
  const rollKg = massOn(ground, massKg);
  const speeds = speedsOf(machine, rollKg);
  const goM = goDistance(machine, ground.surface, rollKg, speeds, v1Mps);
  const allM = allEngineDistance(machine, ground.surface, rollKg, speeds);
  const rollM = (Math.max(goM, allM) * declared.todaM) / Math.max(1, ground.todaM);
  const endM = releaseM(situation) + rollM;
  if (!Number.isFinite(endM)) return false;
  const legs = legsOf(situation, massKg, endM);
  const { screenM } = ground;
  const turnsHold = legs.every(
    ({ turn, fromM }) =>
      turn === null ||
      (turn.distanceM >= endM &&
        heightAt(legs, screenM, fromM) >= (isSteep(turn) ? leastSteepTurnM : leastTurnM)),
  );
  return (
    turnsHold &&
    takeoff.obstacles.every(({ distanceM, heightM }) => {
      const leg = legs.findLast(({ fromM }) => fromM <= distanceM);
      const clearM = isSteep(leg?.turn) ? steepClearanceM : clearanceM;
      return distanceM >= endM && heightAt(legs, screenM, distanceM) >= heightM + clearM;
    })
  );
};
