import type { Activity } from '#domain/accounts/user-object.ts';
import { calculationRepo } from './calculation-repo.ts';
import type { Db } from './sql.ts';

/** What happened around a user since a moment. Community checklists and shares count from the day they exist. */
export const activityRepo = (db: Db) => ({
  since: async (userId: number, since: Date): Promise<Activity> => ({
    calculations: await calculationRepo(db).counts(userId, since),
    newCommunityChecklists: 0,
    newShares: 0,
  }),
});
