import { DomainError } from '#domain/errors.ts';
import { assertExpected } from '#domain/fields/revision.ts';
import { fleetIdentity } from '#domain/fleet/row.ts';
import type { FleetOwner } from '#domain/fleet/types.ts';
import { fileDelete } from '#domain/jobs/file-delete.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import { fleetRepo, fleetWrites } from '#store/postgres/fleet/fleet.ts';
import type { Tx } from '#store/postgres/sql.ts';

/**
 * Deletes a profile with its file. Throws NOT_FOUND, and PROFILE_IN_USE with `dependents`, the registrations that are
 * based on it; VERSION_CONFLICT with the `current` row when it has another revision than expected.
 */
export const deleteProfile = async (
  tx: Tx,
  { jobs }: { jobs: JobProducer<Tx> },
  {
    owner,
    registration,
    expectedVersion,
  }: { owner: FleetOwner; registration: string; expectedVersion?: number | undefined },
): Promise<void> => {
  await fleetWrites(tx).lock(owner);
  const { profiles } = await fleetRepo(tx).ofOwner(owner);
  const profile = profiles.find((each) => each.registration === registration);
  if (!profile) throw new DomainError('NOT_FOUND', {}, `There is no profile ${registration} in this fleet.`);
  assertExpected(expectedVersion, fleetIdentity(profile));
  const dependents = profiles.filter(({ baseId }) => baseId === profile.id).map((each) => each.registration);
  if (dependents.length > 0)
    throw new DomainError(
      'PROFILE_IN_USE',
      { dependents },
      `${registration} is the base of ${dependents.slice(0, 10).join(', ')}: delete those or base them on another profile first.`,
    );
  await fleetWrites(tx).remove(profile.id);
  await jobs.enqueue(tx, fileDelete, { keys: [profile.key] });
};
