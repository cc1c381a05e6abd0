import type { Caller } from '#domain/users/types.ts';
import { allowance, windowStart } from '#domain/subscriptions/allowance.ts';
import type { Allowance } from '#domain/subscriptions/allowance.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

type Holder = Pick<Caller, 'userId' | 'entitlement'>;

export const allowanceRepo = (db: ReadDb) => {
  /** The same of several users at once, in the order given. */
  const ofEach = async (asked: readonly { holder: Holder; now: Date }[]): Promise<Allowance[]> => {
    const rows = await db.any<{ used: number; gift: number }>(sql`
      SELECT
        (SELECT count(*) FROM calculation WHERE user_id = asked.user_id AND created_at > since) AS used,
        (SELECT coalesce(sum(amount), 0) FROM calculation_gift
          WHERE user_id = asked.user_id AND given_at > since) AS gift
      FROM unnest(${asked.map(({ holder }) => holder.userId)}::int[],
        ${asked.map(({ now }) => windowStart(now))}::timestamptz[]) WITH ORDINALITY AS asked (user_id, since, position)
      ORDER BY position`);
    return rows.map(({ used, gift }, i) =>
      allowance(asked[i]?.holder.entitlement.product.maxCalculation ?? 0, gift, used),
    );
  };

  return {
    ofEach,
    /** What remains of the product's allowance and of the gifts of the last 30 days (G-33). */
    of: async (holder: Holder, now: Date): Promise<Allowance> => {
      const [allowed] = await ofEach([{ holder, now }]);
      if (!allowed) throw new Error(`no allowance of user ${holder.userId} was read`);
      return allowed;
    },
  };
};

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
