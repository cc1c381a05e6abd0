import { addSeconds, daySeconds } from '#domain/time.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** How long after its end, or after an unanswered request, a subscription may still be refunded. */
const refundDays = 35;

export const comparisonRepo = (db: ReadDb) => ({
  /** Until when changes of this gateway were listed; null: never. */
  until: (gateway: string): Promise<Date | null> =>
    db.valueOrNull<Date>(
      sql`SELECT compared_until AS until FROM gateway_comparison WHERE gateway = ${gateway}`,
    ),

  /** References of the longest-waiting entries. */
  due: (gateway: string, limit: number): Promise<string[]> =>
    db.values<string>(sql`SELECT reference FROM gateway_comparison_due
        WHERE gateway = ${gateway} ORDER BY due_since, reference LIMIT ${limit}`),
});

export const comparisonWrites = (tx: Tx) => ({
  note: (gateway: string, until: Date): Promise<number> =>
    tx.run(sql`
      INSERT INTO gateway_comparison (gateway, compared_until) VALUES (${gateway}, ${until})
      ON CONFLICT (gateway) DO UPDATE SET compared_until = excluded.compared_until`),

  /**
   * Adds these references and the subscriptions whose refunds are unanswered; without references, also every
   * subscription that is running, recently ended or still chargeable. Entries that are already due keep their turn.
   */
  addDue: (gateway: string, references: readonly string[] | null, now: Date): Promise<number> => {
    const since = addSeconds(now, -refundDays * daySeconds);
    return tx.run(sql`
      INSERT INTO gateway_comparison_due (gateway, reference, due_since)
      SELECT ${gateway}, reference, ${now}::timestamptz FROM unnest(${references ?? []}::text[]) reference
      UNION SELECT s.gateway, s.reference, ${now}::timestamptz
        FROM refund_request r JOIN subscription s ON s.id = r.subscription_id
        WHERE r.state IN ('pending', 'unknown') AND r.requested_at > ${since}
          AND s.gateway = ${gateway} AND s.reference IS NOT NULL
      UNION SELECT s.gateway, s.reference, ${now}::timestamptz FROM subscription s
        WHERE ${references === null}::boolean AND s.gateway = ${gateway} AND s.reference IS NOT NULL
          AND (s.auto_renew OR s.ends_at > ${since}
            OR EXISTS (SELECT FROM agreement a WHERE a.subscription_id = s.id AND a.auto_renew)
            OR EXISTS (SELECT FROM gateway_order o
              WHERE o.subscription_id = s.id AND o.state IN ('pending', 'refused')))
      ON CONFLICT DO NOTHING`);
  },

  done: (gateway: string, reference: string): Promise<number> =>
    tx.run(sql`DELETE FROM gateway_comparison_due WHERE gateway = ${gateway} AND reference = ${reference}`),

  /** Moves it to the end of the queue. */
  postpone: (gateway: string, reference: string, now: Date): Promise<number> =>
    tx.run(sql`UPDATE gateway_comparison_due SET due_since = ${now}
      WHERE gateway = ${gateway} AND reference = ${reference}`),
});
