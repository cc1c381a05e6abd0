import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { BalkedLanding } from '#domain/performance/result.ts';
import { atmosphere, pressureAltitude } from '../kernel/atmosphere.ts';
import { creditedWind } from '../landing/speeds.ts';
import type { LandingCase } from '../landing/types.ts';
import { regulatedTakeoff } from '../takeoff/regulated.ts';
import type { Entitlements, RunwayFacts } from './types.ts';
import type { Converter } from './units.ts';

export const standardProcedure = 'Follow the published missed approach procedure.';
const default737Flap = '15';
const defaultBFlap = '20';

/** Go-around flap of a balked landing: family A by the landing configuration, family B fixed by the profile. */
export const goAroundFlap = (profile: AircraftProfile, landingFlap: string): string => {
  if (profile.family === 'A') return landingFlap === '3' ? '2' : '3';
  return (
    profile.landing.goAroundFlap ?? (profile.model.variant.startsWith('737') ? default737Flap : defaultBFlap)
  );
};

/**
 * Balked landing of a runway: the published missed approach, or for an operator's engine-failure procedure a
 * takeoff calculation (dry, full length, full thrust, go-around flap) against the reference weight.
 */
export const balkedLanding = (
  profile: AircraftProfile,
  landing: LandingCase,
  runway: RunwayFacts,
  entitlements: Entitlements,
  landingFlap: string,
  referenceKg: number,
  convert: Converter,
): { balked: BalkedLanding; maxKg: number | null } => {
  const userAllowed = entitlements.balkedLanding;
  const none = { maxLandingWeight: null, margin: null };
  if (landing.configuration.nonNormal.length > 0) {
    return {
      balked: { procedure: 'N/A', isCalculationRequired: false, userAllowed, ...none, goAroundFlaps: null },
      maxKg: null,
    };
  }
  const flap = goAroundFlap(profile, landingFlap);
  if (runway.standardEfp) {
    return {
      balked: {
        procedure: standardProcedure,
        isCalculationRequired: false,
        userAllowed,
        ...none,
        goAroundFlaps: flap,
      },
      maxKg: null,
    };
  }
  const procedure = runway.efpText ?? 'Engine failure procedure of the operator';
  const required = { procedure, isCalculationRequired: true, userAllowed, goAroundFlaps: flap };
  if (!userAllowed) return { balked: { ...required, ...none }, maxKg: null };
  const air = atmosphere(
    pressureAltitude(landing.runway.elevationM, landing.weather.qnhPa),
    landing.weather.temperatureK,
  );
  const limits = regulatedTakeoff(profile, {
    flap,
    runwayM: runway.lengthM,
    slope: landing.runway.slope,
    windMps: creditedWind(profile, 'dispatch', landing.weather.headwindMps, air.rootSigma),
    air,
    gradientCorrectionPercent: 0,
  });
  const maxKg = limits?.regulatedKg ?? null;
  if (maxKg === null) return { balked: { ...required, ...none }, maxKg };
  const maxLandingWeight = convert.weightDown(maxKg);
  return {
    balked: { ...required, maxLandingWeight, margin: maxLandingWeight - convert.weightDown(referenceKg) },
    maxKg,
  };
};
