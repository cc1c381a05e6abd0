import { defaultGoAroundFlap } from '#domain/aircraft/profile.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { BalkedLanding } from '#domain/performance/result.ts';
import { choose } from '../landing/profile-lookup.ts';
import type { InflightResult, LandingCase } from '../landing/types.ts';
import { calculateTakeoff } from '../takeoff/calculate.ts';
import type { LandingInput, RunwayFacts } from './types.ts';
import type { Converter } from './units.ts';

export const standardProcedure = 'Follow the published missed approach procedure.';

/** Go-around flap of a balked landing: family A by the landing configuration, family B fixed by the profile. */
const goAroundFlap = (profile: AircraftProfile, landingFlap: string): string => {
  if (profile.family === 'A') return landingFlap === '3' ? '2' : '3';
  return profile.landing.goAroundFlap ?? defaultGoAroundFlap(profile);
};

/** Takeoff weight limit (kg) from a dry runway at full thrust with the landing's items and no obstacles; null: none, or no data for the flap. */
const regulatedKg = (
  profile: AircraftProfile,
  { runway, weather, configuration }: LandingCase,
  { lengthM }: RunwayFacts,
  flap: string,
): number | null => {
  const { mel, cdl } = configuration;
  const antiIce = choose(profile.options.antiIce, configuration.antiIce, 'antiIce').value;
  const outcome = calculateTakeoff(profile, {
    runway: {
      toraM: lengthM,
      todaM: lengthM,
      asdaM: lengthM,
      elevationM: runway.elevationM,
      slope: runway.slope,
    },
    weather,
    condition: { state: 'DRY', depthM: 0 },
    // Packs off for landing may be on for the go-around.
    configuration: { flap, packsOff: false, antiIce, fullThrust: true, mel, cdl },
    obstacles: [],
  });
  return outcome.ok ? outcome.result.limitKg : null;
};

/**
 * Balked landing of a runway: the published missed approach, or for an operator's engine-failure procedure a
 * takeoff calculation (dry, full length, full thrust, go-around flap, items and anti-ice of the landing) against the reference weight.
 */
export const balkedLanding = (
  { profile, runway, entitlements }: LandingInput,
  landing: LandingCase,
  result: Pick<InflightResult, 'flap' | 'massKg'>,
  convert: Converter,
): { procedure: BalkedLanding; maxKg: number | null } => {
  const userAllowed = entitlements.balkedLanding === true;
  const none = { maxLandingWeight: null, margin: null };
  const free = (procedure: string, goAroundFlaps: string | null) => ({
    procedure: { procedure, isCalculationRequired: false, userAllowed, ...none, goAroundFlaps },
    maxKg: null,
  });
  if (landing.configuration.nonNormal.length > 0) return free('N/A', null);
  const flap = goAroundFlap(profile, result.flap);
  if (runway.standardEfp) return free(standardProcedure, flap);
  const procedure = runway.efpText ?? 'Engine failure procedure of the operator';
  const required = { procedure, isCalculationRequired: true, userAllowed, goAroundFlaps: flap };
  const maxKg = userAllowed ? regulatedKg(profile, landing, runway, flap) : null;
  if (maxKg === null) return { procedure: { ...required, ...none }, maxKg };
  const maxLandingWeight = convert.weightDown(maxKg);
  return {
    procedure: {
      ...required,
      maxLandingWeight,
      margin: maxLandingWeight - convert.weightDown(result.massKg),
    },
    maxKg,
  };
};
