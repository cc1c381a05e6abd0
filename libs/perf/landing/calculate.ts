import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { dispatch } from './dispatch.ts';
import { inflight } from './inflight.ts';
import { attempt } from './problem.ts';
import { withAirDistance, withBrakes } from './profile-lookup.ts';
import type { LandingCase, LandingOutcome } from './types.ts';

/** Calculates a landing; there is no answer outside the envelope, on code 0, or if no weight meets the limits. */
export const calculateLanding = (profile: AircraftProfile, landing: LandingCase): LandingOutcome =>
  attempt(() => {
    const { brakes, airDistance } = landing.configuration;
    const aircraft = withAirDistance(withBrakes(profile, brakes), airDistance);
    return landing.mode === 'dispatch' ? dispatch(aircraft, landing) : inflight(aircraft, landing);
  });
