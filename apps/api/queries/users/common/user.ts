import { newInCommunity } from '#domain/checklists/community.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { activitySince, userObject } from '#domain/users/user-object.ts';
import type { Activity, UserObject } from '#domain/users/user-object.ts';
import type { Tools } from '../../../handler-context.ts';

export interface UserCall extends Pick<Tools, 'config' | 'caches' | 'calculations'> {
  key: DeveloperKey | null;
  now: Date;
}

const airlineIds = ({ vaIds, vaAdmin }: Caller): string =>
  [...new Set([...vaIds, ...(vaAdmin?.vaId ? [vaAdmin.vaId] : [])])].join();

const activityOf = async (
  { caches, calculations, now }: UserCall,
  userId: number,
  since: Date,
): Promise<Activity> => {
  const [counted, offers] = await Promise.all([
    calculations.since(userId, since, now),
    caches.offers.get('all'),
  ]);
  return { ...counted, newCommunityChecklists: newInCommunity(offers, userId, since) };
};

/** The user object, limited to what the key of this call may see (G-18). */
export const loadUser = async (call: UserCall, caller: Caller): Promise<UserObject> => {
  const { caches, config, key, now } = call;
  const [profile, airlines] = await Promise.all([
    caches.profiles.get(caller.userId),
    caches.airlines.get(airlineIds(caller)),
  ]);
  if (!profile) throw new Error(`user ${caller.userId} was deleted during the call`);
  const level = key?.userInfo ?? null;
  // Only the highest level shows it.
  const activity = level === 'FULL' ? await activityOf(call, caller.userId, activitySince(profile)) : null;
  return userObject({ caller, profile, airlines, activity, level, baseUrl: config.BASE_URL, now });
};
