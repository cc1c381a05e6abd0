/** Saves a fleet profile: checks it with all profiles that inherit from it, then stores file and row together. */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Deps } from '#commands/deps.ts';
import { fleetRepo, fleetWrites } from '#store/postgres/fleet/fleet.ts';
import type { ProfileSave } from '#store/postgres/fleet/fleet.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { withNewFile } from '#store/storage/with-new-file.ts';
import type { FileWriting } from '#store/storage/with-new-file.ts';
import { tombstoneRepo } from '#store/postgres/sync/row-changes.ts';
import { DomainError } from '#domain/errors.ts';
import { deletionView } from '#domain/fields/deletion.ts';
import type { Deletion, IfDeleted } from '#domain/fields/deletion.ts';
import { assertExpected } from '#domain/fields/revision.ts';
import { planSave } from '#domain/fleet/base.ts';
import { fleetFileName, fleetKey } from '#domain/fleet/file-name.ts';
import type { JsonObject } from '#domain/fleet/merge.ts';
import { profileToStore } from '#domain/fleet/profile-data.ts';
import { fleetIdentity } from '#domain/fleet/row.ts';
import { ownerKey } from '#domain/fleet/types.ts';
import type { Fleet, FleetOwner } from '#domain/fleet/types.ts';
import { fileDelete } from '#domain/jobs/contracts.ts';
import { wireTime } from '#domain/time.ts';
import type { StorageQuota } from '#domain/users/storage.ts';
import { aircraftProfileSchema } from '#domain/aircraft/profile.ts';
import { refusedLines, unknownKeys } from '#domain/fields/unknown-keys.ts';
import { fleetAircraft } from '#domain/fleet/aircraft.ts';
import type { SavePlan } from '#domain/fleet/base.ts';
import { chainOf } from '#domain/fleet/chain.ts';
import { mergeProfiles } from '#domain/fleet/merge.ts';
import { checkFleetProfile } from '#perf/check/profile.ts';
import type { Needs } from '../../../handler-context.ts';
import { commonError, declaredError } from '../../../errors.ts';
import type { AircraftLibrary } from '../../../services/aircraft-library.ts';
import { unknownStandard } from '../../aircraft/common/aircraft.ts';
import { withinStorage } from '../../users/common/users.ts';
import { asDatabaseError, asFileError, saveErrors } from './fleet.ts';
import type { LoadedAircraft } from '../../../services/standard-aircraft.ts';

interface SaveInput extends Pick<ProfileSave, 'registration' | 'flightSim' | 'addon' | 'isShared'> {
  /** The previous registration, when it changes. */
  renameFrom?: string | null | undefined;
  basedOnProfile: string;
  profileData: JsonObject;
  /** Null: inherited from the parent. Undefined: unchanged, or inherited in a new profile. */
  variant?: string | null | undefined;
  engines?: string | null | undefined;
  engineTimeLimitS: number | null | undefined;
  /** Undefined: no check; 0: the registration must be unused. */
  expectedVersion?: number | undefined;
  ifDeleted?: IfDeleted;
}

interface SaveCall extends Needs<
  'storage' | 'jobs' | 'clock' | 'aircraft' | 'db' | 'transaction' | 'log' | 'created'
> {
  prepare: FileWriting['prepare'];
  /** Throws if the caller may not change this fleet; otherwise locks the permission until the commit. */
  permit: (tx: Tx) => Promise<unknown>;
  /** Null for an airline's fleet. */
  quota: StorageQuota | null;
}

/** The fleet has changed since the profile was checked, so it must be checked again. */
class FleetChangedError extends Error {
  override name = 'FleetChangedError';
}

interface CheckedSave extends Pick<SaveInput, 'expectedVersion' | 'ifDeleted'> {
  owner: FleetOwner;
  profile: Omit<ProfileSave, 'owner' | 'baseId' | 'standardId'>;
  /** The fleet version for which the profile was checked. */
  version: string;
  planOf: (fleet: Fleet) => SavePlan;
}

interface StoredProfile {
  id: number;
  revision: number;
  /** The deletion that this save has undone. */
  deletion: Deletion | null;
}

/** The account is deleted at the same moment. */
const gone = (owner: FleetOwner): DomainError =>
  'userId' in owner
    ? new DomainError('AUTH_REQUIRED', {}, 'The account has been deleted.')
    : new DomainError('NOT_FOUND', {}, 'The virtual airline no longer exists.');

/**
 * Stores the row of a profile whose file is written; the previous file is deleted after the commit. Throws
 * FleetChangedError if parents or heirs have changed since the check, the errors of the plan, VERSION_CONFLICT with the
 * `current` row, and PROFILE_DELETED.
 */
const saveProfile = async (
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
  // A client that recreates the profile has not seen its deletion.
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

const attempts = 5;

const unknownBase = ({ standard }: AircraftLibrary, text: string): Error => {
  const [nearest] = unknownStandard(standard.profiles, text).extra.nearest;
  return declaredError(saveErrors, 'INVALID_BASED_ON', {
    message: `basedOnProfile: ${text} is neither a profile of this fleet nor a standard aircraft.`,
    hint: nearest === undefined ? null : `basedOnProfile: did you mean ${nearest}?`,
  });
};

const saveOnce = async (call: SaveCall, owner: FleetOwner, input: SaveInput) => {
  const { registration, basedOnProfile, renameFrom } = input;
  const { aircraft, storage } = call;
  const planOf = (fleet: Fleet) =>
    planSave(fleet, { registration, basedOnProfile, renameFrom }, (text) => {
      const id = aircraft.standard.named(text)?.profile.id ?? null;
      if (id === null && text.toUpperCase() !== registration) throw unknownBase(aircraft, text);
      return id;
    });
  const plan = planOf(await fleetRepo(call.db).ofOwner(owner));
  const { base } = plan;
  const parentName = base.kind === 'profile' ? base.profile.registration : base.id;
  const json = profileToStore(input.profileData, registration, parentName);
  const inherited = await checkSave(aircraft, plan, { registration, json });

  const key = fleetKey(owner, registration, randomUUID());
  const given = <K extends 'variant' | 'engines' | 'engineTimeLimitS'>(name: K) =>
    (input[name] === undefined ? plan.existing?.[name] : input[name]) ?? inherited[name];
  const resolved = {
    variant: given('variant'),
    engines: given('engines'),
    engineTimeLimitS: given('engineTimeLimitS'),
  };
  const { flightSim, addon, isShared } = input;
  const file = Buffer.from(JSON.stringify(json));
  const stored = { key, fileBytes: file.length, now: call.clock.now() };
  const profile = { registration, flightSim, addon, isShared, ...resolved, ...stored };
  let saved: Omit<StoredProfile, 'id'> = { revision: 0, deletion: null };
  await withNewFile(
    { ...call, log: call.log() },
    {
      key,
      put: () => asFileError(call.log(), () => storage.put(key, file, 'application/json')),
      refer: async (tx) => {
        await call.permit(tx);
        const { expectedVersion, ifDeleted } = input;
        const guards = { version: plan.version, planOf, expectedVersion, ifDeleted };
        const save = () => saveProfile(tx, call, { owner, profile, ...guards });
        const { id, ...rest } = await (call.quota ? withinStorage(tx, call.quota, save) : save());
        await call.created?.(tx, id);
        saved = rest;
      },
    },
  );
  return {
    registration,
    file: fleetFileName(owner, registration),
    ...resolved,
    ...saved,
    updatedAt: wireTime(stored.now),
  };
};

/**
 * Saves a profile. Throws the errors of the plan, INVALID_PROFILE_DATA with every reason, FILE_NOT_FOUND for a parent
 * without its file, FS_ERROR, FS_WRITE_ERROR and DB_ERROR; file and row are then unchanged.
 */
export const saveFleetProfile = async (call: SaveCall, owner: FleetOwner, input: SaveInput) => {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    try {
      return await asDatabaseError(call.log(), () => saveOnce(call, owner, input));
    } catch (error) {
      // A parent or heir was saved since the check.
      if (!(error instanceof FleetChangedError)) throw error;
    }
  }
  throw commonError('SERVICE_UNAVAILABLE', {
    message: 'Other profiles of the fleet are being saved. Please try again shortly.',
    headers: { 'Retry-After': '1' },
  });
};

const refused = (problems: readonly string[]): Error =>
  declaredError(saveErrors, 'INVALID_PROFILE_DATA', {
    message: `The engine cannot use this profile: ${problems.slice(0, 3).join('; ')}`,
    details: problems,
  });

const standardOf = ({ standard }: AircraftLibrary, { base, ancestors }: SavePlan): LoadedAircraft => {
  const id = base.kind === 'standard' ? base.id : ancestors.at(-1)?.standardId;
  const found = standard.named(id ?? '');
  if (found) return found;
  throw declaredError(saveErrors, 'INVALID_BASED_ON', {
    message: `basedOnProfile: the standard aircraft ${id ?? ''} no longer exists.`,
  });
};

/**
 * Merges a profile and all profiles that inherit from it, as calculations would after the save, and returns what the
 * profile inherits unless specified (M-2.4.f6-f8). Throws
 * INVALID_PROFILE_DATA with path and reason of everything that the engine would refuse or ignore, and FILE_NOT_FOUND.
 */
const checkSave = async (
  aircraft: AircraftLibrary,
  plan: SavePlan,
  { registration, json }: { registration: string; json: JsonObject },
) => {
  const { base, ancestors, heirs, existing } = plan;
  const standard = standardOf(aircraft, plan);
  const above = await Promise.all(ancestors.map(aircraft.fleets.jsonOf));
  const check = (name: string, chain: readonly JsonObject[]): readonly string[] => {
    const made = fleetAircraft(
      standard.profile,
      chain,
      { registration: name, vaName: null },
      checkFleetProfile,
    );
    return 'problems' in made ? made.problems : [];
  };
  const unknown = unknownKeys(aircraftProfileSchema, mergeProfiles({ ...standard.profile }, json));
  const own = [...refusedLines(unknown), ...check(registration, [json, ...above])];
  if (own.length > 0) throw refused(own);
  const family = existing ? [existing, ...heirs] : [];
  for (const heir of heirs) {
    // Each check takes milliseconds, so other calls get a turn in between.
    await setImmediate();
    // The profiles between the heir and the saved one.
    const between = chainOf(family, heir).filter(({ id }) => id !== existing?.id);
    const below = await Promise.all(between.map(aircraft.fleets.jsonOf));
    const problems = check(heir.registration, [...below, json, ...above]);
    if (problems.length > 0)
      throw refused(problems.map((problem) => `${heir.registration}, which inherits from it: ${problem}`));
  }
  if (base.kind === 'profile') return base.profile;
  const { variant, engines, enginesThrustLimitTime } = standard.profile.model;
  return { variant, engines, engineTimeLimitS: Math.round(enginesThrustLimitTime) };
};
