import type { AircraftProfile, FlapProfile } from '#domain/aircraft/profile.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { largest } from '../kernel/search.ts';
import { goAroundThrust } from '../kernel/thrust.ts';
import { gravity, ktToMps } from '../kernel/units.ts';
import { plainScene, rollOf } from '../landing/distance.ts';
import { referenceEnergy } from '../landing/energy.ts';
import { climbGradient } from '../landing/gradient.ts';
import { flapOf, manualMode } from '../landing/profile-lookup.ts';
import { vref } from '../landing/speeds.ts';
import { groundRoll } from '../kernel/ground-roll.ts';

/** A takeoff on a dry runway with full thrust, in SI. */
export interface TakeoffCase {
  /** flap code of the profile that has a V2 ratio */
  flap: string;
  runwayM: number;
  slope: number;
  /** headwind less credit, tailwind enlarged: as credited, m/s */
  windMps: number;
  air: Atmosphere;
  /** percent deducted from the gradient for bleed and anti-ice */
  gradientCorrectionPercent: number;
}

/** Regulated takeoff weight and each limit on its own (kg); null: no weight passes. */
export interface TakeoffLimits {
  fieldKg: number | null;
  secondSegmentKg: number | null;
  brakeEnergyKg: number | null;
  tireKg: number | null;
  vmcgKg: number | null;
  structKg: number;
  regulatedKg: number | null;
}

const steps = 16;
const groundCl = 0.4;
const v1Steps = 14;

interface Machine {
  profile: AircraftProfile;
  flap: FlapProfile;
  takeoff: TakeoffCase;
}

/** V2 (kt CAS) of a mass: ratio of the flap times a VREF. */
export const v2 = (profile: AircraftProfile, flapCode: string, massKg: number): number => {
  const { takeoffModel } = profile;
  const ratio = takeoffModel.v2OverVref[flapCode] ?? Number.NaN;
  return Math.max(ratio * vref(flapOf(profile, takeoffModel.vrefFlap), massKg), 1.1 * profile.vmcaKt);
};

/** Distance (m) to accelerate between ground speeds (m/s) on a number of engines; Infinity when it cannot. */
const accelerate = (
  { profile, flap, takeoff }: Machine,
  massKg: number,
  from: number,
  to: number,
  engines: number,
): number => {
  const { takeoffModel, wingAreaM2 } = profile;
  const full = engines * goAroundThrust(profile.thrust, takeoff.air) * takeoffModel.takeoffThrustFactor;
  const cd = flap.polar.cd0 + flap.polar.gearCd + flap.polar.k * groundCl * groundCl;
  const reference = ktToMps(140) / takeoff.air.rootSigma;
  const dv = (to - from) / steps;
  let distance = 0;
  for (let i = 0; i < steps; i += 1) {
    const v = from + (i + 0.5) * dv;
    const airspeed = Math.max(0, v + takeoff.windMps);
    const qS = 0.5 * takeoff.air.densityKgM3 * airspeed * airspeed * wingAreaM2;
    const thrust = full * (1 + takeoffModel.thrustLapsePerMps * (reference - airspeed));
    const rolling = takeoffModel.rollingFriction * Math.max(0, massKg * gravity - groundCl * qS);
    const a = (thrust - cd * qS - rolling) / massKg - gravity * takeoff.slope;
    if (a < 0.05) return Infinity;
    distance += (v * dv) / a;
  }
  return distance;
};

/** Distances of one mass: engine failure just before V1 and go, or stop, and all engines. V1 as ground speed, m/s. */
const distances = (
  machine: Machine,
  massKg: number,
  v1Mps: number,
): { goM: number; stopM: number; allM: number } => {
  const { profile, flap, takeoff } = machine;
  const { takeoffModel: model, engineCount } = profile;
  const v2Kt = v2(profile, takeoff.flap, massKg);
  const liftMps = Math.max(v1Mps, ktToMps(v2Kt) / takeoff.air.rootSigma - takeoff.windMps);
  const thrust = goAroundThrust(profile.thrust, takeoff.air) * model.takeoffThrustFactor;
  const climb = (engines: number): number =>
    climbGradient(profile, flap, massKg, v2Kt, engines * thrust, true);
  const airborne = (engines: number): number => {
    const gradient = climb(engines);
    return gradient > 0.002 ? liftMps * model.rotationS + model.screenHeightM / gradient : Infinity;
  };
  const toV1 = accelerate(machine, massKg, 0, v1Mps, engineCount);
  const goM = toV1 + accelerate(machine, massKg, v1Mps, liftMps, engineCount - 1) + airborne(engineCount - 1);
  const allM =
    model.allEngineFactor * (accelerate(machine, massKg, 0, liftMps, engineCount) + airborne(engineCount));
  const scene = {
    ...plainScene(profile, flap, 6),
    air: takeoff.air,
    windMps: takeoff.windMps,
    slope: takeoff.slope,
    reversersOperating: 0,
  };
  const stopM =
    toV1 +
    v1Mps * model.reactionS +
    groundRoll({ ...rollOf(scene, massKg, v1Mps, manualMode(profile)), brakeDelayS: 0 }).distanceM;
  return { goM, stopM, allM };
};

/** Highest V1 (ground, m/s) up to V2 for which stopping takes no longer than continuing: the balanced one. */
const balancedV1 = (machine: Machine, massKg: number): number => {
  const { profile, takeoff } = machine;
  const toGround = (kt: number): number => Math.max(1, ktToMps(kt) / takeoff.air.rootSigma - takeoff.windMps);
  let low = toGround(profile.takeoffModel.vmcgKt);
  let high = Math.max(low, toGround(v2(profile, takeoff.flap, massKg) - 2));
  for (let i = 0; i < v1Steps; i += 1) {
    const v = 0.5 * (low + high);
    const { goM, stopM } = distances(machine, massKg, v);
    if (stopM < goM) low = v;
    else high = v;
  }
  return 0.5 * (low + high);
};

/** Required field length (m) of a mass at its balanced V1. */
export const fieldLength = (profile: AircraftProfile, takeoff: TakeoffCase, massKg: number): number => {
  const machine = { profile, flap: flapOf(profile, takeoff.flap), takeoff };
  const { goM, stopM, allM } = distances(machine, massKg, balancedV1(machine, massKg));
  return Math.max(goM, stopM, allM);
};

/**
 * Regulated takeoff weight: field (engine-out go, stop, 1.15 x all engines), second segment, brake energy at V1, tire
 * speed at lift-off, control on the ground at VMCG, structure. Null without data for the flap.
 */
export const regulatedTakeoff = (profile: AircraftProfile, takeoff: TakeoffCase): TakeoffLimits | null => {
  if (profile.takeoffModel.v2OverVref[takeoff.flap] === undefined) return null;
  const model = profile.takeoffModel;
  const machine = { profile, flap: flapOf(profile, takeoff.flap), takeoff };
  const { air, windMps } = takeoff;
  const low = profile.weight.oew * 0.75;
  const high = profile.weight.mstow * 1.3;
  const search = (holds: (massKg: number) => boolean): number | null => largest(low, high, holds, 5);
  const thrust = goAroundThrust(profile.thrust, air) * model.takeoffThrustFactor * (profile.engineCount - 1);
  const fieldKg = search((kg) => fieldLength(profile, takeoff, kg) <= takeoff.runwayM);
  const secondSegmentKg = search((kg) => {
    const gradient = climbGradient(profile, machine.flap, kg, v2(profile, takeoff.flap, kg), thrust, false);
    return 100 * gradient + takeoff.gradientCorrectionPercent >= model.secondSegmentPercent;
  });
  const brakeEnergyKg = search((kg) => {
    const v1Kt = ((balancedV1(machine, kg) + windMps) * air.rootSigma) / ktToMps(1);
    return referenceEnergy(profile, kg, v1Kt - windMps / ktToMps(1), air) <= model.brakeEnergyLimitMftlb;
  });
  const tireKg = search(
    (kg) =>
      ktToMps(v2(profile, takeoff.flap, kg)) / air.rootSigma - windMps <= ktToMps(profile.limits.tireSpeedKt),
  );
  const vmcg = Math.max(1, ktToMps(model.vmcgKt) / air.rootSigma - windMps);
  const vmcgKg = search((kg) => distances(machine, kg, vmcg).stopM <= takeoff.runwayM);
  const structKg = profile.weight.mstow;
  const all = [fieldKg, secondSegmentKg, brakeEnergyKg, tireKg, vmcgKg];
  const known = all.filter((kg) => kg !== null);
  const regulatedKg = known.length === all.length ? Math.min(structKg, ...known) : null;
  return { fieldKg, secondSegmentKg, brakeEnergyKg, tireKg, vmcgKg, structKg, regulatedKg };
};
