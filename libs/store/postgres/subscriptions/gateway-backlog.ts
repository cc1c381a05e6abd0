import { addSeconds, daySeconds } from '#domain/time.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';

/** Work pending between this service and a gateway. */
export interface GatewayBacklog {
  /** Code of the gateway. */
  gateway: string;
  /** Messages that wait for an account or a product. */
  parkedMessages: number;
  /** Orders that the gateway has not confirmed. */
  waitingOrders: number;
  /** Orders that the gateway refused for good, until something newer is requested for the subscription. */
  refusedOrders: number;
  /** Subscriptions due for the nightly comparison, and since when the oldest of them is. */
  dueComparisons: number;
  comparedSince: Date | null;
}

/** Older refusals no longer matter. */
const refusedSeconds = 7 * daySeconds;

export const gatewayBacklogRepo = (db: ReadDb) => ({
  of: (now: Date): Promise<GatewayBacklog[]> =>
    db.any<GatewayBacklog>(sql`
      WITH orders AS (
        SELECT s.gateway, count(*) FILTER (WHERE o.state = 'pending') AS waiting,
          count(*) FILTER (WHERE o.state = 'refused' AND o.ended_at > ${addSeconds(now, -refusedSeconds)}
            AND NOT EXISTS (SELECT 1 FROM gateway_order n WHERE n.subscription_id = o.subscription_id
              AND n.id > o.id AND (n.verb <> 'extend' OR o.verb = 'extend'))) AS refused
        FROM gateway_order o JOIN subscription s ON s.id = o.subscription_id
        WHERE o.state IN ('pending', 'refused') GROUP BY s.gateway)
      SELECT g.code AS gateway,
        (SELECT count(*)::int FROM gateway_event e WHERE e.gateway = g.code AND e.state = 'parked') AS parked_messages,
        coalesce(o.waiting, 0)::int AS waiting_orders, coalesce(o.refused, 0)::int AS refused_orders,
        (SELECT count(*)::int FROM gateway_comparison_due d WHERE d.gateway = g.code) AS due_comparisons,
        (SELECT min(due_since) FROM gateway_comparison_due d WHERE d.gateway = g.code) AS compared_since
      FROM gateway g LEFT JOIN orders o ON o.gateway = g.code ORDER BY g.code`),
});
