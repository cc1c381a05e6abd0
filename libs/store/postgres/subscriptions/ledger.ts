import { entriesOf } from '#domain/subscriptions/entries.ts';
import type { NewEntry } from '#domain/subscriptions/entries.ts';
import type { LedgerEntry } from '#domain/subscriptions/paid-periods.ts';
import { sql, insertOf } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import type { NoticePayment } from '#domain/subscriptions/notice.ts';
import type { GatewayStatus } from '#domain/subscriptions/entitlement.ts';

export const ledgerRepo = (db: ReadDb) => ({
  /** Each transaction once, by its newest report. */
  of: async (subscriptionId: number): Promise<LedgerEntry[]> =>
    entriesOf(
      await db.any<LedgerEntry>(sql`
        SELECT l.kind, l.paid_at AS at, l.transaction_id, l.of_transaction_id, l.status, l.reported_at,
          l.amount_minor, l.charge_minor, l.currency,
          CASE WHEN p.code IS NOT NULL THEN jsonb_build_object('code', p.code, 'frequency', p.frequency,
            'durationDays', p.duration_days) END AS product,
          l.ends_at, l.back_at AS refunded_at, l.days
        FROM ledger l LEFT JOIN product p ON p.code = l.product_code
        WHERE l.subscription_id = ${subscriptionId} ORDER BY l.reported_at, l.status, l.id`),
    ),
});

interface LedgerOwner {
  userId: number;
  subscriptionId: number;
  gateway: string | null;
}

export const ledgerWrites = (tx: Tx) => ({
  /** Ignores reports that are already stored, and transactions of another subscription. */
  add: ({ userId, subscriptionId, gateway }: LedgerOwner, entry: NewEntry): Promise<number> =>
    tx.run(sql`
      INSERT INTO ledger (user_id, subscription_id, gateway, kind, paid_at, transaction_id, of_transaction_id, status,
        reported_at, amount_minor, charge_minor, currency, method, product_code, ends_at, back_at, days, cause)
      SELECT ${userId}, ${subscriptionId}, ${gateway}, ${entry.kind}, ${entry.at}, ${entry.transactionId},
        ${entry.ofTransactionId}, ${entry.status}, ${entry.reportedAt}, ${entry.amountMinor}, ${entry.chargeMinor},
        ${entry.currency}, ${entry.method}, ${entry.product?.code ?? null}, ${entry.endsAt}, ${entry.refundedAt},
        ${entry.days}, ${entry.cause}
      WHERE NOT EXISTS (SELECT 1 FROM ledger WHERE gateway = ${gateway} AND transaction_id = ${entry.transactionId}
        AND kind = ${entry.kind} AND subscription_id <> ${subscriptionId})
      ON CONFLICT DO NOTHING`),

  /** A payment that was refunded in parts until nothing remained counts as refunded. */
  noteReturned: (subscriptionId: number): Promise<number> =>
    tx.run(sql`
      INSERT INTO ledger (user_id, subscription_id, gateway, kind, paid_at, transaction_id, status, reported_at,
        amount_minor, currency, method, back_at, cause)
      SELECT p.user_id, p.subscription_id, p.gateway, p.kind, p.paid_at, p.transaction_id, 'REFUNDED',
        max(r.reported_at), p.amount_minor, p.currency, p.method, max(r.reported_at), 'given back in parts'
      FROM payment p JOIN payment r ON r.subscription_id = p.subscription_id AND r.kind = 'refund'
        AND r.status = 'COMPLETED' AND r.of_transaction_id = p.transaction_id
      WHERE p.subscription_id = ${subscriptionId} AND p.kind = 'payment' AND p.status = 'COMPLETED'
      GROUP BY p.user_id, p.subscription_id, p.gateway, p.kind, p.paid_at, p.transaction_id, p.reported_at,
        p.amount_minor, p.currency, p.method
      HAVING sum(r.amount_minor) <= -p.amount_minor AND max(r.reported_at) >= p.reported_at
      ON CONFLICT DO NOTHING`),
});

export interface PaymentRow extends NoticePayment {
  id: number;
  subscriptionId: number;
  gateway: string;
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

export type HistorySource = 'user' | 'operator' | 'gateway' | 'sync' | 'reconciliation';

export interface HistoryEntry {
  at: Date;
  source: HistorySource;
  /** One sentence. */
  what: string;
  statusBefore: GatewayStatus | null;
  statusAfter: GatewayStatus | null;
  endsBefore: Date | null;
  endsAfter: Date | null;
}

export const subscriptionHistoryRepo = (db: ReadDb) => ({
  /** Oldest first. */
  of: (subscriptionId: number): Promise<HistoryEntry[]> =>
    db.any<HistoryEntry>(sql`SELECT at, source, what, status_before, status_after, ends_before,
        ends_after
      FROM subscription_history WHERE subscription_id = ${subscriptionId} ORDER BY id`),
});

interface Dated {
  gatewayStatus: GatewayStatus;
  endsAt: Date;
}

export const subscriptionHistoryWrites = (tx: Tx) => ({
  /** `before` and `after` are null where the entry changes nothing. */
  add: (
    subscriptionId: number,
    entry: Pick<HistoryEntry, 'at' | 'source' | 'what'>,
    before: Dated | null = null,
    after: Dated | null = null,
  ): Promise<number> =>
    tx.run(
      insertOf('subscription_history', {
        subscriptionId,
        ...entry,
        statusBefore: before?.gatewayStatus,
        statusAfter: after?.gatewayStatus,
        endsBefore: before?.endsAt,
        endsAfter: after?.endsAt,
      }),
    ),
});
