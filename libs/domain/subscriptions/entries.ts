/** Ledger rows for the payments of a notice, and for the period paid before. */
import { addSeconds, daySeconds } from '../time.ts';
import type { LedgerEntry } from './paid-periods.ts';
import { isReturned } from './notice.ts';
import type { GatewayNotice, NoticePayment } from './notice.ts';
import type { OpenOrder } from './orders.ts';
import type { Billed } from './period.ts';
import type { SubscriptionRecord } from './record.ts';

export interface NewEntry extends Omit<LedgerEntry, 'product'> {
  product: { code: string } | null;
  method: string | null;
  /** The reason in words. */
  cause: string | null;
}

/** One entry per transaction: its newest report, completed from earlier ones. */
export const entriesOf = (rows: readonly LedgerEntry[]): LedgerEntry[] => {
  const known = new Map<string, LedgerEntry>();
  for (const [index, row] of rows.entries()) {
    const { kind, transactionId, amountMinor } = row;
    const key =
      transactionId === null
        ? `${index}`
        : `${kind} ${transactionId} ${kind === 'refund' ? amountMinor : ''}`;
    const before = known.get(key);
    // A payment keeps the product that it bought, so that a refund applies to the plan of that time.
    const product = before?.product ?? row.product;
    const saidAt = before?.status === row.status ? (before.saidAt ?? before.reportedAt) : row.reportedAt;
    known.set(key, { ...row, product, endsAt: row.endsAt ?? before?.endsAt ?? null, saidAt });
  }
  return [...known.values()];
};

const none = {
  transactionId: null,
  ofTransactionId: null,
  status: null,
  amountMinor: 0,
  chargeMinor: null,
  currency: null,
  product: null,
  endsAt: null,
  refundedAt: null,
  days: null,
} as const;

export const ledgerEntry = (given: Pick<LedgerEntry, 'kind' | 'at'> & Partial<LedgerEntry>): LedgerEntry => ({
  ...none,
  reportedAt: given.at,
  ...given,
});

/** The period of a subscription without ledger rows: at its price until its end. */
export const periodBefore = ({
  pricePaidMinor,
  currency,
  endsAt,
  product,
}: Pick<SubscriptionRecord, 'pricePaidMinor' | 'currency' | 'endsAt' | 'product'>): LedgerEntry =>
  ledgerEntry({
    kind: 'plan',
    at: addSeconds(endsAt, -product.durationDays * daySeconds),
    amountMinor: pricePaidMinor,
    currency,
    product,
    endsAt,
  });

/** A plan change: a cheaper plan starts with its order, a dearer one when the gateway has charged it. */
export const planEntry = (
  { parameters, createdAt }: Pick<OpenOrder, 'parameters'> & { createdAt: Date | string },
  product: Billed & { code: string },
  { at, endsAt }: { at: Date; endsAt: Date } = {
    at: new Date(createdAt),
    endsAt: new Date(parameters.endsAt ?? ''),
  },
): LedgerEntry => {
  const { creditMinor = 0, chargeMinor = 0, currency = null } = parameters;
  const amountMinor = creditMinor + chargeMinor;
  const reportedAt = new Date(createdAt);
  return ledgerEntry({ kind: 'plan', at, reportedAt, amountMinor, chargeMinor, currency, product, endsAt });
};

const isRefunded = (payment: NoticePayment): boolean => payment.kind === 'payment' && isReturned(payment);

/** True if the notice reports a payment: its end then belongs to that payment. */
export const isPaid = ({ coversFrom, payments }: GatewayNotice): boolean =>
  coversFrom !== undefined &&
  payments.some(({ kind, status }) => kind === 'payment' && status === 'COMPLETED');

/** True if the notice reports a refund: the ledger determines what it ends. */
export const reportsRefund = ({ payments }: GatewayNotice): boolean => payments.some(isRefunded);

/** True if the refund may be partial. */
export const isPossiblyPartialRefund = ({ payments }: GatewayNotice): boolean =>
  payments.length > 0 && payments.every(({ ofTransactionId }) => ofTransactionId !== undefined);

/** Ledger entries for the payments of a notice. */
export const reportsOf = (
  notice: GatewayNotice,
  product: { code: string },
): (Pick<NewEntry, 'kind' | 'at'> & Partial<NewEntry>)[] =>
  notice.payments.map(({ paidAt, ofTransactionId, ...payment }) => ({
    ...payment,
    at: paidAt,
    reportedAt: notice.occurredAt,
    ofTransactionId: payment.kind === 'refund' ? (ofTransactionId ?? payment.transactionId) : null,
    product: payment.kind === 'payment' ? product : null,
    endsAt: payment.status === 'COMPLETED' && isPaid(notice) ? (notice.set.endsAt ?? null) : null,
    refundedAt: isRefunded({ paidAt, ...payment }) ? (notice.set.endsAt ?? null) : null,
    cause: notice.what,
  }));

/** The amount that a refund returns, after earlier refunds: gateways report a full refund with the full price. */
export const refundedMinor = (
  {
    transactionId,
    ofTransactionId,
    amountMinor,
  }: Pick<LedgerEntry, 'transactionId' | 'ofTransactionId' | 'amountMinor'>,
  known: readonly LedgerEntry[],
): number => {
  const payment = known.find((one) => one.kind === 'payment' && one.transactionId === ofTransactionId);
  const others = known.filter(
    (one) =>
      one.kind === 'refund' &&
      one.status === 'COMPLETED' &&
      one.ofTransactionId === ofTransactionId &&
      one.transactionId !== transactionId,
  );
  const left = others.reduce((sum, other) => sum + other.amountMinor, payment?.amountMinor ?? Infinity);
  return Math.max(amountMinor, Math.min(0, -left));
};
