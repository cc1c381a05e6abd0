import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { checkEnvelope, checkMass } from '../landing/prepare.ts';
import { refuse } from '../landing/problem.ts';
import { checkDepth, conditionOf } from '../landing/profile-lookup.ts';
import { isContaminant } from './surface.ts';
import type { TakeoffCase } from './types.ts';

const known = (state: string): boolean => state === 'DRY' || state === 'WET' || isContaminant(state);

/** Refuses a takeoff outside the envelope of the aircraft. */
export const checkTakeoff = (profile: AircraftProfile, takeoff: TakeoffCase, air: Atmosphere): void => {
  const { runway, condition, massKg } = takeoff;
  checkEnvelope(profile, takeoff, air);
  const shortestM = Math.min(runway.toraM, runway.todaM, runway.asdaM);
  if (!(shortestM > 0)) refuse('NO_LANDING_DISTANCE', { ldaM: shortestM });
  const { state } = condition;
  if (state === 'WET_ICE') refuse('RWYCC_0', { surface: 'wet ice' });
  if (!known(state)) refuse('UNKNOWN_CONDITION', { state });
  checkDepth(profile, conditionOf(profile, 'dispatch', state), condition.depthM * 1000);
  if (massKg !== undefined) checkMass(profile, massKg);
};
