import { z } from 'zod';
import { deleteProfile } from '#commands/fleet.ts';
import { registrationField } from '#domain/fleet/fields.ts';
import { expectedVersionField } from '#domain/fields/revision.ts';
import { vaFields } from '#domain/virtual-airlines/fields.ts';
import { defineQuery } from '../../define.ts';
import { asDatabaseError, deleteErrors, fleetToChange } from './common/fleet.ts';

export default defineQuery({
  name: 'fleetDelete',
  spec: ['2.4', '4.3'],
  summary: 'Deletes a fleet profile for good, unless others are based on it.',
  auth: 'jwt',
  devKey: null,
  dialect: 'checklist',
  errors: deleteErrors,
  input: z.object({
    registration: registrationField(),
    expectedVersion: expectedVersionField(),
    ...vaFields(),
  }),
  output: z.strictObject({ registration: z.string(), deleted: z.literal(true) }),
  // The fleet is found in a transaction of its own.
  tx: 'manual',
  example: { registration: 'D-AIZA' },
  handler: async (ctx) => {
    const { input, transaction, jobs, log } = ctx;
    const { registration, expectedVersion } = input;
    const { owner, permit } = await fleetToChange(ctx, input);
    await asDatabaseError(log(), () =>
      transaction(async (tx) => {
        await permit(tx);
        await deleteProfile(tx, { jobs }, { owner, registration, expectedVersion });
      }),
    );
    return { registration, deleted: true } as const;
  },
});
