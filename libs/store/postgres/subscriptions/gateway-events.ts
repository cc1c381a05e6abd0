import { insertOf, setOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import type { VerifiedMessage } from '#domain/subscriptions/gateway.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';

export interface NewGatewayEvent extends VerifiedMessage {
  /** Code of the gateway. */
  gateway: string;
  /** Kind of message: `ipn`, `lcn`, `notifications`, `mobile`. */
  event: string;
  raw: Buffer;
  receivedAt: Date;
}

type GatewayEventState = 'received' | 'applied' | 'ignored' | 'parked';

interface GatewayEvent extends NewGatewayEvent {
  id: number;
  state: GatewayEventState;
  reason: string | null;
  appliedAt: Date | null;
  /** The account, also while the event is parked. */
  userId: number | null;
  subscriptionId: number | null;
}

/** Without the message, which may contain personal data. */
type ListedGatewayEvent = Omit<GatewayEvent, 'raw'>;

const listed = sql`id, gateway, event, event_id, received_at, occurred_at, reference, state, reason, applied_at,
  user_id, subscription_id`;

export const gatewayEventRepo = (db: ReadDb) => ({
  byId: (id: number): Promise<GatewayEvent | null> =>
    db.maybe<GatewayEvent>(sql`SELECT ${listed}, raw FROM gateway_event WHERE id = ${id}`),

  /** Newest first; of this state, or of all. */
  list: (state: GatewayEventState | null, limit: number, offset = 0): Promise<ListedGatewayEvent[]> =>
    db.any<ListedGatewayEvent>(sql`SELECT ${listed} FROM gateway_event
      WHERE ${state}::text IS NULL OR state = ${state} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}`),

  /** Includes events for its reference that have not been applied. */
  ofSubscription: (
    of: Pick<SubscriptionRecord, 'id' | 'gateway' | 'reference'>,
  ): Promise<ListedGatewayEvent[]> =>
    db.any<ListedGatewayEvent>(sql`SELECT ${listed} FROM gateway_event
      WHERE subscription_id = ${of.id}
        OR (state IN ('received', 'parked') AND gateway = ${of.gateway} AND reference = ${of.reference})
      ORDER BY occurred_at, id`),

  /** Parked events of this reference, oldest first. */
  parkedOf: (gateway: string, reference: string): Promise<number[]> =>
    db.values<number>(sql`SELECT id FROM gateway_event
        WHERE gateway = ${gateway} AND reference = ${reference} AND state = 'parked' ORDER BY occurred_at, id`),

  /** Parked events of a buyer with the address of this account that belong to no account. */
  unclaimedBy: (userId: number): Promise<number[]> =>
    db.values<number>(sql`SELECT e.id FROM gateway_event e JOIN app_user u ON lower(u.email) = lower(e.email)
        WHERE u.id = ${userId} AND e.state = 'parked' AND e.user_id IS NULL ORDER BY e.occurred_at, e.id`),

  /** Received before this time and still not applied: their jobs are lost or failed. */
  waitingSince: (before: Date, limit: number): Promise<number[]> =>
    db.values<number>(sql`SELECT id FROM gateway_event
        WHERE state = 'received' AND received_at < ${before} ORDER BY received_at LIMIT ${limit}`),
});

export interface EventOutcome extends Pick<GatewayEvent, 'state' | 'reason' | 'userId' | 'subscriptionId'> {
  /** The buyer's address, while the event is parked. */
  email: string | null;
}

export const gatewayEventWrites = (tx: Tx) => ({
  /** The id of the stored event; null for another copy of one that is stored. */
  add: (event: NewGatewayEvent): Promise<number | null> =>
    tx.valueOrNull<number>(
      sql`${insertOf('gateway_event', event)} ON CONFLICT (gateway, event, event_id) DO NOTHING RETURNING id`,
    ),

  /** True, with a lock, for an event that is not applied yet. */
  lockOpen: (id: number): Promise<boolean> =>
    tx.exists(sql`SELECT 1 AS found FROM gateway_event
      WHERE id = ${id} AND state IN ('received', 'parked') FOR UPDATE`),

  /** Assigns a parked event to an account; zero rows when it is not parked. */
  assign: (id: number, userId: number): Promise<number> =>
    tx.run(sql`UPDATE gateway_event SET user_id = ${userId} WHERE id = ${id} AND state = 'parked'`),

  finish: (id: number, outcome: EventOutcome, now: Date): Promise<number> =>
    tx.run(sql`UPDATE gateway_event SET ${setOf({ ...outcome, appliedAt: now })} WHERE id = ${id}`),
});
