/** A fleet profile with the JSON of itself and of its parents. */
import { z } from 'zod';
import { mergeChain } from '#domain/fleet/aircraft.ts';
import { fleetIdentity, fleetIdentitySchema } from '#domain/fleet/row.ts';
import type { Fleet, FleetProfile } from '#domain/fleet/types.ts';
import type { AircraftLibrary } from '../../../services/aircraft-library.ts';

const jsonSchema = z.record(z.string(), z.unknown());

export const profileSchema = z.strictObject({
  fleetRow: fleetIdentitySchema,
  master: jsonSchema
    .nullable()
    .describe('the parents merged, without the standard aircraft; null when that is the parent'),
  overrides: jsonSchema.describe('the JSON of this profile'),
  merged: jsonSchema.describe('overrides over master; calculations use it over the standard aircraft'),
});

/** Throws FILE_NOT_FOUND. */
export const profileView = async (
  fleet: Fleet,
  profile: FleetProfile,
  { fleets }: Pick<AircraftLibrary, 'fleets'>,
): Promise<z.output<typeof profileSchema>> => {
  const chain = await fleets.chainOf(fleet, profile);
  const [overrides = {}, ...parents] = chain;
  return {
    fleetRow: fleetIdentity(profile),
    master: parents.length === 0 ? null : mergeChain(parents),
    overrides,
    merged: mergeChain(chain),
  };
};
