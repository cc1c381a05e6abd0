import { closeNames } from '#domain/fields/nearest.ts';
import { airlinesOf, ownerKey } from '#domain/fleet/types.ts';
import type { FleetProfile } from '#domain/fleet/types.ts';
import type { Caller } from '#domain/users/types.ts';
import { isSameVaName } from '#domain/virtual-airlines/admin-gate.ts';
import type { AircraftKey, AircraftLibrary } from '../services/aircraft-library.ts';
import type { Caches } from '../services/caches.ts';

/** A fleet may be larger; the list is to choose from, not to page through. */
const maxOffered = 50;

interface Parts {
  aircraft: AircraftLibrary;
  caches: Pick<Caches, 'fleets'>;
}

const fleetsOf = async (caches: Parts['caches'], owners: readonly string[]): Promise<FleetProfile[]> =>
  (await Promise.all(owners.map((owner) => caches.fleets.get(owner)))).flatMap(({ profiles }) => [
    ...profiles,
  ]);

/**
 * What there is instead of an unknown aircraft: standard profiles, or the registrations of the caller's own fleet or of
 * the airline. Only what `allowedAircrafts` shows to this caller.
 */
export const unknownAircraft = async (
  { aircraft, caches }: Parts,
  { file, userRegistration, virtualAirline }: AircraftKey,
  caller: Caller,
): Promise<{ nearest: string[]; offered: string[] }> => {
  const answer = (given: string, names: readonly string[]) => ({
    nearest: closeNames(given, names),
    offered: names.slice(0, maxOffered),
  });
  if (userRegistration === null && virtualAirline === null)
    return answer(
      file,
      aircraft.standard.profiles.map(({ id }) => id),
    );
  const owners =
    virtualAirline === null
      ? [ownerKey({ userId: caller.userId })]
      : airlinesOf(caller).map((vaId) => ownerKey({ vaId }));
  const profiles = (await fleetsOf(caches, owners)).filter(
    ({ vaName }) => virtualAirline === null || isSameVaName(vaName ?? '', virtualAirline),
  );
  return answer(
    userRegistration ?? '',
    profiles.map(({ registration }) => registration),
  );
};
