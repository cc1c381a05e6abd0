/**
 * Payments, refunds, grants and carried days as append-only rows (ADR 115). Access, remaining value and last payment
 * are computed from them, in whatever order they became known.
 */
import { daySeconds } from '../time.ts';
import { isReturned } from './notice.ts';
import {
  byTime,
  isPaidPeriod,
  keptOf,
  laterOf,
  newestPayment,
  replayPeriods,
  worthOf,
} from './paid-periods.ts';
import type { HeldPlan, LedgerEntry, Period } from './paid-periods.ts';
import type { Billed } from './period.ts';

export interface Balance {
  /** Product code for the paid period; null: no effective row names one. */
  code: string | null;
  /** End of access; null: unknown. */
  endsAt: Date | null;
  /** True if the last payment was refunded and nothing else is left. */
  isRefunded: boolean;
  /** When days were last granted or moved. */
  grantedAt: Date | null;
  /** The newest payment that was not refunded. */
  lastPayment: LedgerEntry | null;
  /** Price of the newest period; for a plan, of one period of the product. */
  pricePaidMinor: number;
  /** Value of the time from then on, in minor units. */
  worthMinor: (from: Date) => number;
}

const priceOf = ({ entry, from, to }: Period, { durationDays }: Billed): number => {
  const days = (to.getTime() - from.getTime()) / 1_000 / daySeconds;
  if (entry.kind !== 'plan') return entry.amountMinor;
  return days > 0 ? Math.round((entry.amountMinor * durationDays) / days) : 0;
};

/** `product`: the subscription's, for payments that name none. */
export const balanceOf = (
  entries: readonly LedgerEntry[],
  { end: held, product: heldProduct }: HeldPlan,
  product: Billed,
): Balance => {
  const sorted = entries.toSorted(byTime);
  const newest = newestPayment(entries);
  const refundedAt = newest && isReturned(newest) ? (newest.refundedAt ?? newest.reportedAt) : null;
  const paid = replayPeriods(sorted, null, product);
  // After an end or refund, a gateway repeats the previous end and plan.
  const repeatsPrevious = (one: LedgerEntry): boolean =>
    isReturned(one) && one.endsAt?.getTime() === held?.endsAt.getTime();
  const isHeld = !refundedAt && !paid.isTaken && !sorted.some((one) => repeatsPrevious(one));
  const { periods, endsAt, named } = held && isHeld ? replayPeriods(sorted, held, product) : paid;
  const isHeldCode = heldProduct && isHeld && (!named || named.at <= heldProduct.at);
  const last = periods.findLast(isPaidPeriod);
  return {
    code: isHeldCode ? heldProduct.code : (named?.product?.code ?? null),
    endsAt: refundedAt ? laterOf(endsAt, refundedAt) : endsAt,
    isRefunded: refundedAt !== null && (endsAt === null || endsAt <= refundedAt),
    grantedAt: sorted.findLast(({ days }) => days !== null && days > 0)?.at ?? null,
    lastPayment: sorted.findLast(({ kind, status }) => kind === 'payment' && status === 'COMPLETED') ?? null,
    pricePaidMinor: last ? priceOf(last, product) : 0,
    worthMinor: (from) => worthOf(periods, keptOf, from),
  };
};
