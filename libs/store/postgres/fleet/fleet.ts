import type { Fleet, FleetOwner, FleetProfile } from '#domain/fleet/types.ts';
import { ownerKey, ownerOf } from '#domain/fleet/types.ts';
import { leastEntryBytes } from '#domain/users/storage.ts';
import { insertOf, setOf, sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';
import { isDisabled } from '../users/identities.ts';

/**
 * Columns of `fleet_profile p`. Subselects: for a join with a thousand profiles the planner reads the whole table for
 * the few that have a base.
 */
const columns = sql`p.id, p.user_id, p.va_id,
  (SELECT v.name FROM virtual_airline v WHERE v.id = p.va_id) AS va_name, p.registration, p.base_id,
  p.standard_id,
  coalesce((SELECT b.registration FROM fleet_profile b WHERE b.id = p.base_id), p.standard_id) AS based_on_profile,
  p.storage_key AS key, p.flight_sim, p.addon, p.variant, p.engines, p.engine_time_limit_s,
  p.share_community AS is_shared, p.recommended AS is_recommended, p.revision, p.updated_at`;

export const fleetRepo = (db: ReadDb) => ({
  /** The profiles of each owner by registration. */
  ofOwners: async (owners: readonly FleetOwner[]): Promise<Fleet[]> => {
    const users = owners.flatMap((owner) => ('userId' in owner ? [owner.userId] : []));
    const airlines = owners.flatMap((owner) => ('vaId' in owner ? [owner.vaId] : []));
    const found = await db.any<FleetProfile>(sql`
      SELECT ${columns} FROM fleet_profile p
      WHERE p.user_id = ANY (${users}::int[]) OR p.va_id = ANY (${airlines}::int[]) ORDER BY p.registration`);
    return owners.map((owner) => found.filter((profile) => ownerKey(ownerOf(profile)) === ownerKey(owner)));
  },

  ofOwner: async (owner: FleetOwner): Promise<Fleet> => (await fleetRepo(db).ofOwners([owner]))[0] ?? [],

  byId: (id: number): Promise<FleetProfile | null> =>
    db.maybe<FleetProfile>(sql`SELECT ${columns} FROM fleet_profile p WHERE p.id = ${id}`),

  /** Shared profiles, recommended ones first, then those that were changed last. */
  community: (limit: number): Promise<FleetProfile[]> =>
    db.any<FleetProfile>(sql`
      SELECT ${columns} FROM fleet_profile p WHERE p.share_community AND (p.user_id IS NULL OR NOT ${isDisabled(sql`p.user_id`)})
      ORDER BY p.recommended DESC, p.updated_at DESC, p.id LIMIT ${limit}`),

  /** Id of the airline with this name that shares a profile of this registration, or null. */
  sharingAirline: (vaName: string, registration: string): Promise<number | null> =>
    db.valueOrNull<number>(sql`
      SELECT v.id FROM fleet_profile p JOIN virtual_airline v ON v.id = p.va_id
      WHERE lower(v.name) = lower(${vaName}) AND p.registration = ${registration} AND p.share_community`),
});

/** Undefined keeps the stored value; for a new profile it means empty. */
export interface ProfileSave extends Pick<
  FleetProfile,
  'registration' | 'baseId' | 'standardId' | 'key' | 'variant' | 'engines' | 'engineTimeLimitS'
> {
  owner: FleetOwner;
  flightSim?: string | null | undefined;
  addon?: string | null | undefined;
  isShared?: boolean | undefined;
  /** Size of the file. */
  fileBytes: number;
  now: Date;
}

const orStored = (given: unknown, stored: Sql): Sql => (given === undefined ? stored : sql`${given}`);

const rowOf = ({ key, variant, engines, fileBytes, now, ...profile }: ProfileSave) => ({
  registration: profile.registration,
  baseId: profile.baseId,
  standardId: profile.standardId,
  storageKey: key,
  variant,
  engines,
  engineTimeLimitS: profile.engineTimeLimitS,
  updatedAt: now,
  storedBytes: Math.max(leastEntryBytes, fileBytes),
});

export const fleetWrites = (tx: Tx) => ({
  /** Changes of one fleet take turns until the end of the transaction. False if the owner no longer exists. */
  lock: (owner: FleetOwner): Promise<boolean> =>
    tx.exists(
      'userId' in owner
        ? sql`SELECT 1 AS found FROM app_user WHERE id = ${owner.userId} FOR NO KEY UPDATE`
        : sql`SELECT 1 AS found FROM virtual_airline WHERE id = ${owner.vaId} FOR NO KEY UPDATE`,
    ),

  insert: (profile: ProfileSave): Promise<{ id: number; revision: number }> => {
    const { owner, flightSim = null, addon = null, isShared = false, now } = profile;
    const owned = { userId: null, vaId: null, ...owner };
    const row = { ...rowOf(profile), flightSim, addon, shareCommunity: isShared, createdAt: now };
    return tx.one<{ id: number; revision: number }>(
      sql`${insertOf('fleet_profile', { userId: owned.userId, vaId: owned.vaId, ...row })} RETURNING id, revision`,
    );
  },

  update: (id: number, profile: ProfileSave): Promise<{ id: number; revision: number }> => {
    const kept = {
      flightSim: orStored(profile.flightSim, sql`flight_sim`),
      addon: orStored(profile.addon, sql`addon`),
      shareCommunity: orStored(profile.isShared, sql`share_community`),
    };
    return tx.one<{ id: number; revision: number }>(sql`
      UPDATE fleet_profile SET ${setOf({ ...rowOf(profile), ...kept })} WHERE id = ${id} RETURNING id, revision`);
  },

  /** For a renamed profile, whose name is shown in the profiles based on it. */
  raiseHeirs: (id: number): Promise<number> =>
    tx.run(sql`UPDATE fleet_profile SET base_id = base_id WHERE base_id = ${id}`),

  remove: (id: number): Promise<number> => tx.run(sql`DELETE FROM fleet_profile WHERE id = ${id}`),

  /** 0 when there is no such profile. */
  recommend: (id: number, isRecommended: boolean): Promise<number> =>
    tx.run(sql`UPDATE fleet_profile SET recommended = ${isRecommended} WHERE id = ${id}`),
});
