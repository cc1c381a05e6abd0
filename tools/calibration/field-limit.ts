import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { CalcCase } from '#domain/performance/calc.ts';
import { calcCase } from '#perf/wire/calc.ts';
import { limitsOf } from '#perf/landing/limits.ts';
import { prepare } from '#perf/landing/prepare.ts';
import { flapOf } from '#perf/landing/profile-lookup.ts';
import { requirement } from '#perf/landing/required.ts';

/** Field limit weight (kg) of a dispatch case even where no landing is possible; NaN when no weight fits. */
export const fieldLimit = (profile: AircraftProfile, input: CalcCase): number => {
  const landing = calcCase(profile, input);
  const prepared = prepare(profile, landing);
  const flap = flapOf(profile, landing.configuration.flap);
  return (
    limitsOf(profile, landing, prepared, flap, requirement(profile, landing, prepared, flap)).fieldKg ??
    Number.NaN
  );
};

/** Required landing distance (m) of a weight (kg) in a dispatch case. */
export const requiredDistance = (profile: AircraftProfile, input: CalcCase, massKg: number): number => {
  const landing = calcCase(profile, input);
  const flap = flapOf(profile, landing.configuration.flap);
  return requirement(profile, landing, prepare(profile, landing), flap).requiredM(massKg);
};
