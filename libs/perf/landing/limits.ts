import type { AircraftProfile, FlapProfile } from '#domain/aircraft/profile.ts';
import { largest } from '../kernel/search.ts';
import { ktToMps } from '../kernel/units.ts';
import { quickTurnWeight } from './energy.ts';
import { goAroundGradient, landingClimbGradient } from './gradient.ts';
import type { Prepared } from './prepare.ts';
import { flapOf } from './profile-lookup.ts';
import type { Requirement } from './required.ts';
import { vref, vrefFor } from './speeds.ts';
import type { LandingCase, LimitName, Limits } from './types.ts';

/** Bounds of every weight search, as shares of the empty and the takeoff weight. */
const lowShare = 0.75;
const highShare = 1.3;

const lessDecrement = (kg: number | null, decrementKg: number): number | null =>
  kg === null ? null : kg - decrementKg;

/** Weight (kg) at which the tyres reach their rated ground speed at VREF plus the additive. */
const tireLimit = (
  profile: AircraftProfile,
  prepared: Prepared,
  flap: FlapProfile,
  additiveKt: number,
  low: number,
  high: number,
): number | null => {
  const ratingMps = ktToMps(profile.limits.tireSpeedKt);
  return largest(low, high, (massKg) => {
    const speedKt = vrefFor(profile, flap, massKg, prepared.modifiers, prepared.cgAddKt) + additiveKt;
    return ktToMps(speedKt) / prepared.air.rootSigma - prepared.windMps <= ratingMps;
  });
};

/** All weight limits of a flap; the field limit needs a requirement (dispatch). */
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
  const structKg = profile.weight.mslw;
  const climbs = flap.goAround !== undefined;
  const fieldKg = need
    ? lessDecrement(
        largest(low, high, (massKg) => need.requiredM(massKg) <= landing.runway.ldaM),
        modifiers.fieldWeightDecrementKg,
      )
    : null;
  const approachClimbKg = climbs
    ? lessDecrement(
        largest(
          low,
          high,
          (massKg) =>
            goAroundGradient(profile, flap, massKg, air, correction) >= profile.climb.approachPercent,
        ),
        modifiers.climbWeightDecrementKg,
      )
    : null;
  const landingClimbKg = lessDecrement(
    largest(
      low,
      high,
      (massKg) =>
        landingClimbGradient(profile, flap, massKg, air, correction) >= profile.climb.landingPercent,
    ),
    modifiers.climbWeightDecrementKg,
  );
  const tireKg = tireLimit(profile, prepared, flap, additiveKt, low, high);
  const wanted = landing.configuration.missedApproachGradient * 100;
  const macgKg =
    climbs && profile.family === 'A' && landing.mode === 'dispatch'
      ? largest(
          low,
          high,
          (massKg) => goAroundGradient(profile, flap, massKg, goAroundAir, correction) >= wanted,
        )
      : null;
  const candidates = [fieldKg, approachClimbKg, landingClimbKg, tireKg].filter((kg) => kg !== null);
  return {
    structKg,
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
 * Quick-turn weight of a flap: the profile's, scaled by the VREF of that flap over the one it was determined
 * for.
 */
const quickTurn = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  flap: FlapProfile,
): number | null => {
  const data = profile.brakes.quickTurn;
  if (!data) return null;
  const mass = profile.weight.mslw;
  const ratio = vref(flap, mass) / vref(flapOf(profile, data.flap), mass);
  return quickTurnWeight(profile, prepared.air, landing.weather.headwindMps, landing.runway.slope, ratio);
};

/** The quick turn binds when cooling is in use and the planned turnaround is shorter than the wait. */
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

/** Lowest limit and its name. A limit that fails at every weight (null climb, field or tyre) leaves no weight. */
export const lowest = (profile: AircraftProfile, limits: Limits): { kg: number; by: LimitName } | null => {
  const { structKg, macgKg, fieldKg, approachClimbKg, landingClimbKg, tireKg, quickTurnKg } = limits;
  if (fieldKg === null || approachClimbKg === null || landingClimbKg === null || tireKg === null) return null;
  if (profile.family === 'A' && macgKg === null) return null;
  const ranked: [LimitName, number | null][] = [
    ['STRUCT.', structKg],
    ['MACG', profile.family === 'A' ? macgKg : null],
    ['FIELD', fieldKg],
    ['CLIMB', Math.min(approachClimbKg, landingClimbKg)],
    ['QUICK', quickTurnBinds(profile) ? quickTurnKg : null],
    ['TIRE', tireKg],
  ];
  let best: { kg: number; by: LimitName } = { kg: structKg, by: 'STRUCT.' };
  for (const [by, kg] of ranked) if (kg !== null && kg < best.kg) best = { kg, by };
  return best;
};
