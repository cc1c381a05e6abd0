import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { dispatch } from './dispatch.ts';
import { inflight } from './inflight.ts';
import { CalculationError } from './problem.ts';
import { withAirDistance, withBrakes } from './profile-lookup.ts';
import type { LandingCase, LandingOutcome } from './types.ts';

/**
 * The landing engine. A case that has no answer (outside the envelope, code 0, no weight that meets all limits)
 * is returned as `ok: false` with a code, a sentence and its numbers; anything thrown is a bug.
 */
export const calculateLanding = (profile: AircraftProfile, landing: LandingCase): LandingOutcome => {
  try {
    const { brakes, airDistance } = landing.configuration;
    const aircraft = withAirDistance(withBrakes(profile, brakes), airDistance);
    const result = landing.mode === 'dispatch' ? dispatch(aircraft, landing) : inflight(aircraft, landing);
    return { ok: true, result };
  } catch (error) {
    if (error instanceof CalculationError) return error.outcome;
    throw error;
  }
};
