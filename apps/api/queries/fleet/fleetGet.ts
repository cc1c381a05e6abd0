import { z } from 'zod';
import { registrationField } from '#domain/fleet/fields.ts';
import { vaFields } from '#domain/virtual-airlines/fields.ts';
import { defineQuery } from '../../define.ts';
import { fleetToRead, profileSchema, profileView, readErrors } from './common/fleet.ts';

export default defineQuery({
  name: 'fleetGet',
  get: { maxAgeSeconds: 0 },
  spec: ['2.4', '4.3'],
  summary: "One fleet profile with its own JSON, its parents' JSON, and the merged result.",
  dialect: 'checklist',
  errors: readErrors,
  input: z.strictObject({ registration: registrationField(), ...vaFields() }),
  output: profileSchema,
  example: { registration: 'D-AIZA' },
  handler: async ({ input, caller, db, aircraft, fail }) => {
    const fleet = await fleetToRead(db, caller, input);
    const profile = fleet.find(({ registration }) => registration === input.registration);
    if (!profile) throw fail('NOT_FOUND');
    return profileView(fleet, profile, aircraft);
  },
});
