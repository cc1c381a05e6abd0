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
export const spentSince = (
  userId: Sql | number,
  { used, given }: CountedFrom | Readonly<Record<keyof CountedFrom, Sql>>,
): Sql => sql`
  (SELECT count(*) FROM calculation WHERE user_id = ${userId} AND created_at > ${used})
    + (SELECT coalesce(sum(calculations), 0) FROM former_usage WHERE user_id = ${userId} AND used_at > ${used}) AS used,
  (SELECT coalesce(sum(amount), 0) FROM calculation_gift WHERE user_id = ${userId} AND given_at > ${given}) AS gift`;

interface Spent {
  used: number;
  gift: number;
}

export const allowanceRepo = (db: ReadDb) => ({
  /** What remains for several users at once, in the order given. Subselects hide the array lengths from the planner, so that all calls share one query plan. */
  ofEach: async (asked: readonly { holder: Holder; now: Date }[]): Promise<Allowance[]> => {
    const from = asked.map(({ holder, now }) => countedFrom(now, holder.entitlement));
    const rows = await db.any<Spent>(sql`
      SELECT ${spentSince(sql`asked.user_id`, { used: sql`asked.used`, given: sql`asked.given` })}
      FROM unnest((SELECT ${asked.map(({ holder }) => holder.userId)}::int[]),
        (SELECT ${from.map(({ used }) => used)}::timestamptz[]),
        (SELECT ${from.map(({ given }) => given)}::timestamptz[])) WITH ORDINALITY AS asked (user_id, used, given, position)
      ORDER BY position`);
    return asked.map(({ holder: { entitlement } }, i) => {
      const { gift = 0, used = 0 } = rows[i] ?? {};
      return allowance(entitlement.product, gift, used);
    });
  },

  /** What remains of the product's allowance in its window and of the gifts of the last 30 days (G-33). */
  of: async ({ userId, entitlement }: Holder, now: Date): Promise<Allowance> => {
    const spent = spentSince(userId, countedFrom(now, entitlement));
    const { gift, used } = await db.one<Spent>(sql`SELECT ${spent}`);
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
