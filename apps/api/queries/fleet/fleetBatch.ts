import { z } from 'zod';
import { maxRegistration, registrationField } from '#domain/fleet/fields.ts';
import { listField, textField } from '#domain/fields/index.ts';
import { maxSeveral, several, severalShape } from '#domain/sync/several.ts';
import { vaFields } from '#domain/virtual-airlines/fields.ts';
import { defineQuery } from '../../define.ts';
import { fleetToRead, profileSchema, profileView, readErrors } from './common/fleet.ts';

// Unknown profiles are `missing`.
const { NOT_FOUND: _, ...errors } = readErrors;

export default defineQuery({
  name: 'fleetBatch',
  spec: ['2.4', '4.3'],
  summary: `Up to ${maxSeveral} profiles of one fleet, each as in fleetGet, as far as they fit into 2 MB.`,
  dialect: 'checklist',
  errors: { ...errors, MISSING_FIELD: 400, INVALID_FIELD: 400 },
  input: z.strictObject({
    registrations: listField(registrationField(), { min: 1, max: maxSeveral }),
    ...vaFields(),
  }),
  output: z.strictObject(severalShape(profileSchema, textField(maxRegistration), textField(maxRegistration))),
  example: { registrations: ['D-AIZA', 'D-AIZB'] },
  handler: async ({ input, caller, db, aircraft }) => {
    const fleet = await fleetToRead(db, caller, input);
    return several([...new Set(input.registrations)], async (registration) => {
      const profile = fleet.find((each) => each.registration === registration);
      return profile ? profileView(fleet, profile, aircraft) : null;
    });
  },
});
