import type { Deps } from '#commands/deps.ts';
import { DomainError } from '#domain/errors.ts';
import { deletionView } from '#domain/fields/deletion.ts';
import type { Deletion, IfDeleted } from '#domain/fields/deletion.ts';
import { assertExpected } from '#domain/fields/revision.ts';
import type { SavePlan } from '#domain/fleet/base.ts';
import { fleetIdentity } from '#domain/fleet/row.ts';
import { ownerKey } from '#domain/fleet/types.ts';
import type { Fleet, FleetOwner } from '#domain/fleet/types.ts';
import { fileDelete } from '#domain/jobs/file-delete.ts';
import { fleetRepo, fleetWrites } from '#store/postgres/fleet/fleet.ts';
import type { ProfileSave } from '#store/postgres/fleet/fleet.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { tombstoneRepo } from '#store/postgres/sync/tombstones.ts';

/** The fleet has changed since the profile was checked: to be checked again. */
export class FleetChangedError extends Error {
  override name = 'FleetChangedError';
}

interface CheckedSave {
  owner: FleetOwner;
  profile: Omit<ProfileSave, 'owner' | 'baseId' | 'standardId'>;
  /** The version of the plan for which the profile was checked. */
  version: string;
  planOf: (fleet: Fleet) => SavePlan;
  /** Undefined: no check; 0: there must be none of this registration. */
  expectedVersion?: number | undefined;
  ifDeleted?: IfDeleted;
}

export interface StoredProfile {
  id: number;
  revision: number;
  /** Of the profile that this one has brought back. */
  deletion: Deletion | null;
}

/** A call that meets the deletion of its account. */
const gone = (owner: FleetOwner): DomainError =>
  'userId' in owner
    ? new DomainError('AUTH_REQUIRED', {}, 'The account has been deleted.')
    : new DomainError('NOT_FOUND', {}, 'The virtual airline no longer exists.');

/**
 * Stores the row of a profile whose file has been written; the file of the previous version is deleted after the commit.
 * Throws FleetChangedError when parents or heirs are no longer those that were checked, the errors of the plan,
 * VERSION_CONFLICT with the `current` row, and PROFILE_DELETED.
 */
export const saveProfile = async (
  tx: Tx,
  { jobs }: Deps<'jobs'>,
  { owner, profile, version, planOf, expectedVersion, ifDeleted }: CheckedSave,
): Promise<StoredProfile> => {
  const fleet = fleetWrites(tx);
  if (!(await fleet.lock(owner))) throw gone(owner);
  const plan = planOf(await fleetRepo(tx).ofOwner(owner));
  if (plan.version !== version) throw new FleetChangedError('the fleet has changed meanwhile');
  const { base, existing } = plan;
  const deletion = existing
    ? null
    : await tombstoneRepo(tx).of('fleet', ownerKey(owner), profile.registration);
  if (deletion && ifDeleted === 'refuse') throw new DomainError('PROFILE_DELETED', deletionView(deletion));
  // Who wants it back has not seen its deletion.
  if (!(deletion && ifDeleted === 'recreate'))
    assertExpected(expectedVersion, existing && fleetIdentity(existing));
  const row: ProfileSave = {
    ...profile,
    owner,
    baseId: base.kind === 'profile' ? base.profile.id : null,
    standardId: base.kind === 'standard' ? base.id : null,
  };
  if (!existing) return { ...(await fleet.insert(row)), deletion };
  const updated = await fleet.update(existing.id, row);
  if (existing.registration !== profile.registration) await fleet.raiseHeirs(existing.id);
  await jobs.enqueue(tx, fileDelete, { keys: [existing.key] });
  return { ...updated, deletion: null };
};

/**
 * Deletes a profile with its file. Throws NOT_FOUND, and PROFILE_IN_USE with `dependents`, the registrations that are
 * based on it; VERSION_CONFLICT with the `current` row when it has another revision than expected.
 */
export const deleteProfile = async (
  tx: Tx,
  { jobs }: Deps<'jobs'>,
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
