import type { Allowance } from '#domain/subscriptions/allowance.ts';
import type { Caller } from '#domain/users/types.ts';
import type { CalculationCounts } from '#domain/users/user-object.ts';
import { createBatch } from '#data/batch.ts';
import { calculationRepo } from '#data/postgres/performance/calculations.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { allowanceRepo } from '#data/postgres/subscriptions/allowances.ts';

/**
 * What users have calculated. Counted for every call, because announcing each calculation to caches would let their
 * commits wait for each other; calls at the same time share a statement.
 */
export interface Calculations {
  since: (userId: number, since: Date) => Promise<CalculationCounts>;
  allowance: (caller: Caller, now: Date) => Promise<Allowance>;
}

export const createCalculations = (db: ReadDb): Calculations => {
  const counts = createBatch(calculationRepo(db).countsSince);
  const allowances = createBatch(allowanceRepo(db).ofEach);
  return {
    since: (userId, since) => counts({ userId, since }),
    allowance: (holder, now) => allowances({ holder, now }),
  };
};
