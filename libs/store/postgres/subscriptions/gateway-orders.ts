import type { GatewayVerb, OrderParameters } from '#domain/subscriptions/orders.ts';
import { insertId, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';

type OrderState = 'pending' | 'done' | 'superseded' | 'refused';

export interface GatewayOrder {
  id: number;
  subscriptionId: number;
  verb: GatewayVerb;
  parameters: OrderParameters;
  state: OrderState;
  /** Last time at which it may have reached the gateway; null: never. */
  sentAt: Date | null;
  attempts: number;
  lastError: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

/** The previous version keeps the time of an order that it marks as not sent. */
const columns = sql`id, subscription_id, verb, parameters, state,
  CASE WHEN was_sent THEN sent_at END AS sent_at, attempts, last_error, created_at, ended_at`;

export const gatewayOrderRepo = (db: ReadDb) => ({
  byId: (id: number): Promise<GatewayOrder | null> =>
    db.maybe<GatewayOrder>(sql`SELECT ${columns} FROM gateway_order WHERE id = ${id}`),

  /** Oldest first. */
  ofSubscription: (subscriptionId: number): Promise<GatewayOrder[]> =>
    db.any<GatewayOrder>(
      sql`SELECT ${columns} FROM gateway_order WHERE subscription_id = ${subscriptionId} ORDER BY id`,
    ),

  /** Pending since before this time. */
  pendingSince: (before: Date, limit: number): Promise<number[]> =>
    db.values<number>(sql`SELECT id FROM gateway_order
        WHERE state = 'pending' AND created_at < ${before} ORDER BY id LIMIT ${limit}`),

  /** Subscriptions of disabled accounts whose stop was refused before this time; a moved end requests nothing new. */
  refusedStops: (before: Date, limit: number): Promise<number[]> =>
    db.values<number>(sql`
        SELECT s.id FROM subscription s JOIN app_user u ON u.id = s.user_id
        JOIN LATERAL (SELECT verb, state, ended_at FROM gateway_order o
          WHERE o.subscription_id = s.id AND o.verb <> 'extend' ORDER BY o.id DESC LIMIT 1) newest ON true
        WHERE u.disabled_at IS NOT NULL AND s.auto_renew AND newest.state = 'refused'
          AND newest.verb IN ('cancel', 'renewalOff') AND newest.ended_at < ${before} ORDER BY s.id LIMIT ${limit}`),
});

export const gatewayOrderWrites = (tx: Tx) => ({
  add: (order: Pick<GatewayOrder, 'subscriptionId' | 'verb' | 'parameters' | 'createdAt'>): Promise<number> =>
    insertId(tx, 'gateway_order', order),

  /** Ends a pending order; zero rows if it has ended already. */
  end: (
    id: number,
    state: Exclude<OrderState, 'pending'>,
    error: string | null,
    now: Date,
  ): Promise<number> =>
    tx.run(sql`UPDATE gateway_order SET state = ${state}, last_error = ${error}, ended_at = ${now},
      attempts = attempts + CASE WHEN ${state} = 'superseded' THEN 0 ELSE 1 END
      WHERE id = ${id} AND state = 'pending'`),

  /** Called before an attempt: no newer order voids it from now on; zero rows if one has. */
  send: (id: number, now: Date): Promise<number> =>
    tx.run(
      sql`UPDATE gateway_order SET was_sent = true, sent_at = ${now} WHERE id = ${id} AND state = 'pending'`,
    ),

  /** `sentAt`: the gateway may have carried it out then. */
  noteFailure: (id: number, error: string, sentAt: Date | null): Promise<number> =>
    tx.run(sql`UPDATE gateway_order SET attempts = attempts + 1, last_error = ${error},
        was_sent = ${sentAt !== null}, sent_at = ${sentAt}
      WHERE id = ${id} AND state = 'pending'`),

  /** Ends an order whose rule no longer applies. */
  voidRule: (subscriptionId: number, now: Date): Promise<number> =>
    tx.run(sql`UPDATE gateway_order SET state = 'superseded', ended_at = ${now}
      WHERE subscription_id = ${subscriptionId} AND state = 'pending' AND NOT was_sent AND parameters ? 'rule'`),

  /** Ends unsent orders with these verbs; returns their verbs. */
  void: (subscriptionId: number, verbs: readonly GatewayVerb[], now: Date): Promise<GatewayVerb[]> =>
    tx.values<GatewayVerb>(sql`
        UPDATE gateway_order SET state = 'superseded', ended_at = ${now}
        WHERE subscription_id = ${subscriptionId} AND state = 'pending' AND NOT was_sent AND verb = ANY (${verbs})
        RETURNING verb`),
});

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
