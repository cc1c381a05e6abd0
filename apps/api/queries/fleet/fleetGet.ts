import { z } from 'zod';
import { mergeChain } from '#domain/fleet/aircraft.ts';
import { registrationField } from '#domain/fleet/fields.ts';
import { fleetIdentity, fleetIdentitySchema } from '#domain/fleet/row.ts';
import { vaFields } from '#domain/virtual-airlines/fields.ts';
import { fleetRepo } from '#data/postgres/fleet/fleet.ts';
import { defineQuery } from '../../define.ts';
import { readErrors } from './common/errors.ts';
import { fleetToRead } from './common/owner.ts';

const jsonSchema = z.record(z.string(), z.unknown());

export default defineQuery({
  name: 'fleetGet',
  get: { maxAgeSeconds: 0 },
  spec: ['2.4', '4.3'],
  summary: 'One fleet profile with its own JSON, that of its parents, and both merged.',
  auth: 'jwt',
  devKey: null,
  dialect: 'checklist',
  errors: readErrors,
  input: z.object({ registration: registrationField(), ...vaFields() }),
  output: z.strictObject({
    fleetRow: fleetIdentitySchema,
    master: jsonSchema
      .nullable()
      .describe('the parents merged, without the standard aircraft; null when that is the parent'),
    overrides: jsonSchema.describe('the JSON of this profile'),
    merged: jsonSchema.describe('overrides over master; calculations use it over the standard aircraft'),
  }),
  tx: 'read',
  example: { registration: 'D-AIZA' },
  handler: async ({ input, caller, db, aircraft, fail }) => {
    // From the database: an editor shows what was saved a moment ago, by any process.
    const fleet = await fleetRepo(db).ofOwner(await fleetToRead(db).of(caller, input));
    const profile = fleet.profiles.find(({ registration }) => registration === input.registration);
    if (!profile) throw fail('NOT_FOUND');
    const chain = await aircraft.fleets.chainOf(fleet, profile);
    const [overrides = {}, ...parents] = chain;
    return {
      fleetRow: fleetIdentity(profile),
      master: parents.length === 0 ? null : mergeChain(parents),
      overrides,
      merged: mergeChain(chain),
    };
  },
});
