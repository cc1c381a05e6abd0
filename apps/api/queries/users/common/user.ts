import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { activitySince, userObject } from '#domain/users/user-object.ts';
import type { UserObject } from '#domain/users/user-object.ts';
import type { Tools } from '../../../handler-context.ts';

export interface UserCall extends Pick<Tools, 'config' | 'calculations' | 'identities'> {
  key: DeveloperKey | null;
  now: Date;
}

const airlineIds = ({ vaIds, vaAdmin }: Caller): number[] => [
  ...new Set([...vaIds, ...(vaAdmin?.vaId ? [vaAdmin.vaId] : [])]),
];

/** The user object, limited to what the key of this call may see (G-18). */
export const loadUser = async (call: UserCall, caller: Caller): Promise<UserObject> => {
  const { config, key, now } = call;
  const found = await call.identities.withAirlines({
    userId: caller.userId,
    vaIds: airlineIds(caller),
  });
  if (!found) throw new Error(`user ${caller.userId} was deleted during the call`);
  const { airlines, ...profile } = found;
  const level = key?.userInfo ?? null;
  // Only the highest level shows it.
  const activity =
    level === 'FULL' ? await call.calculations.since(caller.userId, activitySince(profile), now) : null;
  return userObject({ caller, profile, airlines, activity, level, baseUrl: config.BASE_URL, now });
};
