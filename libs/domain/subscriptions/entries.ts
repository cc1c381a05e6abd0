/** Rows of the ledger as they are made: of the payments of a notice, and of what was paid before it. */
import { addSeconds, daySeconds } from '../time.ts';
import type { LedgerEntry } from './ledger.ts';
import { isReturned } from './notice.ts';
import type { GatewayNotice, NoticePayment } from './notice.ts';
import type { OpenOrder } from './orders.ts';
import type { Billed } from './period.ts';

export interface NewEntry extends Omit<LedgerEntry, 'product'> {
  product: { code: string } | null;
  method: string | null;
  /** What it was made for, in words. */
  cause: string | null;
}

/** One entry of each transaction: its newest report, with what an earlier one named. */
export const entriesOf = (rows: readonly LedgerEntry[]): LedgerEntry[] => {
  const known = new Map<string, LedgerEntry>();
  for (const [index, row] of rows.entries()) {
    const { kind, transactionId, amountMinor } = row;
    const key =
      transactionId === null
        ? `${index}`
        : `${kind} ${transactionId} ${kind === 'refund' ? amountMinor : ''}`;
    const before = known.get(key);
    // What was paid for does not change: a refund names the plan of its time.
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

interface Unrecorded {
  pricePaidMinor: number;
  currency: string | null;
  endsAt: Date;
  product: Billed & { code: string };
}

/** The period of a subscription of which the ledger has nothing: at its price until its end. */
export const periodBefore = ({ pricePaidMinor, currency, endsAt, product }: Unrecorded): LedgerEntry =>
  ledgerEntry({
    kind: 'plan',
    at: addSeconds(endsAt, -product.durationDays * daySeconds),
    amountMinor: pricePaidMinor,
    currency,
    product,
    endsAt,
  });

/** The plan of an order: a cheaper one from its order on, a dearer one from when the gateway has charged it. */
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

const isBack = (payment: NoticePayment): boolean => payment.kind === 'payment' && isReturned(payment);

/** True when the notice says that a payment was made: then the end that it names is that of the payment. */
export const isPaid = ({ set, payments }: GatewayNotice): boolean =>
  set.intent === 'Running' &&
  payments.some(({ kind, status }) => kind === 'payment' && status === 'COMPLETED');

/** True when the notice says that a payment was given back: what that ends is in the ledger. */
export const isGivenBack = ({ payments }: GatewayNotice): boolean => payments.some(isBack);

/** True if the refund may be partial. */
export const isPossiblyPartialRefund = ({ payments }: GatewayNotice): boolean =>
  payments.length > 0 && payments.every(({ ofTransactionId }) => ofTransactionId !== undefined);

/** The payments of a notice as entries. */
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
    refundedAt: isBack({ paidAt, ...payment }) ? (notice.set.endsAt ?? null) : null,
    cause: notice.what,
  }));

/** What a refund gives back, which is what others have left of its payment: gateways name a whole one with all that was paid. */
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
