import type { LivePayment } from '#domain/subscriptions/gateway.ts';
import type { SettledPayment } from '#domain/subscriptions/money-back.ts';
import type { NoticePayment } from '#domain/subscriptions/notice.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export interface PaymentRow extends LivePayment {
  id: number;
  subscriptionId: number;
  gateway: string;
}

export interface PaymentFilter {
  subscriptionId?: number | undefined;
  /** `YYYY-MM-DD`, both inclusive. */
  from?: string | undefined;
  to?: string | undefined;
}

export const paymentRepo = (db: ReadDb) => {
  const matching = (userId: number, { subscriptionId, from, to }: PaymentFilter) => sql`
    FROM payment WHERE user_id = ${userId}
      AND (${subscriptionId ?? null}::int IS NULL OR subscription_id = ${subscriptionId ?? null}::int)
      AND (${from ?? null}::date IS NULL OR paid_at >= ${from ?? null}::date)
      AND (${to ?? null}::date IS NULL OR paid_at < ${to ?? null}::date + 1)`;
  return {
    /** Newest first. */
    ofUser: (userId: number, filter: PaymentFilter, limit: number, offset: number): Promise<PaymentRow[]> =>
      db.any<PaymentRow>(sql`
        SELECT id, subscription_id AS "subscriptionId", gateway, transaction_id AS "transactionId", kind, status,
          amount_minor AS "amountMinor", currency, method, paid_at AS "paidAt"
        ${matching(userId, filter)} ORDER BY paid_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`),

    count: async (userId: number, filter: PaymentFilter): Promise<number> =>
      (await db.one<{ total: number }>(sql`SELECT count(*) AS total ${matching(userId, filter)}`)).total,

    /** The newest completed payment of a subscription. */
    latest: (subscriptionId: number): Promise<PaymentRow | null> =>
      db.maybe<PaymentRow>(sql`
        SELECT id, subscription_id AS "subscriptionId", gateway, transaction_id AS "transactionId", kind, status,
          amount_minor AS "amountMinor", currency, method, paid_at AS "paidAt"
        FROM payment WHERE subscription_id = ${subscriptionId} AND kind = 'payment' AND status = 'COMPLETED'
        ORDER BY paid_at DESC, id DESC LIMIT 1`),

    /** Statuses of the payments that are known of a subscription, by transaction. */
    statuses: async (subscriptionId: number): Promise<Map<string, LivePayment['status']>> => {
      const rows = await db.any<{ id: string; status: LivePayment['status'] }>(sql`
        SELECT transaction_id AS id, status FROM payment
        WHERE subscription_id = ${subscriptionId} AND kind = 'payment'`);
      return new Map(rows.map(({ id, status }) => [id, status]));
    },

    /** The newest payment of a subscription that was completed, whether or not it was given back later. */
    settled: (subscriptionId: number): Promise<SettledPayment | null> =>
      db.maybe<SettledPayment>(sql`
        SELECT transaction_id AS "transactionId", status FROM payment
        WHERE subscription_id = ${subscriptionId} AND kind = 'payment'
          AND status IN ('COMPLETED', 'REFUNDED', 'REVERSED')
        ORDER BY paid_at DESC, id DESC LIMIT 1`),
  };
};

export const paymentWrites = (tx: Tx) => ({
  /** One row per transaction; of several reports the newest by the provider's clock decides the status. */
  put: (
    { userId, subscriptionId, gateway }: { userId: number; subscriptionId: number; gateway: string },
    payment: NoticePayment,
    reportedAt: Date,
  ): Promise<number> =>
    tx.run(sql`
      INSERT INTO payment (user_id, subscription_id, gateway, transaction_id, kind, status, amount_minor, currency,
        method, paid_at, reported_at)
      VALUES (${userId}, ${subscriptionId}, ${gateway}, ${payment.transactionId}, ${payment.kind}, ${payment.status},
        ${payment.amountMinor}, ${payment.currency}, ${payment.method}, ${payment.paidAt}, ${reportedAt})
      ON CONFLICT (gateway, transaction_id, kind) DO UPDATE SET status = excluded.status,
        amount_minor = excluded.amount_minor, currency = excluded.currency, method = excluded.method,
        paid_at = excluded.paid_at, reported_at = excluded.reported_at
      WHERE (payment.reported_at, payment.status) < (excluded.reported_at, excluded.status)
        AND payment.subscription_id = excluded.subscription_id`),
});
