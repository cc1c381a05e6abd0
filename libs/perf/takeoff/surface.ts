import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { atmosphere, isaTemperature } from '../kernel/atmosphere.ts';
import {
  dryScreenM,
  fluidCd,
  reverserForceShare,
  seaLevelKelvin,
  wetScreenM,
  wetUpToMm,
} from '../kernel/constants.ts';
import { frictionLaw, hydroplaningSpeed } from '../kernel/friction.ts';
import { ftToM } from '../kernel/units.ts';
import type { Machine, Surface } from './machine.ts';
import { flatRating, staticThrust } from './machine.ts';
import type { TakeoffCase } from './types.ts';

/** RCAM codes, which a report may lower, and contaminant densities (kg/m3): AC 25-31, AMC 25.1591. */
const contaminants: Readonly<Record<string, { code: 1 | 2 | 3 | 4; densityKgM3: number }>> = {
  COMPACTED_SNOW: { code: 4, densityKgM3: 0 },
  DRY_SNOW: { code: 3, densityKgM3: 200 },
  WET_SNOW: { code: 3, densityKgM3: 500 },
  SLIPPERY_WET: { code: 3, densityKgM3: 0 },
  SLUSH: { code: 2, densityKgM3: 850 },
  STANDING_WATER: { code: 2, densityKgM3: 1000 },
  ICE: { code: 1, densityKgM3: 0 },
};
const codes = [1, 2, 3, 4] as const;
/** Braking coefficients of codes below wet; code 2 at half its speed range. */
const codeMu = { 4: 0.2, 3: 0.16, 2: 0.1, 1: 0.05 };
const wetMu = 0.2;

export const isContaminant = (state: string): boolean => state in contaminants;

/**
 * Takeoff braking coefficients by code: fitted down to wet, below that from AC 25-31, never above those of the
 * next better code. Code 2 is half the regulatory wet coefficient up to 85 % of the aquaplaning speed.
 */
const brakingOf = (
  { braking }: Pick<AircraftProfile, 'braking'>,
  { stop }: TakeoffPerformance,
): AircraftProfile['braking'] => {
  const constant = (mu: number) => ({ kind: 'constant' as const, mu });
  return {
    ...braking,
    friction: {
      6: constant(stop.mu),
      5: { kind: 'wetSmooth', efficiency: stop.wetEfficiency },
      4: constant(codeMu[4]),
      3: constant(codeMu[3]),
      2: {
        kind: 'hydroplaning',
        efficiency: Math.min(1, 2 * stop.wetEfficiency),
        muCap: codeMu[3],
        muPlaning: codeMu[1],
      },
      1: constant(codeMu[1]),
    },
  };
};

/** Takeoff surface of a runway state, given the reversers left after an engine failure and those inoperative. */
export const surfaceOf = (
  profile: Pick<AircraftProfile, 'braking'>,
  model: TakeoffPerformance,
  { state, depthM, reportedCode = 6 }: TakeoffCase['condition'],
  { counted, lost }: { counted: number; lost: number },
  { frictionFactor, stopFactor } = { frictionFactor: 1, stopFactor: 1 },
): Surface => {
  const friction = (code: 1 | 2 | 3 | 4 | 5 | 6) =>
    frictionLaw(brakingOf(profile, model), code, frictionFactor);
  const dry = { isDry: true, screenM: dryScreenM, stopFactor, fluid: null, referenceMu: wetMu };
  if (state === 'DRY') return { ...dry, friction: friction(6), reverseN: 0, lostReverseN: 0 };
  const lostReverseN = reverserForceShare * model.thrust.staticPerEngineN * lost;
  const reverseN = model.stop.reversePerEngineN * counted - lostReverseN;
  const wet = { ...dry, isDry: false, screenM: wetScreenM, reverseN, lostReverseN };
  const contaminant = contaminants[state];
  const isThin = contaminant !== undefined && contaminant.densityKgM3 > 0 && depthM * 1000 <= wetUpToMm;
  if (!contaminant || isThin) return { ...wet, friction: friction(5) };
  const code = codes.find((one) => one >= Math.min(contaminant.code, reportedCode)) ?? contaminant.code;
  const { densityKgM3 } = contaminant;
  const { tirePressurePsi, contaminantWidthM } = profile.braking;
  const dragNs2M2 = 0.5 * densityKgM3 * depthM * contaminantWidthM * fluidCd;
  const fluid = dragNs2M2 > 0 ? { dragNs2M2, planingMps: hydroplaningSpeed(tirePressurePsi) } : null;
  return { ...wet, friction: friction(code), fluid, referenceMu: codeMu[code] };
};

interface ThrustSetting {
  /** thrust of one engine as a share of its full rating with packs on */
  rating: number;
  packsOff: boolean;
  antiIce: string;
  speedAddKt?: number;
  itemAddKt?: number;
  /** height above the runway at which flaps are retracted, m */
  accelerationHeightM?: number | undefined;
}

/** Default engine-out acceleration height, 1,500 ft, m. */
export const standardAccelerationM = ftToM(1500);

const standard = atmosphere(0, seaLevelKelvin);

/**
 * Minimum control speeds as a share of those at sea level ISA: they fall with thrust, but beyond the flat rating no further than
 * constant TAS, so a hotter day never shortens the stop from V1 = VMCG.
 */
const controlShare = (
  model: TakeoffPerformance,
  { pressureAltitudeM, isaDeviationK, rootSigma }: Atmosphere,
  rating: number,
): number => {
  const flatK = flatRating(model, pressureAltitudeM);
  const at = (deviationK: number): Atmosphere =>
    atmosphere(pressureAltitudeM, isaTemperature(pressureAltitudeM) + deviationK);
  const thrust = (rating * staticThrust(model, at(0))) / staticThrust(model, standard);
  return thrust ** model.vmcExponent * (isaDeviationK > flatK ? rootSigma / at(flatK).rootSigma : 1);
};

/**
 * The aircraft at given temperatures for thrust and air. Minimum control speeds are those of the full rating in `control`, which an
 * assumed temperature does not lower.
 */
export const machineOf = (
  profile: Pick<AircraftProfile, 'engineCount' | 'wingAreaM2'>,
  model: TakeoffPerformance,
  flapCode: string,
  air: Atmosphere,
  setting: ThrustSetting,
  control: Atmosphere,
): Machine | null => {
  const flap = model.flaps[flapCode];
  if (!flap) return null;
  const { packsOffGain, packsOffClimbGain = packsOffGain, antiIceLoss, fieldFactor } = model.thrust;
  const bleed = (gain: number): number =>
    (setting.packsOff ? 1 + gain : 1) * (1 - (antiIceLoss[setting.antiIce] ?? 0));
  const thrustN = staticThrust(model, air) * setting.rating;
  const lowered = controlShare(model, control, setting.rating);
  const finalM = control.pressureAltitudeM + (setting.accelerationHeightM ?? standardAccelerationM);
  const finalAir = atmosphere(finalM, isaTemperature(finalM) + control.isaDeviationK);
  return {
    engines: profile.engineCount,
    wingAreaM2: profile.wingAreaM2,
    model,
    flap,
    air,
    thrustN: thrustN * bleed(packsOffClimbGain),
    groundThrustN: thrustN * fieldFactor * bleed(packsOffGain),
    thrustShare: Math.min(1, (setting.rating * staticThrust(model, air)) / staticThrust(model, standard)),
    vmcgKt: model.vmcgKt * lowered,
    vmcaKt: model.vmcaKt * lowered,
    speedAddKt: setting.speedAddKt ?? 0,
    itemAddKt: setting.itemAddKt ?? 0,
    final: {
      air: finalAir,
      thrustN: staticThrust(model, finalAir) * model.thrust.continuousShare * bleed(packsOffClimbGain),
    },
  };
};
