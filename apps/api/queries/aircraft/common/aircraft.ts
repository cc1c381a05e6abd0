import { z } from 'zod';
import { closeNames, normalisedName } from '#domain/fields/nearest.ts';
import { airlinesOf } from '#domain/fleet/types.ts';
import type { FleetOwner, FleetProfile } from '#domain/fleet/types.ts';
import type { Caller } from '#domain/users/types.ts';
import { isSameVaName } from '#domain/virtual-airlines/admin-gate.ts';
import type { ErrorTable } from '../../../errors.ts';
import type { AircraftKey, AircraftLibrary } from '../../../services/aircraft-library.ts';

/** Errors of `aircraft.find`. */
export const aircraftErrors = {
  AIRCRAFT_NOT_FOUND: {
    status: 404,
    message: 'Unknown aircraft profile.',
    // Absent for a fleet profile whose standard aircraft no longer exists.
    extra: z.strictObject({
      nearest: z.array(z.string()).optional(),
      offered: z.array(z.string()).optional(),
    }),
  },
  AIRCRAFT_INVALID: { status: 422, message: 'The engine refuses this profile.' },
  FILE_NOT_FOUND: { status: 500, message: 'The file of this profile is missing.' },
} as const satisfies ErrorTable;

/** A fleet may be larger; the list offers a choice and is not paged. */
const maxOffered = 50;

const profilesOf = async (
  aircraft: AircraftLibrary,
  owners: readonly FleetOwner[],
): Promise<FleetProfile[]> => (await Promise.all(owners.map(aircraft.fleetOf))).flat();

interface Unknown {
  extra: { nearest: string[]; offered: string[] };
  hint: string | null;
}

const answer = (given: string, names: readonly string[]): Unknown['extra'] => ({
  nearest: closeNames(given, names),
  offered: names.slice(0, maxOffered),
});

type Profiles = AircraftLibrary['standard']['profiles'];

/** Neo variants end with N or NX. */
const isOfNeo = (id: string): boolean => /\dNX?$/.test(id);

/**
 * Profiles for a spoken name, such as `Boeing 737-800` or `A320neo`: by the longest variant in the text, then by its
 * number.
 */
const spokenOf = (given: string, profiles: Profiles): string[] => {
  const isNeo = /neo/i.test(given);
  const said = normalisedName(given.replace(/neo|max/i, ''));
  const numberOf = (variant: string) => /^A?\d{3}/i.exec(variant)?.[0] ?? variant;
  const within = (nameOf: (variant: string) => string) =>
    profiles
      .filter(({ model }) => said.includes(normalisedName(nameOf(model.variant))))
      .toSorted((a, b) => nameOf(b.model.variant).length - nameOf(a.model.variant).length)
      .toSorted((a, b) => (isNeo ? Number(isOfNeo(b.id)) - Number(isOfNeo(a.id)) : 0));
  return [...within((variant) => variant), ...within(numberOf)].map(({ id }) => id);
};

export const unknownStandard = (profiles: Profiles, file: string): Unknown => {
  const { nearest, offered } = answer(
    file,
    profiles.map(({ id }) => id),
  );
  // Flight plans and simulators use the type designator, `B738`.
  const type = file.trim().toUpperCase();
  const ofType = profiles.filter(({ model }) => model.type === type).map(({ id }) => id);
  return {
    extra: { nearest: [...new Set([...ofType, ...spokenOf(file, profiles), ...nearest])], offered },
    hint: ofType.length === 0 ? null : `${type} is a type; its profiles are ${ofType.join(', ')}`,
  };
};

/**
 * Alternatives to an unknown aircraft: standard profiles, or registrations in the fleet of the caller or the airline.
 * Only those that `allowedAircrafts` shows to this caller.
 */
export const unknownAircraft = async (
  { aircraft }: { aircraft: AircraftLibrary },
  { file, userRegistration, virtualAirline }: AircraftKey,
  caller: Caller,
): Promise<Unknown> => {
  if (userRegistration === null && virtualAirline === null)
    return unknownStandard(aircraft.standard.profiles, file);
  const owners =
    virtualAirline === null ? [{ userId: caller.userId }] : airlinesOf(caller).map((vaId) => ({ vaId }));
  const profiles = (await profilesOf(aircraft, owners)).filter(
    ({ vaName }) => virtualAirline === null || isSameVaName(vaName ?? '', virtualAirline),
  );
  const registrations = profiles.map(({ registration }) => registration);
  const owner = virtualAirline === null ? 'your fleet' : `the fleet of ${virtualAirline}`;
  const has =
    registrations.length === 0 ? 'which has no profile that you may use' : 'see nearest and offered';
  return {
    extra: answer(userRegistration ?? '', registrations),
    hint: `${userRegistration ?? 'a profile without registration'} is not in ${owner}, ${has}`,
  };
};
