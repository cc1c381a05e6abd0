import type { Allowance } from '#domain/subscriptions/allowance.ts';
import type { Activity } from '#domain/users/user-object.ts';
import type { Caller } from '#domain/users/types.ts';
import { createBatch } from '#platform/batch.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { allowanceRepo } from '#store/postgres/subscriptions/allowances.ts';
import { activityRepo } from '#store/postgres/users/activity.ts';

/**
 * What users have calculated and received. Counted for every call, because announcing each calculation to caches would let their
 * commits wait for each other; calls at the same time share a statement.
 */
export const createCalculations = (db: ReadDb) => {
  const activities = createBatch(activityRepo(db).since);
  const allowances = createBatch(allowanceRepo(db).ofEach);
  return {
    since: (userId: number, since: Date, now: Date): Promise<Activity> => activities({ userId, since, now }),
    allowance: (holder: Caller, now: Date): Promise<Allowance> => allowances({ holder, now }),
  };
};

export type Calculations = ReturnType<typeof createCalculations>;
