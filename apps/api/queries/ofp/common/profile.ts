/** The aircraft profile that a plan is for: of the caller's fleets by registration, else a standard one by type. */
import { DomainError } from '#domain/errors.ts';
import { fileOf } from '#domain/fleet/row.ts';
import { airlinesOf } from '#domain/fleet/types.ts';
import type { OfpPlanned } from '#domain/ofp/planned.ts';
import { isSameRegistration, matchProfile } from '#domain/ofp/profile-match.ts';
import type { MatchCandidate, Matched } from '#domain/ofp/profile-match.ts';
import type { Caller } from '#domain/users/types.ts';
import type { Tools } from '../../../handler-context.ts';
import type { AircraftKey } from '../../../services/aircraft-library.ts';
import type { LoadedAircraft } from '../../../services/standard-aircraft.ts';

interface ProfileCall extends Pick<Tools, 'aircraft'> {
  caller: Caller;
}

const candidateOf = (
  { profile: { model, weight, landing } }: Pick<LoadedAircraft, 'profile'>,
  key: AircraftKey,
): MatchCandidate => ({
  ...key,
  registration: key.userRegistration,
  type: model.type,
  engines: model.engines,
  maxTowKg: weight.mstow,
  maxLdwKg: weight.mslw,
  weights: {
    oew: weight.oew,
    mzfw: weight.mzfw,
    mslw: Math.min(weight.mslw, weight.performanceLimitedWeight ?? Infinity),
    mstow: weight.mstow,
  },
  windLimits: landing.windLimit,
});

/** Keys of the profiles with this registration: own ones first, then those of the caller's airlines. */
const keysOf = async (registration: string, { aircraft, caller }: ProfileCall): Promise<AircraftKey[]> => {
  const owners = [{ userId: caller.userId }, ...airlinesOf(caller).map((vaId) => ({ vaId }))];
  const fleets = await Promise.all(owners.map((owner) => aircraft.fleetOf(owner)));
  return fleets
    .flatMap(({ profiles }) => profiles)
    .filter((profile) => isSameRegistration(profile.registration, registration))
    .map((profile) => ({
      file: fileOf(profile),
      userRegistration: profile.registration,
      virtualAirline: profile.vaName,
    }));
};

/** Null for a profile that cannot be used: its plan is then matched like one without it. */
const loaded = async (
  key: AircraftKey,
  { aircraft, caller }: ProfileCall,
): Promise<MatchCandidate | null> => {
  try {
    const found = await aircraft.find(key, caller);
    return found && candidateOf(found, key);
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
};

export const profileOf = async (
  { aircraft: planned }: Pick<OfpPlanned, 'aircraft'>,
  call: ProfileCall,
): Promise<Matched | null> => {
  const { registration } = planned;
  const keys = registration === null ? [] : await keysOf(registration, call);
  const own = await Promise.all(keys.map((key) => loaded(key, call)));
  const standard = call.aircraft.standard.profiles.map((profile) =>
    candidateOf({ profile }, { file: profile.id, userRegistration: null, virtualAirline: null }),
  );
  return matchProfile(planned, [...own.filter((one) => one !== null), ...standard]);
};
