import { newInCommunity } from '#domain/checklists/community.ts';
import { daysRemaining } from '#domain/subscriptions/entitlement.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { activitySince, userObject } from '#domain/users/user-object.ts';
import type { Activity, UserObject } from '#domain/users/user-object.ts';
import type { Tools } from '../../../handler-context.ts';

export interface UserCall extends Pick<Tools, 'config' | 'caches' | 'calculations'> {
  key: DeveloperKey | null;
  now: Date;
}

export interface LoadedUser {
  /** What the user object depends on: values of caches, and the rest as text. */
  about: readonly object[];
  variant: string;
  /** The user object, limited to what the key of this call may see (G-18). */
  build: () => UserObject;
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

export const loadUser = async (call: UserCall, caller: Caller): Promise<LoadedUser> => {
  const { caches, config, key, now } = call;
  const [profile, airlines] = await Promise.all([
    caches.profiles.get(caller.userId),
    caches.airlines.get(airlineIds(caller)),
  ]);
  if (!profile) throw new Error(`user ${caller.userId} was deleted during the call`);
  const level = key?.userInfo ?? null;
  const { subscription } = caller.entitlement;
  // Only the highest level shows it.
  const activity = level === 'FULL' ? await activityOf(call, caller.userId, activitySince(profile)) : null;
  const daysLeft = subscription && daysRemaining(subscription.endsAt, now);
  return {
    about: [caller, profile, airlines],
    variant: JSON.stringify([level, daysLeft, activity]),
    build: () => userObject({ caller, profile, airlines, activity, level, baseUrl: config.BASE_URL, now }),
  };
};
