import { z } from 'zod';
import { registrationField } from '#domain/fleet/fields.ts';
import { DomainError } from '#domain/errors.ts';
import { assertExpected, expectedVersionField } from '#domain/fields/revision.ts';
import { fleetIdentity } from '#domain/fleet/row.ts';
import { fileDelete } from '#domain/jobs/contracts.ts';
import { vaFields } from '#domain/virtual-airlines/fields.ts';
import { fleetRepo, fleetWrites } from '#store/postgres/fleet/fleet.ts';
import { defineQuery } from '../../define.ts';
import { asDatabaseError, deleteErrors, fleetToChange } from './common/fleet.ts';

export default defineQuery({
  name: 'fleetDelete',
  spec: ['2.4', '4.3'],
  summary: 'Permanently deletes a fleet profile, unless others are based on it.',
  dialect: 'checklist',
  errors: deleteErrors,
  input: z.strictObject({
    registration: registrationField(),
    expectedVersion: expectedVersionField(),
    ...vaFields(),
  }),
  output: z.strictObject({ registration: z.string(), deleted: z.literal(true) }),
  // The fleet is looked up in a separate transaction.
  tx: 'manual',
  example: { registration: 'D-AIZA' },
  handler: async (ctx) => {
    const { input, transaction, jobs, log } = ctx;
    const { registration, expectedVersion } = input;
    const { owner, permit } = await fleetToChange(ctx, input);
    await asDatabaseError(log(), () =>
      transaction(async (tx) => {
        await permit(tx);
        await fleetWrites(tx).lock(owner);
        const profiles = await fleetRepo(tx).ofOwner(owner);
        const profile = profiles.find((each) => each.registration === registration);
        if (!profile)
          throw new DomainError('NOT_FOUND', {}, `There is no profile ${registration} in this fleet.`);
        assertExpected(expectedVersion, fleetIdentity(profile));
        const dependents = profiles
          .filter(({ baseId }) => baseId === profile.id)
          .map((each) => each.registration);
        if (dependents.length > 0)
          throw new DomainError(
            'PROFILE_IN_USE',
            { dependents },
            `${registration} is the base of ${dependents.slice(0, 10).join(', ')}: delete those or base them on another profile first.`,
          );
        await fleetWrites(tx).remove(profile.id);
        await jobs.enqueue(tx, fileDelete, { keys: [profile.key] });
      }),
    );
    return { registration, deleted: true } as const;
  },
});
