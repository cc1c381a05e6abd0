import { DomainError } from '#domain/errors.ts';
import { isSameFile, userOfFile } from '#domain/fleet/file-name.ts';
import { fileOf } from '#domain/fleet/row.ts';
import { airlinesOf } from '#domain/fleet/types.ts';
import type { Fleet, FleetOwner, FleetProfile } from '#domain/fleet/types.ts';
import type { Caller } from '#domain/users/types.ts';
import { isSameVaName } from '#domain/virtual-airlines/admin-gate.ts';
import { createBatch } from '#platform/batch.ts';
import { fleetRepo } from '#store/postgres/fleet/fleet.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { vaRepo } from '#store/postgres/virtual-airlines/virtual-airlines.ts';
import type { Fleets } from './fleets.ts';
import type { LoadedAircraft, StandardAircraft } from './standard-aircraft.ts';

/** The three keys of an aircraft (M-2.8.1). */
export interface AircraftKey {
  file: string;
  userRegistration: string | null;
  virtualAirline: string | null;
}

type Reader = Pick<Caller, 'userId' | 'vaIds' | 'vaAdmin'>;

interface Found {
  fleet: Fleet;
  profile: FleetProfile;
}

export const createAircraftLibrary = (standard: StandardAircraft, fleets: Fleets, db: ReadDb) => {
  /** Concurrent calls share a statement. */
  const fleetOf = createBatch(fleetRepo(db).ofOwners);

  const inFleet = async (owner: FleetOwner, registration: string): Promise<Found | null> => {
    const fleet = await fleetOf(owner);
    const profile = fleet.find((each) => each.registration === registration);
    return profile ? { fleet, profile } : null;
  };

  /** A profile is named by its own file or by that of its standard aircraft. */
  const namedBy = (file: string, found: Found | null): Found | null => {
    if (!found || isSameFile(fileOf(found.profile), file)) return found;
    const base = standard.named(file.replace(/\.json$/i, ''));
    return base !== null && base.file === fleets.standardOf(found.fleet, found.profile)?.file ? found : null;
  };

  const ofUser = async (file: string, registration: string, { userId }: Reader): Promise<Found | null> => {
    const owner = userOfFile(file) ?? userId;
    const found = namedBy(file, await inFleet({ userId: owner }, registration));
    return found && (owner === userId || found.profile.isShared) ? found : null;
  };

  const ofAirline = async (registration: string, name: string, caller: Reader): Promise<Found | null> => {
    for (const id of airlinesOf(caller)) {
      const found = await inFleet({ vaId: id }, registration);
      if (found && isSameVaName(found.profile.vaName ?? '', name)) return found;
    }
    const vaId =
      caller.vaAdmin?.scope === 'FULL'
        ? ((await vaRepo(db).byName(name.trim()))?.id ?? null)
        : await fleetRepo(db).sharingAirline(name.trim(), registration);
    return vaId === null ? null : inFleet({ vaId }, registration);
  };

  const loaded = async ({ fleet, profile }: Found): Promise<LoadedAircraft> => {
    const made = await fleets.aircraftOf(fleet, profile);
    const base = fleets.standardOf(fleet, profile);
    if ('profile' in made)
      return {
        profile: made.profile,
        file: fileOf(profile),
        ...(base ? { standard: base.profile } : {}),
      };
    const { registration } = profile;
    throw new DomainError(
      'AIRCRAFT_INVALID',
      {},
      `${registration} cannot be used: ${made.problems.join('; ')}`,
    );
  };

  const search = async (key: AircraftKey, caller: Reader): Promise<Found | null> => {
    const registration = (key.userRegistration ?? '').trim().toUpperCase();
    return key.virtualAirline === null
      ? ofUser(key.file, registration, caller)
      : namedBy(key.file, await ofAirline(registration, key.virtualAirline, caller));
  };

  const findInFleets = async (key: AircraftKey, caller: Reader): Promise<LoadedAircraft | null> => {
    const found = await search(key, caller);
    if (!found) return null;
    try {
      return await loaded(found);
    } catch (error) {
      // A save has replaced the file meanwhile.
      if (!(error instanceof DomainError) || error.code !== 'FILE_NOT_FOUND') throw error;
      const again = await search(key, caller);
      if (!again || again.profile.key === found.profile.key) throw error;
      return loaded(again);
    }
  };

  return {
    standard,
    fleets,
    /**
     * The aircraft with these keys that the caller may use: standard, own, an airline's, or shared. Null when there is
     * none; throws FILE_NOT_FOUND, and AIRCRAFT_INVALID for a stored profile that this version of the engine refuses.
     */
    find: (key: AircraftKey, caller: Reader) =>
      key.userRegistration === null && key.virtualAirline === null
        ? (standard.find(key.file) ?? standard.named(key.file))
        : findInFleets(key, caller),
    fleetOf,
    /** Catalogue entries of an owner's fleet. */
    entriesOf: async (owner: FleetOwner) => fleets.entriesOf(await fleetOf(owner)),
  };
};

export type AircraftLibrary = ReturnType<typeof createAircraftLibrary>;
