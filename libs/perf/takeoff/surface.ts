import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { atmosphere, isaTemperature } from '../kernel/atmosphere.ts';
import type { FrictionLaw } from '../kernel/friction.ts';
import { frictionLaw, hydroplaningSpeed } from '../kernel/friction.ts';
import { kinkShiftC } from '../kernel/thrust.ts';
import { ftToM } from '../kernel/units.ts';
import type { Machine, Surface } from './machine.ts';
import { flatRating, staticThrust } from './machine.ts';
import type { TakeoffCase } from './types.ts';

const dryScreenM = 10.668;
const wetScreenM = 4.572;
/** Fluid up to this depth is a wet runway (RCAM), mm. */
export const wetUpToMm = 3;
const standardKelvin = 288.15;

/** Where a code of 2 or 1 is reported, braking is as on ice, whatever lies there. */
const icyMu = 0.05;

/** Braking coefficient and density (kg/m3) of contaminants: AMC 25.1591, table of default values. */
const contaminants: Readonly<Record<string, { mu: number; densityKgM3: number }>> = {
  COMPACTED_SNOW: { mu: 0.2, densityKgM3: 0 },
  DRY_SNOW: { mu: 0.17, densityKgM3: 200 },
  WET_SNOW: { mu: 0.17, densityKgM3: 500 },
  SLUSH: { mu: 0.05, densityKgM3: 850 },
  STANDING_WATER: { mu: 0.05, densityKgM3: 1000 },
  ICE: { mu: icyMu, densityKgM3: 0 },
  SLIPPERY_WET: { mu: 0.16, densityKgM3: 0 },
};

const constantFriction = (mu: number): FrictionLaw => ({
  scale: 1,
  c0: mu,
  c1: 0,
  c2: 0,
  c3: 0,
  cap: mu,
  planingMps: Infinity,
  muPlaning: mu,
});

export const isContaminant = (state: string): boolean => state in contaminants;

/** The surface of a runway state for a takeoff; `working` is the number of reversers that count. */
export const surfaceOf = (
  profile: Pick<AircraftProfile, 'braking'>,
  model: TakeoffPerformance,
  { state, depthM, reportedCode = Infinity }: TakeoffCase['condition'],
  working: number,
  { frictionFactor, stopFactor } = { frictionFactor: 1, stopFactor: 1 },
): Surface => {
  const dry = constantFriction(model.stop.mu * frictionFactor);
  if (state === 'DRY')
    return { isDry: true, friction: dry, screenM: dryScreenM, reversers: 0, stopFactor, fluid: null };
  const wet = { isDry: false, screenM: wetScreenM, reversers: working, stopFactor };
  const contaminant = contaminants[state];
  const isThin = contaminant !== undefined && contaminant.densityKgM3 > 0 && depthM * 1000 <= wetUpToMm;
  if (!contaminant || isThin) {
    const friction = frictionLaw(
      {
        ...profile.braking,
        friction: {
          ...profile.braking.friction,
          6: { kind: 'constant', mu: model.stop.mu },
          5: { kind: 'wetSmooth', efficiency: model.stop.wetEfficiency },
        },
      },
      5,
      frictionFactor,
    );
    return { ...wet, friction, fluid: null };
  }
  const braking = reportedCode <= 2 ? icyMu : contaminant.mu;
  const mu = Math.min(model.stop.mu, braking * (model.contaminated?.muFactor ?? 1)) * frictionFactor;
  const planingMps = hydroplaningSpeed(profile.braking.tirePressurePsi);
  const fluid =
    contaminant.densityKgM3 > 0 ? { densityKgM3: contaminant.densityKgM3, depthM, planingMps } : null;
  return { ...wet, friction: constantFriction(mu), fluid };
};

/** Thrust of one engine over its full rating with packs on. */
export interface ThrustSetting {
  rating: number;
  packsOff: boolean;
  antiIce: string;
  speedAddKt?: number;
  itemAddKt?: number;
  /** height above the runway at which flaps are retracted, m */
  accelerationHeightM?: number;
}

/** Acceleration height after an engine failure where the procedure has none: 1,500 ft, m. */
export const standardAccelerationM = ftToM(1500);

/**
 * Minimum control speeds over those of the standard day at sea level: they fall with thrust, and with heat no further than their true
 * airspeed stays, so that a hotter day never shortens the stop from V1 = VMCG.
 */
const controlShare = (
  model: TakeoffPerformance,
  control: Atmosphere,
  rating: number,
  standard: Atmosphere,
): number => {
  const { pressureAltitudeM, isaDeviationK } = control;
  const isaK = isaTemperature(pressureAltitudeM);
  const at = (deviationK: number): Atmosphere => atmosphere(pressureAltitudeM, isaK + deviationK);
  const share = (air: Atmosphere): number => (rating * staticThrust(model, air)) ** model.vmcExponent;
  const flatK = flatRating(model, pressureAltitudeM);
  // The true airspeed of the control speed rises as long as thrust falls slowly: most at one of these, or at the actual temperature.
  const bends = [flatK, flatK + kinkShiftC(model.thrust, pressureAltitudeM)];
  const trueShares = bends
    .filter((deviationK) => deviationK < isaDeviationK)
    .map((deviationK) => share(at(deviationK)) / at(deviationK).rootSigma);
  const own = isaDeviationK <= flatK ? share(at(flatK)) : share(control);
  const cool = staticThrust(model, at(0)) / staticThrust(model, at(flatK));
  const most = Math.max(own, ...trueShares.map((one) => one * control.rootSigma));
  return (most * cool ** model.vmcExponent) / staticThrust(model, standard) ** model.vmcExponent;
};

/**
 * The aircraft at a temperature for thrust and air. Minimum control speeds are those of the full rating in `control`, which an
 * assumed temperature does not lower.
 */
export const machineOf = (
  profile: Pick<AircraftProfile, 'engineCount' | 'wingAreaM2'>,
  model: TakeoffPerformance,
  flapCode: string,
  air: Atmosphere,
  setting: ThrustSetting,
  control: Atmosphere,
  standard: Atmosphere,
): Machine | null => {
  const flap = model.flaps[flapCode];
  if (!flap) return null;
  const { packsOffGain, antiIceLoss } = model.thrust;
  const bleed = (setting.packsOff ? 1 + packsOffGain : 1) * (1 - (antiIceLoss[setting.antiIce] ?? 0));
  const lowered = controlShare(model, control, setting.rating, standard);
  const finalM = control.pressureAltitudeM + (setting.accelerationHeightM ?? standardAccelerationM);
  const finalAir = atmosphere(finalM, isaTemperature(finalM) + control.isaDeviationK);
  return {
    engines: profile.engineCount,
    wingAreaM2: profile.wingAreaM2,
    model,
    flap,
    air,
    thrustN: staticThrust(model, air) * setting.rating * bleed,
    vmcgKt: model.vmcgKt * lowered,
    vmcaKt: model.vmcaKt * lowered,
    speedAddKt: setting.speedAddKt ?? 0,
    itemAddKt: setting.itemAddKt ?? 0,
    final: {
      air: finalAir,
      thrustN: staticThrust(model, finalAir) * model.thrust.continuousShare * bleed,
    },
  };
};

export const standardTemperatureK = standardKelvin;
