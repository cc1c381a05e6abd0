import type { NoticePayment } from '#domain/subscriptions/notice.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';

export interface PaymentRow extends NoticePayment {
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

const payment = sql`
  SELECT id, subscription_id, gateway, transaction_id, kind, status, amount_minor, currency, method,
    paid_at
  FROM payment`;

export const paymentRepo = (db: ReadDb) => ({
  /** Payments of all subscriptions of the user, or of one. */
  ofUser: (userId: number, subscriptionId?: number): Promise<PaymentRow[]> =>
    db.any<PaymentRow>(sql`${payment} WHERE user_id = ${userId}
      AND (${subscriptionId ?? null}::int IS NULL OR subscription_id = ${subscriptionId ?? null}::int)
      ORDER BY paid_at DESC, id DESC`),

  /** The newest completed payment of a subscription. */
  latest: (subscriptionId: number): Promise<PaymentRow | null> =>
    db.maybe<PaymentRow>(sql`${payment}
      WHERE subscription_id = ${subscriptionId} AND kind = 'payment' AND status = 'COMPLETED'
      ORDER BY paid_at DESC, id DESC LIMIT 1`),

  /** Known payments of a subscription by transaction, with their statuses. */
  statuses: async (subscriptionId: number): Promise<Map<string, NoticePayment['status']>> => {
    const rows = await db.any<{ id: string; status: NoticePayment['status'] }>(sql`
      SELECT transaction_id AS id, status FROM payment
      WHERE subscription_id = ${subscriptionId} AND kind = 'payment'`);
    return new Map(rows.map(({ id, status }) => [id, status]));
  },
});
