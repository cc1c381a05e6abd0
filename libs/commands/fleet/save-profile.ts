import { DomainError } from '#domain/errors.ts';
import { assertExpected } from '#domain/fields/revision.ts';
import type { SavePlan } from '#domain/fleet/base.ts';
import { fleetIdentity } from '#domain/fleet/row.ts';
import type { Fleet, FleetOwner } from '#domain/fleet/types.ts';
import { fileDelete } from '#domain/jobs/file-delete.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import { fleetRepo, fleetWrites } from '#data/postgres/fleet/fleet.ts';
import type { ProfileSave } from '#data/postgres/fleet/fleet.ts';
import type { Tx } from '#data/postgres/sql.ts';

/** The fleet has changed since the profile was checked: to be checked again. */
export class FleetChangedError extends Error {
  override name = 'FleetChangedError';
}

export interface CheckedSave {
  owner: FleetOwner;
  profile: Omit<ProfileSave, 'owner' | 'baseId' | 'standardId'>;
  /** The version of the plan for which the profile was checked. */
  version: string;
  planOf: (fleet: Fleet) => SavePlan;
  /** Undefined: no check; 0: there must be none of this registration. */
  expectedVersion?: number | undefined;
}

/** A call that meets the deletion of its account. */
const gone = (owner: FleetOwner): DomainError =>
  'userId' in owner
    ? new DomainError('AUTH_REQUIRED', {}, 'The account has been deleted.')
    : new DomainError('NOT_FOUND', {}, 'The virtual airline no longer exists.');

/**
 * Stores the row of a profile whose file has been written and returns its revision; the file of the previous version is deleted after the commit.
 * Throws FleetChangedError when parents or heirs are no longer those that were checked, the errors of the plan,
 * and VERSION_CONFLICT with the `current` row.
 */
export const saveProfile = async (
  tx: Tx,
  { jobs }: { jobs: JobProducer<Tx> },
  { owner, profile, version, planOf, expectedVersion }: CheckedSave,
): Promise<number> => {
  const fleet = fleetWrites(tx);
  if (!(await fleet.lock(owner))) throw gone(owner);
  const plan = planOf(await fleetRepo(tx).ofOwner(owner));
  if (plan.version !== version) throw new FleetChangedError('the fleet has changed meanwhile');
  const { base, existing } = plan;
  assertExpected(expectedVersion, existing && fleetIdentity(existing));
  const row: ProfileSave = {
    ...profile,
    owner,
    baseId: base.kind === 'profile' ? base.profile.id : null,
    standardId: base.kind === 'standard' ? base.id : null,
  };
  if (!existing) return fleet.insert(row);
  const revision = await fleet.update(existing.id, row);
  await jobs.enqueue(tx, fileDelete, { keys: [existing.key] });
  return revision;
};
