import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { activitySince, userObject } from '#domain/users/user-object.ts';
import type { Activity, UserObject } from '#domain/users/user-object.ts';
import { checklistRepo } from '#data/postgres/checklists/checklists.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { userProfileRepo } from '#data/postgres/users/profiles.ts';
import { vaRepo } from '#data/postgres/virtual-airlines/virtual-airlines.ts';
import type { Tools } from '../../../handler-context.ts';

export interface UserCall extends Pick<Tools, 'config' | 'calculations'> {
  db: ReadDb;
  key: DeveloperKey | null;
  now: Date;
}

const airlineIds = ({ vaIds, vaAdmin }: Caller): number[] => [
  ...new Set([...vaIds, ...(vaAdmin?.vaId ? [vaAdmin.vaId] : [])]),
];

const activityOf = async (
  { db, calculations, now }: UserCall,
  userId: number,
  since: Date,
): Promise<Activity> => {
  const [counted, newCommunityChecklists] = await Promise.all([
    calculations.since(userId, since, now),
    checklistRepo(db).newInCommunity(userId, since),
  ]);
  return { ...counted, newCommunityChecklists };
};

/** The user object, limited to what the key of this call may see (G-18). */
export const loadUser = async (call: UserCall, caller: Caller): Promise<UserObject> => {
  const { db, config, key, now } = call;
  const [profile, airlines] = await Promise.all([
    userProfileRepo(db).byId(caller.userId),
    vaRepo(db).partnersAnd(airlineIds(caller)),
  ]);
  if (!profile) throw new Error(`user ${caller.userId} was deleted during the call`);
  const level = key?.userInfo ?? null;
  // Only the highest level shows it.
  const activity = level === 'FULL' ? await activityOf(call, caller.userId, activitySince(profile)) : null;
  return userObject({ caller, profile, airlines, activity, level, baseUrl: config.BASE_URL, now });
};
