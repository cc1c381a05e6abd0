import { z } from 'zod';
import { deleteProfile } from '#commands/fleet/delete-profile.ts';
import { registrationField } from '#domain/fleet/fields.ts';
import { ownerKey } from '#domain/fleet/types.ts';
import { expectedVersionField } from '#domain/fields/revision.ts';
import { vaFields } from '#domain/virtual-airlines/fields.ts';
import { defineQuery } from '../../define.ts';
import { deleteErrors } from './common/errors.ts';
import { asDatabaseError } from './common/failures.ts';
import { fleetToChange } from './common/owner.ts';

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
  // The cache is dropped after the commit.
  tx: 'manual',
  example: { registration: 'D-AIZA' },
  handler: async ({ input, caller, caches, transaction, jobs, log }) => {
    const { registration, expectedVersion } = input;
    const { owner, permit } = await fleetToChange(transaction, caller, input);
    await asDatabaseError(log(), () =>
      transaction(async (tx) => {
        await permit(tx);
        await deleteProfile(tx, { jobs }, { owner, registration, expectedVersion });
      }),
    );
    caches.fleets.drop(ownerKey(owner));
    caches.communityFleet.clear();
    return { registration, deleted: true } as const;
  },
});
