import { allEngineFactor, dryScreenM } from '../kernel/constants.ts';
import type { SpeedLaw } from '#domain/aircraft/profile-takeoff.ts';
import type { Roll } from '../kernel/ground-roll.ts';
import { groundRoll } from '../kernel/ground-roll.ts';
import { largest } from '../kernel/search.ts';
import { ktToMps } from '../kernel/units.ts';
import type { Machine, Surface } from './machine.ts';
import { accelerate, acceleration, gradientAt, trueMps } from './machine.ts';

const reactionS = 2;
/** Reverse is idle below this speed, as in the fits to wet runway limits. */
const reverseCutKt = 60;
/** Published lengths still grow steadily as the climb gradient nears zero; this width smooths the law there (1 = 100 %). */
const levelGradient = 0.01;
const v1Steps = 12;
/** Tolerance for balancing go and stop distances, m. */
const balanceM = 0.02;

/** Runway-independent speeds at a mass, kt CAS. */
export interface MassSpeeds {
  vrKt: number;
  v2Kt: number;
}

/** A difference of speeds (kt) by mass and thrust. */
export const lawKt = (law: SpeedLaw, { thrustShare }: Machine, massKg: number): number =>
  law.kt + (law.perTonne * massKg) / 1000 + law.perThrustLost * (1 - thrustShare);

/** VR and V2 at a mass before VMCG raises them. */
const tabled = (machine: Machine, massKg: number): MassSpeeds => {
  const { model, flap, thrustShare, vmcaKt, speedAddKt } = machine;
  const { factorKt, exponent } = flap.v2;
  const byWeightKt = factorKt * (massKg / 1000) ** exponent - model.v2PerThrustLostKt * (1 - thrustShare);
  const v2Kt = Math.max(byWeightKt, 1.1 * vmcaKt) + speedAddKt;
  return { vrKt: v2Kt - Math.max(0, flap.v2LessVrKt + lawKt(model.v2LessVr, machine, massKg)), v2Kt };
};

/**
 * VR and V2 at a mass: V2 by the flap's law and at least 1.1 VMCA; VR at least 1.05 VMCA and VMCG; raising VR raises V2 by as
 * much, so V2 is never below VR (25.107(c)(2)).
 */
export const speedsOf = (machine: Machine, massKg: number): MassSpeeds => {
  const { vrKt, v2Kt } = tabled(machine, massKg);
  const raised = Math.max(vrKt, 1.05 * machine.vmcaKt, machine.vmcgKt);
  return { vrKt: raised, v2Kt: v2Kt + raised - vrKt };
};

/** Weight (kg) below which tabulated VR would be under VMCG, so V1 and VR equal VMCG; null: never for this type. */
export const leastByTableKg = (machine: Machine, oewKg: number): number | null =>
  largest(oewKg, 2 * oewKg, (kg) => tabled(machine, kg).vrKt < machine.vmcgKt, 1);

/** Air distance (m) to the screen height. */
const airborne = (
  machine: Machine,
  massKg: number,
  v2Kt: number,
  engines: number,
  screenM: number,
): number => {
  const gradient = (kt: number): number => gradientAt(machine, massKg, kt, engines, machine.model.gearCd);
  // The speed increment for missing parts offsets their drag and gives no climb credit.
  const bare = machine.itemAddKt > 0 ? gradient(v2Kt - machine.itemAddKt) : Infinity;
  const steady = Math.min(gradient(v2Kt), bare);
  const climbing = 0.5 * (steady + Math.sqrt(steady * steady + 4 * levelGradient * levelGradient));
  const { rotationS, rotationAllEnginesS } = machine.model;
  const seconds = engines < machine.engines ? rotationS : rotationAllEnginesS;
  return seconds * trueMps(machine, v2Kt) + screenM / climbing;
};

/** Takeoff distance (m) when an engine fails one second before V1 (true m/s). */
export const goDistance = (
  machine: Machine,
  surface: Surface,
  massKg: number,
  speeds: MassSpeeds,
  v1Mps: number,
): number => {
  const { engines } = machine;
  const { fluid, screenM } = surface;
  const liftOff = Math.max(v1Mps, trueMps(machine, speeds.vrKt));
  const failure = Math.max(0, v1Mps - Math.max(0, acceleration(machine, fluid, massKg, v1Mps, engines)));
  return (
    accelerate(machine, fluid, massKg, 0, failure, engines) +
    accelerate(machine, fluid, massKg, failure, liftOff, engines - 1) +
    airborne(machine, massKg, speeds.v2Kt, engines - 1, screenM)
  );
};

/** Takeoff distance (m) with all engines to 35 ft, times 1.15. */
export const allEngineDistance = (
  machine: Machine,
  surface: Surface,
  massKg: number,
  speeds: MassSpeeds,
): number =>
  allEngineFactor *
  (accelerate(machine, surface.fluid, massKg, 0, trueMps(machine, speeds.vrKt), machine.engines) +
    airborne(machine, massKg, speeds.v2Kt, machine.engines, dryScreenM));

/** Accelerate-stop distance (m) of a V1 (true m/s). */
export const stopDistance = (machine: Machine, surface: Surface, massKg: number, v1Mps: number): number => {
  const { model, air, wingAreaM2, engines } = machine;
  const { stop } = model;
  const { fluid } = surface;
  const roll: Roll = {
    massKg,
    entryMps: v1Mps,
    headwindMps: 0,
    densityKgM3: air.densityKgM3,
    wingAreaM2,
    cl: 0,
    cd: stop.cd,
    slope: 0,
    friction: surface.friction,
    loadFactor: 1,
    torqueLimitN: Infinity,
    targetMps2: Infinity,
    idleForwardN: 0,
    reversibleIdleN: 0,
    reverseN: surface.reverseN,
    coastReverseN: 0,
    reverseCutMps: ktToMps(reverseCutKt),
    reverseDelayS: 0,
    brakeDelayS: 0,
    // Fluid drag gets no credit in the stop: more of it must never allow more weight.
    fluidDrag: 0,
    fluidPlaningMps: Infinity,
  };
  return (
    accelerate(machine, fluid, massKg, 0, v1Mps, engines) +
    v1Mps * (reactionS + stop.transitionS) +
    surface.stopFactor * groundRoll(roll).distanceM
  );
};

/**
 * Root of an increasing function of V1, or the nearer end of the range: false position (Illinois), bisection
 * where a value is infinite.
 */
const crossing = (from: number, to: number, excess: (v: number) => number): number => {
  let [low, high] = [from, to];
  let [atLow, atHigh] = [excess(low), excess(high)];
  if (!(atLow < 0)) return low;
  if (!(atHigh > 0)) return high;
  let side = 0;
  let middle = low;
  for (let i = 0; i < v1Steps; i += 1) {
    const finite = Number.isFinite(atLow) && Number.isFinite(atHigh);
    middle = finite ? (low * atHigh - high * atLow) / (atHigh - atLow) : 0.5 * (low + high);
    const value = excess(middle);
    if (Math.abs(value) < balanceM) break;
    if (value < 0) {
      low = middle;
      atLow = value;
      if (side < 0) atHigh *= 0.5;
      side = -1;
    } else {
      high = middle;
      atHigh = value;
      if (side > 0) atLow *= 0.5;
      side = 1;
    }
  }
  return middle;
};

/** Distances of one mass at its V1 (kt CAS), on a level runway without wind, m. */
export interface FieldDistances {
  v1Kt: number;
  goM: number;
  stopM: number;
}

/**
 * V1 between VMCG and VR at which go and stop distances use the same share of what is available, with those distances.
 * `stopShare` is the ASDA over the TODA.
 */
export const balanced = (
  machine: Machine,
  surface: Surface,
  massKg: number,
  speeds: MassSpeeds,
  stopShare = 1,
): FieldDistances => {
  const perKt = trueMps(machine, 1);
  const stopAt = (v: number): number => stopDistance(machine, surface, massKg, v * perKt);
  const goAt = (v: number): number => goDistance(machine, surface, massKg, speeds, v * perKt);
  const excess = (v: number): number => stopAt(v) - goAt(v) * stopShare;
  const v1Kt = crossing(machine.vmcgKt, speeds.vrKt, excess);
  return { v1Kt, goM: goAt(v1Kt), stopM: stopAt(v1Kt) };
};

/** Balanced field length (m) at a mass. */
export const fieldLength = (machine: Machine, surface: Surface, massKg: number): number => {
  const speeds = speedsOf(machine, massKg);
  const { goM, stopM } = balanced(machine, surface, massKg, speeds);
  return Math.max(goM, stopM, allEngineDistance(machine, surface, massKg, speeds));
};
