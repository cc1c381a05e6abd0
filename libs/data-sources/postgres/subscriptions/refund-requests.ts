import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export interface RefundRequest {
  id: number;
  subscriptionId: number;
  /** Of the payment. */
  transactionId: string;
  amountMinor: number;
  currency: string;
  reason: string;
  /** Id of the administrator. */
  requestedBy: number;
  requestedAt: Date;
  state: 'pending' | 'accepted' | 'refused' | 'unknown';
  /** Of the gateway. */
  refundId: string | null;
}

export const refundRequestRepo = (db: ReadDb) => ({
  /** Oldest first. */
  ofSubscription: (subscriptionId: number): Promise<RefundRequest[]> =>
    db.any<RefundRequest>(sql`
      SELECT id, subscription_id AS "subscriptionId", transaction_id AS "transactionId", amount_minor AS "amountMinor",
        currency, reason, requested_by AS "requestedBy", requested_at AS "requestedAt", state, refund_id AS "refundId"
      FROM refund_request WHERE subscription_id = ${subscriptionId} ORDER BY id`),

  /** What is given back of a payment or may be: what the gateway reported, or what was requested, if that is more. */
  returnedMinor: async (subscriptionId: number, transactionId: string): Promise<number> => {
    const { returned } = await db.one<{ returned: number }>(sql`
      SELECT greatest(
        (SELECT coalesce(sum(amount_minor), 0) FROM refund_request WHERE subscription_id = ${subscriptionId}
          AND transaction_id = ${transactionId} AND state <> 'refused'),
        (SELECT coalesce(-sum(amount_minor), 0) FROM payment WHERE subscription_id = ${subscriptionId}
          AND of_transaction_id = ${transactionId} AND kind = 'refund'))::float8 AS returned`);
    return returned;
  },
});

export const refundRequestWrites = (tx: Tx) => ({
  add: async (request: Omit<RefundRequest, 'id' | 'state' | 'refundId'>): Promise<number> => {
    const { id } = await tx.one<{ id: number }>(sql`
      INSERT INTO refund_request (subscription_id, transaction_id, amount_minor, currency, reason, requested_by,
        requested_at)
      VALUES (${request.subscriptionId}, ${request.transactionId}, ${request.amountMinor}, ${request.currency},
        ${request.reason}, ${request.requestedBy}, ${request.requestedAt})
      RETURNING id`);
    return id;
  },

  end: (
    id: number,
    { state, refundId }: Pick<RefundRequest, 'state' | 'refundId'>,
    now: Date,
  ): Promise<number> =>
    tx.run(
      sql`UPDATE refund_request SET state = ${state}, refund_id = ${refundId}, ended_at = ${now} WHERE id = ${id}`,
    ),
});
