import { insertId, setOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export interface RefundRequest {
  id: number;
  subscriptionId: number;
  /** Reference of the payment. */
  transactionId: string;
  amountMinor: number;
  currency: string;
  reason: string;
  /** Id of the administrator. */
  requestedBy: number;
  requestedAt: Date;
  state: 'pending' | 'accepted' | 'refused' | 'unknown';
  /** Reference of the gateway. */
  refundId: string | null;
}

/** Refunds of one payment, in minor units. */
export interface Returned {
  paidMinor: number;
  /** Requested and not refused, and of that, accepted by the gateway. */
  requestedMinor: number;
  acceptedMinor: number;
  /** Reported by the gateway. */
  reportedMinor: number;
}

const columns = sql`id, subscription_id, transaction_id, amount_minor, currency, reason, requested_by,
  requested_at, state, refund_id`;

export const refundRequestRepo = (db: ReadDb) => ({
  /** Oldest first. */
  ofSubscription: (subscriptionId: number): Promise<RefundRequest[]> =>
    db.any<RefundRequest>(sql`
      SELECT ${columns} FROM refund_request WHERE subscription_id = ${subscriptionId} ORDER BY id`),

  /** Older requests without a known answer of the gateway, oldest first. */
  unanswered: (subscriptionId: number, before: Date): Promise<RefundRequest[]> =>
    db.any<RefundRequest>(sql`
      SELECT ${columns} FROM refund_request WHERE subscription_id = ${subscriptionId} AND state IN ('pending', 'unknown')
        AND requested_at < ${before} ORDER BY id`),

  /** Whether a payment was reported, or a refund was reported or requested, after this time. */
  hasChangedSince: (subscriptionId: number, at: Date): Promise<boolean> =>
    db.value<boolean>(sql`
      SELECT EXISTS (SELECT FROM refund_request WHERE subscription_id = ${subscriptionId} AND requested_at > ${at})
        OR EXISTS (SELECT FROM payment WHERE subscription_id = ${subscriptionId} AND reported_at > ${at}) AS changed`),

  returned: (subscriptionId: number, transactionId: string): Promise<Returned> =>
    db.one<Returned>(sql`
      SELECT p.paid_minor, p.reported_minor, r.requested_minor, r.accepted_minor FROM
        (SELECT coalesce(sum(amount_minor) FILTER (WHERE kind = 'payment' AND transaction_id = ${transactionId}), 0)::float8
            AS paid_minor,
          coalesce(-sum(amount_minor) FILTER (WHERE kind = 'refund' AND of_transaction_id = ${transactionId}), 0)::float8
            AS reported_minor
          FROM payment WHERE subscription_id = ${subscriptionId}) p,
        (SELECT coalesce(sum(amount_minor) FILTER (WHERE state <> 'refused'), 0)::float8 AS requested_minor,
          coalesce(sum(amount_minor) FILTER (WHERE state = 'accepted'), 0)::float8 AS accepted_minor
          FROM refund_request WHERE subscription_id = ${subscriptionId} AND transaction_id = ${transactionId}) r`),
});

export const refundRequestWrites = (tx: Tx) => ({
  add: (request: Omit<RefundRequest, 'id' | 'state' | 'refundId'>): Promise<number> =>
    insertId(tx, 'refund_request', request),

  end: (id: number, outcome: Pick<RefundRequest, 'state' | 'refundId'>, now: Date): Promise<number> =>
    tx.run(sql`UPDATE refund_request SET ${setOf({ ...outcome, endedAt: now })} WHERE id = ${id}`),
});
