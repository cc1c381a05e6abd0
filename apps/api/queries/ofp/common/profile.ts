/** The aircraft profile that a plan is for: of the caller's fleets by registration, else a standard one by type. */
import { DomainError } from '#domain/errors.ts';
import { fileOf } from '#domain/fleet/row.ts';
import { airlinesOf } from '#domain/fleet/types.ts';
import type { FleetProfile } from '#domain/fleet/types.ts';
import type { OfpPlanned } from '#domain/ofp/planned.ts';
import { isSameRegistration, matchProfile } from '#domain/ofp/profile-match.ts';
import type { MatchCandidate, Matched } from '#domain/ofp/profile-match.ts';
import type { Caller } from '#domain/users/types.ts';
import { fleetRepo } from '#data/postgres/fleet/fleet.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import type { Tools } from '../../../handler-context.ts';

interface ProfileCall extends Pick<Tools, 'aircraft'> {
  db: ReadDb;
  caller: Caller;
}

/**
 * Rows of the profiles with this registration: own ones first, then those of the caller's airlines; else of those that plans of it were
 * imported with, under whatever name they have now.
 */
const rowsOf = async (
  registration: string,
  formerIds: readonly number[],
  { db, aircraft, caller }: ProfileCall,
): Promise<FleetProfile[]> => {
  const owners = [{ userId: caller.userId }, ...airlinesOf(caller).map((vaId) => ({ vaId }))];
  const fleets = await Promise.all(owners.map((owner) => aircraft.fleetOf(owner)));
  const named = fleets
    .flatMap(({ profiles }) => profiles)
    .filter((profile) => isSameRegistration(profile.registration, registration));
  if (named.length > 0) return named;
  const rows = await Promise.all(formerIds.map((id) => fleetRepo(db).byId(id)));
  return rows.filter((row) => row !== null);
};

/** Null for a profile that cannot be used: its plan is then matched like one without it. */
const loaded = async (
  row: FleetProfile,
  { aircraft, caller }: ProfileCall,
): Promise<MatchCandidate | null> => {
  const key = { file: fileOf(row), userRegistration: row.registration, virtualAirline: row.vaName };
  try {
    const found = await aircraft.find(key, caller);
    return found && { ...found, key, fleetId: row.id };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
};

/** `formerIds`: rows of profiles that plans of this registration were imported with. */
export const profileOf = async (
  { aircraft: planned }: Pick<OfpPlanned, 'aircraft'>,
  formerIds: readonly number[],
  call: ProfileCall,
): Promise<Matched | null> => {
  const { registration } = planned;
  const rows = registration === null ? [] : await rowsOf(registration, formerIds, call);
  const own = await Promise.all(rows.map((row) => loaded(row, call)));
  const standard = call.aircraft.standard.profiles.map((profile) => ({
    key: { file: profile.id, userRegistration: null, virtualAirline: null },
    fleetId: null,
    profile,
  }));
  return matchProfile(planned, [...own.filter((one) => one !== null), ...standard]);
};
