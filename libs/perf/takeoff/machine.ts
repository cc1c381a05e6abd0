import { leastAccelerationMps2, planingDecay, seaLevelDensityKgM3 } from '../kernel/constants.ts';
import type { TakeoffFlap, TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import type { FrictionLaw } from '../kernel/friction.ts';
import { goAroundThrust } from '../kernel/thrust.ts';
import { gravity, ktToMps, mToFt } from '../kernel/units.ts';

/** Loose or fluid contaminant of the runway. */
interface Fluid {
  /** drag of the fluid and its spray over V^2 (AMC 25.1591) */
  dragNs2M2: number;
  /** ground speed above which tyres plane, m/s */
  planingMps: number;
}

/** Takeoff surface: stopping friction, screen height, reversers and contaminant. */
export interface Surface {
  isDry: boolean;
  friction: FrictionLaw;
  screenM: number;
  /** reverse thrust in the stop after an engine failure, and the part that inoperative reversers lose, N */
  reverseN: number;
  lostReverseN: number;
  /** braking coefficient that scales the loss of reversers */
  referenceMu: number;
  /** factor on the braked part of a stop, for inoperative items */
  stopFactor: number;
  fluid: Fluid | null;
}

/** One aircraft on a level runway without wind, at one temperature and thrust; SI. */
export interface Machine {
  engines: number;
  wingAreaM2: number;
  model: TakeoffPerformance;
  flap: TakeoffFlap;
  air: Atmosphere;
  /** thrust of one engine at rest in the climb and on the ground, N */
  thrustN: number;
  groundThrustN: number;
  /** thrust as a share of full rated thrust at sea level ISA, at most 1 */
  thrustShare: number;
  vmcgKt: number;
  vmcaKt: number;
  /** added to VR and V2 for missing parts and improved climb, kt */
  speedAddKt: number;
  /** part of `speedAddKt` for missing parts, which brings no climb credit, kt */
  itemAddKt: number;
  /** at the acceleration height: air, and maximum continuous thrust of one engine at rest, N */
  final: { air: Atmosphere; thrustN: number };
}

/** ISA deviation (K) up to which thrust is flat rated at a pressure altitude (m): TREF. */
export const flatRating = ({ thrust }: TakeoffPerformance, pressureAltitudeM: number): number => {
  const aboveFt = Math.max(0, mToFt(pressureAltitudeM) - thrust.flatRatingFallsFromFt);
  return thrust.flatRatedToIsaPlusC - (thrust.flatRatingFallsCPerKft * aboveFt) / 1000;
};

/** Thrust (N) of one engine at rest at full rating with packs on. */
export const staticThrust = (model: TakeoffPerformance, air: Atmosphere): number => {
  const { thrust } = model;
  const flatRatedToIsaPlusC = flatRating(model, air.pressureAltitudeM);
  const cold = Math.max(0, flatRatedToIsaPlusC - air.isaDeviationK);
  const law = { ...thrust, flatRatedToIsaPlusC, goAroundStaticPerEngineN: thrust.staticPerEngineN };
  return goAroundThrust(law, air) * (1 + thrust.coldPerC * cold);
};

/**
 * Displacement and spray drag (N) at a ground speed in m/s. With an engine out, planing does not reduce it: otherwise an aircraft
 * could continue from speeds that only a heavier one reaches.
 */
const fluidDrag = (fluid: Fluid | null, v: number, isEngineOut: boolean): number => {
  if (!fluid) return 0;
  const { dragNs2M2, planingMps } = fluid;
  const falls = v <= planingMps ? 0 : isEngineOut ? 2 : planingDecay;
  return dragNs2M2 * v * v * (planingMps / v) ** falls;
};

/** Acceleration (m/s2) on a number of engines at a speed (m/s). */
export const acceleration = (
  machine: Machine,
  fluid: Fluid | null,
  massKg: number,
  v: number,
  engines: number,
): number => {
  const { model, flap } = machine;
  const qS = 0.5 * machine.air.densityKgM3 * v * v * machine.wingAreaM2;
  const thrust = engines * machine.groundThrustN * (1 - model.thrust.lossPerMps * v);
  const isEngineOut = engines < machine.engines;
  const cd = flap.groundCd + (isEngineOut ? model.asymmetryCd : 0);
  return (thrust - cd * qS - fluidDrag(fluid, v, isEngineOut)) / massKg - gravity * model.rollingFriction;
};

/** Gauss-Legendre nodes and weights of [0, 1]; five give the distance within 0.01 %. */
const nodes = [0.04691007703, 0.23076534495, 0.5, 0.76923465505, 0.95308992297];
const weights = [0.11846344253, 0.23931433525, 0.28444444444, 0.23931433525, 0.11846344253];

/** Distance (m) to accelerate between two speeds (m/s) on a number of engines; Infinity if it cannot. */
export const accelerate = (
  machine: Machine,
  fluid: Fluid | null,
  massKg: number,
  from: number,
  to: number,
  engines: number,
): number => {
  if (fluid && from < fluid.planingMps && to > fluid.planingMps) {
    const { planingMps } = fluid;
    return (
      accelerate(machine, fluid, massKg, from, planingMps, engines) +
      accelerate(machine, fluid, massKg, planingMps, to, engines)
    );
  }
  const span = to - from;
  if (span <= 0) return 0;
  let sum = 0;
  for (let i = 0; i < nodes.length; i += 1) {
    const v = from + span * (nodes[i] ?? 0);
    const a = acceleration(machine, fluid, massKg, v, engines);
    if (a < leastAccelerationMps2) return Infinity;
    sum += ((weights[i] ?? 0) * v) / a;
  }
  return sum * span;
};

/** True airspeed (m/s) of a calibrated one (kt). */
export const trueMps = (machine: Machine, kt: number): number => ktToMps(kt) / machine.air.rootSigma;

/** Lift coefficient of level flight at a speed (kt CAS). */
export const liftCoefficient = ({ wingAreaM2 }: Machine, massKg: number, speedKt: number): number =>
  (massKg * gravity) / (0.5 * seaLevelDensityKgM3 * ktToMps(speedKt) ** 2 * wingAreaM2);

/** Improved-climb speed increment over the tables, kt. */
export const improvedKt = ({ speedAddKt, itemAddKt }: Machine): number => speedAddKt - itemAddKt;

/** Induced drag factor with one engine inoperative unless the type's climb table implies more. */
export const leastInducedK = 0.042;
/** Turbofan thrust lapse above V2, as a share of thrust at V2 per m/s. */
export const mostLossPerMps = 0.002;

/**
 * Steady gradient (1 = 100 %) in the air at a speed (kt) with a number of engines: `gearCd` is the drag of the gear, 0 when it is up;
 * `loadFactor` is 1 over the cosine of the bank angle. Tables give one speed per weight, so
 * a fitted polar says nothing about higher speeds: for improved climb, induced drag and thrust change as on a generic turbofan.
 */
export const gradientAt = (
  machine: Machine,
  massKg: number,
  speedKt: number,
  engines: number,
  gearCd: number,
  loadFactor = 1,
): number => {
  const { model, flap } = machine;
  const tableKt = speedKt - improvedKt(machine);
  const tableCl = liftCoefficient(machine, massKg, tableKt);
  const cl = tableCl * (tableKt / speedKt) ** 2;
  const lessInduced = Math.max(leastInducedK, flap.climbK) * loadFactor ** 2 * (tableCl * tableCl - cl * cl);
  const cd = flap.climbCd0 + gearCd + flap.climbK * (tableCl * loadFactor) ** 2 - lessInduced;
  const { lossPerMps } = model.thrust;
  const faster = trueMps(machine, speedKt - tableKt);
  const share =
    (1 - lossPerMps * trueMps(machine, tableKt)) * (1 - Math.min(lossPerMps, mostLossPerMps) * faster);
  return (engines * machine.thrustN * share) / (massKg * gravity) - cd / cl;
};
