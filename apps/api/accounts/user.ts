import type { Caller, DeveloperKey } from '#domain/accounts/types.ts';
import { activitySince, userObject } from '#domain/accounts/user-object.ts';
import type { UserObject } from '#domain/accounts/user-object.ts';
import type { Context } from '#data/context.ts';
import { activityRepo } from '#data/postgres/activity-repo.ts';
import type { Db } from '#data/postgres/sql.ts';
import { userRepo } from '#data/postgres/user-repo.ts';
import { vaRepo } from '#data/postgres/va-repo.ts';

export interface UserCall {
  context: Context;
  db: Db;
  key: DeveloperKey | null;
  now: Date;
}

/** The user object as the key of this call may see it (G-18). */
export const loadUser = async (call: UserCall, caller: Caller): Promise<UserObject> => {
  const adminVa = caller.vaAdmin?.vaId ?? null;
  const profile = await userRepo(call.db).profile(caller.userId);
  const airlines = await vaRepo(call.db).partnersAnd([
    ...caller.vaIds,
    ...(adminVa === null ? [] : [adminVa]),
  ]);
  const activity = await activityRepo(call.db).since(caller.userId, activitySince(profile));
  return userObject({
    caller,
    profile,
    airlines,
    activity,
    level: call.key?.userInfo ?? null,
    baseUrl: call.context.config.BASE_URL,
    now: call.now,
  });
};
