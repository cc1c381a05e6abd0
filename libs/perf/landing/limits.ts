import type { AircraftProfile, FlapProfile } from '#domain/aircraft/profile.ts';
import { largest } from '../kernel/search.ts';
import { ktToMps } from '../kernel/units.ts';
import { quickTurnWeight } from './energy.ts';
import { goAroundGradient, landingClimbGradient } from './gradient.ts';
import type { Prepared } from './prepare.ts';
import { flapOf, structuralKg } from './profile-lookup.ts';
import type { Requirement } from './required.ts';
import { vref, vrefFor } from './speeds.ts';
import type { LandingCase, LimitKey, LimitName, Limits } from './types.ts';

/** Bounds of weight searches, as shares of the empty and the takeoff weight. */
const lowShare = 0.75;
const highShare = 1.3;

/** Whether the tyres stay within their rated ground speed at VREF plus additive, by mass (kg). */
const tireHolds = (
  profile: AircraftProfile,
  prepared: Prepared,
  flap: FlapProfile,
  additiveKt: number,
): ((massKg: number) => boolean) => {
  const ratingMps = ktToMps(profile.limits.tireSpeedKt);
  return (massKg) => {
    const speedKt = vrefFor(profile, flap, massKg, prepared) + additiveKt;
    return ktToMps(speedKt) / prepared.air.rootSigma - prepared.windMps <= ratingMps;
  };
};

/** All weight limits of a flap; the field limit exists at dispatch only. */
export const limitsOf = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  flap: FlapProfile,
  need: Requirement | null,
  additiveKt = 0,
): Limits => {
  const low = profile.weight.oew * lowShare;
  const high = profile.weight.mstow * highShare;
  const { modifiers, air, goAroundAir, gradientCorrectionPercent: correction } = prepared;
  const climbs = flap.goAround !== undefined;
  const notLimiting: LimitKey[] = [];
  const limit = (key: LimitKey, holds: (massKg: number) => boolean, decrementKg = 0): number | null => {
    const kg = largest(low, high, holds);
    if (kg === high) notLimiting.push(key);
    return kg === null || kg === high ? null : kg - decrementKg;
  };
  const climbGradient = (massKg: number, at: Prepared['air']): number =>
    goAroundGradient(profile, flap, massKg, at, correction);
  const wanted = landing.configuration.missedApproachGradient * 100;
  const { approachPercent, landingPercent } = profile.climb;
  const { fieldWeightDecrementKg: fieldLessKg, climbWeightDecrementKg: climbLessKg } = modifiers;
  const fieldKg = need
    ? limit('fieldKg', (massKg) => need.requiredM(massKg) <= landing.runway.ldaM, fieldLessKg)
    : null;
  const approachClimbKg = climbs
    ? limit('approachClimbKg', (massKg) => climbGradient(massKg, air) >= approachPercent, climbLessKg)
    : null;
  const landingClimbKg = limit(
    'landingClimbKg',
    (massKg) => landingClimbGradient(profile, flap, massKg, air, correction) >= landingPercent,
    climbLessKg,
  );
  const tireKg = limit('tireKg', tireHolds(profile, prepared, flap, additiveKt));
  const macgKg =
    climbs && profile.family === 'A' && landing.mode === 'dispatch'
      ? limit('macgKg', (massKg) => climbGradient(massKg, goAroundAir) >= wanted, climbLessKg)
      : null;
  const candidates = [fieldKg, approachClimbKg, landingClimbKg, tireKg].filter((kg) => kg !== null);
  return {
    notLimiting,
    structKg: structuralKg(profile),
    fieldKg,
    approachClimbKg,
    landingClimbKg,
    tireKg,
    quickTurnKg: quickTurn(profile, landing, prepared, flap),
    macgKg,
    perfKg: candidates.length > 0 ? Math.min(...candidates) : null,
  };
};

/**
 * Quick-turn weight of a flap: the profile's, scaled by the ratio of VREF to that of the flap it was determined for.
 */
const quickTurn = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  flap: FlapProfile,
): number | null => {
  const data = profile.brakes.quickTurn;
  if (!data) return null;
  const mass = profile.calibration.tableMassKg;
  const ratio = vref(flap, mass) / vref(flapOf(profile, data.flap), mass);
  return quickTurnWeight(profile, prepared.air, landing.weather.headwindMps, landing.runway.slope, ratio);
};

/** True if the profile's planned turnaround is shorter than its brakes need to cool. */
export const quickTurnBinds = (profile: AircraftProfile): boolean => {
  const { isBrakeCoolingActive, userTurnaroundTime } = profile.landing.brakeCooling;
  const data = profile.brakes.quickTurn;
  return (
    isBrakeCoolingActive &&
    data !== null &&
    userTurnaroundTime !== null &&
    userTurnaroundTime < data.waitMinutes
  );
};

/** The lowest limit and its name. A climb, field or tyre limit that fails at every weight leaves none. */
export const lowest = (profile: AircraftProfile, limits: Limits): { kg: number; by: LimitName } | null => {
  const { structKg, quickTurnKg, notLimiting } = limits;
  /** null: exceeded at every weight */
  const active = (key: LimitKey): number | null => (notLimiting.includes(key) ? Infinity : limits[key]);
  const ranked: [LimitName, number | null][] = [
    ['MACG', profile.family === 'A' ? active('macgKg') : Infinity],
    ['FIELD', active('fieldKg')],
    ['CLIMB', active('approachClimbKg')],
    ['CLIMB', active('landingClimbKg')],
    ['QUICK', quickTurnBinds(profile) ? (quickTurnKg ?? Infinity) : Infinity],
    ['TIRE', active('tireKg')],
  ];
  let best: { kg: number; by: LimitName } = { kg: structKg, by: 'STRUCT.' };
  for (const [by, kg] of ranked) {
    if (kg === null) return null;
    if (kg < best.kg) best = { kg, by };
  }
  return best;
};
