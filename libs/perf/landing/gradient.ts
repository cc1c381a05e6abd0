import { icingAtOrBelowC, seaLevelDensityKgM3 } from '../kernel/constants.ts';
import type { AircraftProfile, FlapProfile } from '#domain/aircraft/profile.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { toCelsius } from '../kernel/atmosphere.ts';
import { goAroundThrust } from '../kernel/thrust.ts';
import { gravity, ktToMps } from '../kernel/units.ts';
import type { Modifiers } from './modifiers.ts';
import { choose, flapOf } from './profile-lookup.ts';
import { vref } from './speeds.ts';
import type { Applied, LandingCase } from './types.ts';
import { appliedItem } from './types.ts';

/**
 * Steady climb gradient (1 = 100 %) on a flap's polar at a speed (kt CAS), with a number of engines at a thrust (N)
 * each.
 */
export const climbGradient = (
  profile: AircraftProfile,
  flap: FlapProfile,
  massKg: number,
  speedKt: number,
  thrustN: number,
  gearDown: boolean,
): number => {
  const weightN = massKg * gravity;
  const q = 0.5 * seaLevelDensityKgM3 * ktToMps(speedKt) ** 2;
  const cl = weightN / (q * profile.wingAreaM2);
  const cd = flap.polar.cd0 + (gearDown ? flap.polar.gearCd : 0) + flap.polar.k * cl * cl;
  return thrustN / weightN - cd / cl;
};

/** Change of a gradient by bleed, anti-ice and icing (percent), with the corrections applied. */
export const gradientCorrection = (
  profile: AircraftProfile,
  landing: LandingCase,
  modifiers: Modifiers,
): { percent: number; applied: Applied[] } => {
  const applied: Applied[] = [];
  const { configuration, weather } = landing;
  const antiIce = choose(profile.options.antiIce, configuration.antiIce, 'antiIce');
  const bleed = choose(profile.options.acBleed, configuration.acBleed, 'acBleed');
  let percent =
    bleed.gradientAddPercent - antiIce.gradientDecrementPercent - modifiers.gradientDecrementPercent;
  if (toCelsius(weather.temperatureK) <= icingAtOrBelowC) percent -= antiIce.icingDecrementPercent;
  if (percent !== 0) {
    applied.push(
      appliedItem('Gradient correction (bleed, anti-ice, items)', percent, '%', 'profile options'),
    );
  }
  return { percent, applied };
};

/** Gradient (percent) in the go-around configuration for a landing flap, gear up, engine inoperative. */
export const goAroundGradient = (
  profile: AircraftProfile,
  landingFlap: FlapProfile,
  massKg: number,
  air: Atmosphere,
  correctionPercent: number,
  enginesOut = 1,
  additiveKt = 0,
): number => {
  const { goAround } = landingFlap;
  if (!goAround) return Number.NaN;
  const flap = flapOf(profile, goAround.flap);
  const speedKt = vref(flapOf(profile, goAround.speedFlap), massKg) + goAround.speedAddKt + additiveKt;
  const engines = Math.max(0, profile.engineCount - enginesOut);
  const thrustN = engines * goAroundThrust(profile.thrust, air);
  return 100 * climbGradient(profile, flap, massKg, speedKt, thrustN, false) + correctionPercent;
};

/** All-engine gradient (percent) in the landing configuration at VREF, with the thrust reached after 8 s. */
export const landingClimbGradient = (
  profile: AircraftProfile,
  flap: FlapProfile,
  massKg: number,
  air: Atmosphere,
  correctionPercent: number,
): number => {
  const thrustN =
    profile.engineCount * goAroundThrust(profile.thrust, air) * profile.thrust.landingClimbFraction;
  return 100 * climbGradient(profile, flap, massKg, vref(flap, massKg), thrustN, true) + correctionPercent;
};

/** Go-around gradient (percent) of a case with its items; at least one engine is inoperative, as certified. */
export const gradientWithItems = (
  profile: AircraftProfile,
  { modifiers, gradientCorrectionPercent }: { modifiers: Modifiers; gradientCorrectionPercent: number },
  flap: FlapProfile,
  massKg: number,
  air: Atmosphere,
): number => {
  const kg = massKg + modifiers.climbWeightDecrementKg;
  const enginesOut = Math.max(1, modifiers.enginesOut);
  return goAroundGradient(profile, flap, kg, air, gradientCorrectionPercent, enginesOut);
};
