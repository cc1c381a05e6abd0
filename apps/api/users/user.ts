import { daysRemaining } from '#domain/subscriptions/entitlement.ts';
import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { activitySince, userObject } from '#domain/users/user-object.ts';
import type { UserObject } from '#domain/users/user-object.ts';
import type { Tools } from '../define.ts';

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

export const loadUser = async (call: UserCall, caller: Caller): Promise<LoadedUser> => {
  const { caches, calculations, config, key, now } = call;
  const [profile, airlines] = await Promise.all([
    caches.profiles.get(caller.userId),
    caches.airlines.get(airlineIds(caller)),
  ]);
  if (!profile) throw new Error(`user ${caller.userId} was deleted during the call`);
  const level = key?.userInfo ?? null;
  const { subscription } = caller.entitlement;
  // Only the highest level shows it.
  const counts = level === 'FULL' ? await calculations.since(caller.userId, activitySince(profile)) : null;
  const daysLeft = subscription && daysRemaining(subscription.endsAt, now);
  return {
    about: [caller, profile, airlines],
    variant: JSON.stringify([level, daysLeft, counts]),
    build: () => userObject({ caller, profile, airlines, counts, level, baseUrl: config.BASE_URL, now }),
  };
};
