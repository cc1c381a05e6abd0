import { fluidCd, mostCreditedDepthM } from '../kernel/constants.ts';
import type { AircraftProfile, AutobrakeProfile } from '#domain/aircraft/profile.ts';
import { frictionLaw, hydroplaningSpeed } from '../kernel/friction.ts';
import type { Roll, Trace } from '../kernel/ground-roll.ts';
import { groundRoll } from '../kernel/ground-roll.ts';
import { linear } from '../kernel/interpolate.ts';
import { ktToMps, metresPerKft } from '../kernel/units.ts';
import { additiveDistance } from './additive.ts';
import type { PhysicalDistance } from './additive.ts';
import { manualMode } from './profile-lookup.ts';
import { reversersUsed } from './scene.ts';
import type { Scene } from './scene.ts';
import { vref } from './speeds.ts';

/** Up to this condition code, idle thrust matters against the brakes. */
const slipperyRwycc = 3;

/** Distances of one brake mode from 50 ft above the threshold to a stop, metres. */
export interface StopDistance {
  airM: number;
  actualM: number;
  touchdownMps: number;
  brakeWorkJ: number;
  /** factor from distances in the trace to distances from touchdown */
  rollScale: number;
  /** whether corrections are combined by physics or added as in the manufacturer's tables */
  combination: 'physics' | 'added';
}

/** Share of friction left without anti-skid. */
const antiskidShare = (braking: AircraftProfile['braking'], rwycc: Scene['rwycc']): number => {
  const { dry, slippery, ice } = braking.antiskidInopFactor;
  if (rwycc === 6) return dry;
  return rwycc === 1 ? (ice ?? slippery) : slippery;
};

/**
 * Share of reverse thrust credited in published distances: in flight by runway condition (before full braking the
 * smallest share, so that a worse runway is never shorter), at dispatch all of it.
 */
const reverseCredit = ({ profile, calibration }: Scene, rwycc: Scene['rwycc']): number => {
  const { creditByCode } = profile.thrust.reverse;
  return creditByCode && calibration === 'inflight' ? creditByCode[rwycc] : 1;
};

/**
 * Wind (m/s) in drag and lift. Headwind that only offsets the speed carried for it is left out, as in tables without a
 * headwind correction; with failed spoilers its lift would lengthen the distance.
 */
const aerodynamicWind = ({ profile, calibration, windMps }: Scene): number =>
  calibration === 'inflight' && profile.wind.inflightHeadwind === 0 ? Math.min(0, windMps) : windMps;

/** Forces on the ground at a mass, entry speed (m/s, ground) and brake mode. */
export const rollOf = (scene: Scene, massKg: number, entryMps: number, mode: AutobrakeProfile): Roll => {
  const { profile, flap, modifiers, air } = scene;
  const { braking, thrust } = profile;
  const antiskid = modifiers.antiskidInop ? antiskidShare(braking, scene.rwycc) : 1;
  const { ground } = flap;
  const spoilers = modifiers.spoilerFraction;
  const reversing = reversersUsed(scene);
  return {
    massKg,
    entryMps,
    headwindMps: aerodynamicWind(scene),
    densityKgM3: air.densityKgM3,
    wingAreaM2: profile.wingAreaM2,
    cl: ground.clSpoilersIn + (ground.cl - ground.clSpoilersIn) * spoilers,
    cd: modifiers.groundDragFactor * (ground.cdSpoilersIn + (ground.cd - ground.cdSpoilersIn) * spoilers),
    slope: scene.slope,
    friction: frictionLaw(braking, scene.rwycc, antiskid * modifiers.frictionFactor),
    loadFactor: braking.loadFactor,
    torqueLimitN: braking.torqueLimitN ?? Infinity,
    targetMps2: mode.targetMps2 ?? Infinity,
    // A failed engine has no idle thrust to credit.
    idleForwardN: thrust.idleForwardPerEngineN * profile.engineCount,
    reversibleIdleN: thrust.idleForwardPerEngineN * reversing,
    reverseN: thrust.reverse.perEngineN * reversing * reverseCredit(scene, scene.rwycc),
    coastReverseN: thrust.reverse.perEngineN * reversing * reverseCredit(scene, 6),
    reverseCutMps: ktToMps(
      (scene.calibration === 'dispatch' ? thrust.reverse.dispatchCutSpeedKt : undefined) ??
        thrust.reverse.cutSpeedKt,
    ),
    reverseDelayS: thrust.reverse.delayS,
    brakeDelayS: mode.delayS + modifiers.delayAddS,
    fluidDrag: scene.fluid
      ? 0.5 *
        scene.fluid.densityKgM3 *
        Math.min(scene.fluid.depthM, mostCreditedDepthM) *
        braking.contaminantWidthM *
        fluidCd
      : 0,
    fluidPlaningMps: hydroplaningSpeed(braking.tirePressurePsi),
  };
};

/** Fitted correction of the ground roll by mass and altitude. */
const rollCalibration = (scene: Scene, massKg: number): number => {
  if (scene.calibration === 'none') return 1;
  const { rollByMass, rollByMassPerFlap, rollPerKft, contaminatedByMassPerFlap, contaminatedPerKft } =
    scene.profile.calibration;
  const inflight = scene.calibration === 'inflight';
  const perFlap = (inflight ? rollByMassPerFlap : contaminatedByMassPerFlap)[scene.flap.code];
  const curve = perFlap ?? (inflight ? rollByMass : undefined);
  const byMass = curve ? linear(curve, massKg) : 1;
  const perKft = inflight ? rollPerKft : contaminatedPerKft;
  return byMass * (1 + (perKft * Math.max(0, scene.air.pressureAltitudeM)) / metresPerKft);
};

/**
 * Minimum ground roll (m) above the structural landing weight: manual braking on a wet or dry runway, plus the
 * profile's extra metres. It also bounds weaker modes and worse runways, which keeps their order.
 */
const overweightFloor = (scene: Scene, massKg: number, entryMps: number): number => {
  const { profile } = scene;
  const perTonneM = profile.calibration.manualOverweightMPerTonne;
  const overTonnes = (massKg - profile.calibration.tableMassKg) / 1000;
  if (scene.calibration !== 'inflight' || perTonneM === 0 || overTonnes <= 0) return 0;
  const rwycc = scene.rwycc === 6 ? 6 : 5;
  const manual = groundRoll(rollOf({ ...scene, rwycc }, massKg, entryMps, manualMode(profile))).distanceM;
  return manual + perTonneM * overTonnes;
};

/** Extra air distance of an automatic landing, m. */
export const autolandExtraM = ({ profile, flap, autoland }: Scene): number => {
  const extra = profile.airDistance.autolandExtraM;
  return autoland ? (extra[flap.code] ?? extra['default'] ?? 0) : 0;
};

/** Air distance and ground roll, before failure factors and corrections of the roll. */
const landed = (scene: Scene, massKg: number, speedKt: number, mode: AutobrakeProfile, trace?: Trace) => {
  const { airDistance } = scene.profile;
  const trueMps = ktToMps(speedKt) / scene.air.rootSigma;
  const thresholdMps = Math.max(0, airDistance.thresholdRatio * trueMps - scene.windMps);
  const airM = airDistance.timeS * thresholdMps + autolandExtraM(scene);
  const touchdownMps = Math.max(0, airDistance.touchdownRatio * trueMps - scene.windMps);
  return { airM, touchdownMps, roll: groundRoll(rollOf(scene, massKg, touchdownMps, mode), trace) };
};

/** Total distance (m) without floors. */
const plainDistance = (scene: Scene, massKg: number, speedKt: number, mode: AutobrakeProfile): number => {
  const { airM, roll } = landed(scene, massKg, speedKt, mode);
  return airM + roll.distanceM * rollCalibration(scene, massKg);
};

/**
 * Distance (m) of the empty aircraft on a slippery runway. Idle thrust affects light aircraft more, so on ice downhill
 * they can need longer; this keeps a heavier aircraft from getting a shorter distance.
 */
const emptyDistance = (scene: Scene, massKg: number, speedKt: number, mode: AutobrakeProfile): number => {
  const { oew } = scene.profile.weight;
  if (scene.rwycc > slipperyRwycc || massKg <= oew) return 0;
  const slowerKt = speedKt - vref(scene.flap, massKg) + vref(scene.flap, oew);
  return plainDistance(scene, oew, slowerKt, mode);
};

/** Air distance, roll and total by physics, before failure factors. */
const physical = (scene: Scene, massKg: number, speedKt: number, mode: AutobrakeProfile, trace?: Trace) => {
  const { airM, touchdownMps, roll } = landed(scene, massKg, speedKt, mode, trace);
  const floorM = overweightFloor(scene, massKg, touchdownMps);
  const ownM = Math.max(roll.distanceM, floorM) * rollCalibration(scene, massKg);
  const distanceM = Math.max(airM + ownM, emptyDistance(scene, massKg, speedKt, mode));
  return { airM, touchdownMps, roll, distanceM };
};

const physicalDistance: PhysicalDistance = (scene, massKg, speedKt, mode, floors) =>
  floors ? physical(scene, massKg, speedKt, mode).distanceM : plainDistance(scene, massKg, speedKt, mode);

/**
 * Actual distance D of one mode: seven seconds (or the profile's time) in the air from 50 ft, the roll with its delay
 * to full braking, then failure factors. In flight, family A uses the sum of its tables' corrections if longer.
 * `speedKt` is the approach speed (CAS, taken as EAS).
 */
export const stopDistance = (
  scene: Scene,
  massKg: number,
  speedKt: number,
  mode: AutobrakeProfile,
  trace?: Trace,
): StopDistance => {
  const { modifiers, profile } = scene;
  const { airM, touchdownMps, roll, distanceM } = physical(scene, massKg, speedKt, mode, trace);
  const isTabled = profile.family === 'A' && scene.calibration === 'inflight' && Number.isFinite(distanceM);
  const addedM = isTabled ? additiveDistance(scene, massKg, speedKt, mode, physicalDistance) : 0;
  const isAdded = Number.isFinite(addedM) && addedM > distanceM;
  const rollM = (isAdded ? addedM : distanceM) - airM;
  const rollScale = Number.isFinite(roll.distanceM) ? rollM / roll.distanceM : 1;
  const factor = modifiers.distanceFactor;
  return {
    airM,
    actualM: (airM + rollM) * factor + modifiers.distanceAddM,
    touchdownMps,
    brakeWorkJ: roll.brakeWorkJ,
    rollScale,
    combination: isAdded ? 'added' : 'physics',
  };
};
