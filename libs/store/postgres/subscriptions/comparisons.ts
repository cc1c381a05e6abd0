import type { GatewayNotice } from '#domain/subscriptions/notice.ts';
import { addSeconds } from '#domain/time.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export interface DueComparison {
  reference: string;
  dueSince: Date;
  /** What the gateway's list says of it, oldest first; null: it has no list, so it has to be read. */
  notices: GatewayNotice[] | null;
}

/** After the end of a subscription. */
const refundDays = 35;

const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

const reviver = (_name: string, value: unknown): unknown =>
  typeof value === 'string' && isoTime.test(value) ? new Date(value) : value;

export const comparisonRepo = (db: ReadDb) => ({
  /** Until when the changes of this gateway were listed; null: never. */
  until: async (gateway: string): Promise<Date | null> =>
    (
      await db.maybe<{ until: Date }>(
        sql`SELECT compared_until AS until FROM gateway_comparison WHERE gateway = ${gateway}`,
      )
    )?.until ?? null,

  /** Those that wait longest first. */
  due: async (gateway: string, limit: number): Promise<DueComparison[]> =>
    (
      await db.any<Omit<DueComparison, 'notices'> & { notices: string }>(sql`
        SELECT reference, due_since, coalesce(notices, 'null')::text AS notices FROM gateway_comparison_due
        WHERE gateway = ${gateway} ORDER BY due_since, reference LIMIT ${limit}`)
    ).map((row) => ({ ...row, notices: JSON.parse(row.notices, reviver) as DueComparison['notices'] })),

  /** What is left to compare of each gateway that has something left. */
  left: (): Promise<{ gateway: string; left: number; since: Date }[]> =>
    db.any<{ gateway: string; left: number; since: Date }>(sql`
      SELECT gateway, count(*)::int AS left, min(due_since) AS since FROM gateway_comparison_due GROUP BY gateway`),
});

export const comparisonWrites = (tx: Tx) => ({
  note: (gateway: string, until: Date): Promise<number> =>
    tx.run(sql`
      INSERT INTO gateway_comparison (gateway, compared_until) VALUES (${gateway}, ${until})
      ON CONFLICT (gateway) DO UPDATE SET compared_until = excluded.compared_until`),

  /** What waits already keeps its turn. */
  addListed: (gateway: string, notices: readonly GatewayNotice[], now: Date): Promise<number> =>
    tx.run(sql`
      INSERT INTO gateway_comparison_due AS due (gateway, reference, due_since, notices)
      SELECT ${gateway}, notice ->> 'reference', ${now}::timestamptz, jsonb_agg(notice ORDER BY position)
      FROM jsonb_array_elements(${JSON.stringify(notices)}::jsonb) WITH ORDINALITY AS listed (notice, position)
      GROUP BY notice ->> 'reference'
      ON CONFLICT (gateway, reference) DO UPDATE SET notices = due.notices || excluded.notices`),

  /**
   * Whatever runs here or could still be charged there: its end, its renewal or its orders are open. What has ended may be
   * given back for some weeks.
   */
  addChargeable: (gateway: string, now: Date): Promise<number> =>
    tx.run(sql`
      INSERT INTO gateway_comparison_due (gateway, reference, due_since)
      SELECT s.gateway, s.reference, ${now} FROM subscription s WHERE s.gateway = ${gateway} AND s.reference IS NOT NULL
        AND (s.auto_renew OR s.ends_at > ${addSeconds(now, -refundDays * 86_400)}
          OR EXISTS (SELECT 1 FROM agreement a WHERE a.subscription_id = s.id AND a.auto_renew)
          OR EXISTS (SELECT 1 FROM gateway_order o
            WHERE o.subscription_id = s.id AND o.state IN ('pending', 'refused')))
      ON CONFLICT DO NOTHING`),

  /** What rows from before agreements could not tell, at a gateway with a list, too. */
  addUncertain: (gateway: string, now: Date): Promise<number> =>
    tx.run(sql`
      INSERT INTO gateway_comparison_due (gateway, reference, due_since)
      SELECT s.gateway, s.reference, ${now} FROM agreement a JOIN subscription s ON s.id = a.subscription_id
      WHERE a.is_uncertain AND s.gateway = ${gateway} ON CONFLICT DO NOTHING`),

  /** Whose refunds got no answer, at a gateway with a list, too; for as long as it may still give money back. */
  addUnanswered: (gateway: string, now: Date): Promise<number> =>
    tx.run(sql`
      INSERT INTO gateway_comparison_due (gateway, reference, due_since)
      SELECT DISTINCT s.gateway, s.reference, ${now}::timestamptz
      FROM refund_request r JOIN subscription s ON s.id = r.subscription_id
      WHERE r.state IN ('pending', 'unknown') AND r.requested_at > ${addSeconds(now, -refundDays * 86_400)}
        AND s.gateway = ${gateway} AND s.reference IS NOT NULL ON CONFLICT DO NOTHING`),

  done: (gateway: string, reference: string): Promise<number> =>
    tx.run(sql`
      WITH told AS (UPDATE agreement a SET is_uncertain = false FROM subscription s
        WHERE a.is_uncertain AND s.id = a.subscription_id AND s.gateway = ${gateway} AND s.reference = ${reference})
      DELETE FROM gateway_comparison_due WHERE gateway = ${gateway} AND reference = ${reference}`),

  /** To the end of the queue. */
  postpone: (gateway: string, reference: string, now: Date): Promise<number> =>
    tx.run(sql`UPDATE gateway_comparison_due SET due_since = ${now}
      WHERE gateway = ${gateway} AND reference = ${reference}`),
});
