import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import { userObject } from '#domain/users/user-object.ts';
import type { UserObject } from '#domain/users/user-object.ts';
import type { Config } from '#data/config.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { userViewRepo } from '#data/postgres/users/view.ts';

export interface UserCall {
  config: Pick<Config, 'BASE_URL'>;
  db: ReadDb;
  key: DeveloperKey | null;
  now: Date;
}

/** The user object, limited to what the key of this call may see (G-18). */
export const loadUser = async (call: UserCall, caller: Caller): Promise<UserObject> => {
  const adminVa = caller.vaAdmin?.vaId ?? null;
  const view = await userViewRepo(call.db).byId(caller.userId, [
    ...caller.vaIds,
    ...(adminVa === null ? [] : [adminVa]),
  ]);
  return userObject({
    caller,
    ...view,
    level: call.key?.userInfo ?? null,
    baseUrl: call.config.BASE_URL,
    now: call.now,
  });
};
