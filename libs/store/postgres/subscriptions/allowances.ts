import type { Caller } from '#domain/users/types.ts';
import { allowance, countedFrom } from '#domain/subscriptions/allowance.ts';
import type { Allowance, CountedFrom } from '#domain/subscriptions/allowance.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';

type Holder = Pick<Caller, 'userId' | 'entitlement'>;

/**
 * Columns `used` and `gift`: calculations since a time, including those of an earlier account, and additional
 * ones granted since then.
 */
export const spentSince = (userId: number, { used, given }: CountedFrom): Sql => sql`
  (SELECT count(*) FROM calculation WHERE user_id = ${userId} AND created_at > ${used})
    + (SELECT coalesce(sum(calculations), 0) FROM former_usage WHERE user_id = ${userId} AND used_at > ${used}) AS used,
  (SELECT coalesce(sum(amount), 0) FROM calculation_gift WHERE user_id = ${userId} AND given_at > ${given}) AS gift`;

export const allowanceRepo = (db: ReadDb) => ({
  /** What remains of the product's allowance in its window and of the gifts of the last 30 days (G-33). */
  of: async ({ userId, entitlement }: Holder, now: Date): Promise<Allowance> => {
    const spent = spentSince(userId, countedFrom(now, entitlement));
    const { gift, used } = await db.one<{ used: number; gift: number }>(sql`SELECT ${spent}`);
    return allowance(entitlement.product, gift, used);
  },

  /** When enough calculations have left the window for another one; null: never. */
  availableAt: async (
    { userId, entitlement }: Holder,
    { overage }: Allowance,
    now: Date,
  ): Promise<Date | null> => {
    const { used } = countedFrom(now, entitlement);
    return db.valueOrNull<Date>(sql`
      SELECT at + ${`${entitlement.product.allowanceDays} days`}::interval AS at FROM (
        SELECT created_at AS at FROM calculation WHERE user_id = ${userId} AND created_at > ${used}
        UNION ALL
        SELECT used_at FROM former_usage, generate_series(1, calculations) WHERE user_id = ${userId} AND used_at > ${used}) spent
      ORDER BY spent.at OFFSET ${overage} LIMIT 1`);
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
