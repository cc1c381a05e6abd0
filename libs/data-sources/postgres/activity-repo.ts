import type { Activity } from '#domain/accounts/user-object.ts';
import { calculationRepo } from './calculation-repo.ts';
import type { Db } from './sql.ts';

/**
 * What happened around a user, and what he stores. Community checklists, shares and library files are not part of
 * this service yet: their tables make these counts, which are 0 until then.
 */
export const activityRepo = (db: Db) => ({
  since: async (userId: number, since: Date): Promise<Activity> => ({
    calculations: await calculationRepo(db).counts(userId, since),
    newCommunityChecklists: 0,
    newShares: 0,
  }),

  libraryBytes: (_userId: number): Promise<number> => Promise.resolve(0),
});
