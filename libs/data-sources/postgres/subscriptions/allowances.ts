import type { Caller } from '#domain/users/types.ts';
import { allowance, windowStart } from '#domain/subscriptions/allowance.ts';
import type { Allowance } from '#domain/subscriptions/allowance.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export const allowanceRepo = (db: ReadDb) => ({
  /** What remains of the product's allowance and of the gifts of the last 30 days (G-33). */
  of: async (
    { userId, entitlement }: Pick<Caller, 'userId' | 'entitlement'>,
    now: Date,
  ): Promise<Allowance> => {
    const since = windowStart(now);
    const { used, gift } = await db.one<{ used: number; gift: number }>(sql`
      SELECT
        (SELECT count(*) FROM calculation WHERE user_id = ${userId} AND created_at > ${since}) AS used,
        (SELECT coalesce(sum(amount), 0) FROM calculation_gift
          WHERE user_id = ${userId} AND given_at > ${since}) AS gift`);
    return allowance(entitlement.product.maxCalculation, gift, used);
  },
});

export const allowanceWrites = (tx: Tx) => ({
  /** Serialises one user's calculations until the transaction ends, so that the count remains valid. */
  lock: (userId: number): Promise<number> =>
    tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('allowance'), ${userId})`),

  /** Extra calculations, valid for 30 days from now (G-33). */
  gift: (userId: number, amount: number, now: Date): Promise<number> =>
    tx.run(
      sql`INSERT INTO calculation_gift (user_id, amount, given_at) VALUES (${userId}, ${amount}, ${now})`,
    ),
});
