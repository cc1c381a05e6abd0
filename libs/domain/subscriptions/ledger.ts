/**
 * What was paid, given back, granted and carried over, as rows that are only ever added (ADR 115). Access, the value of
 * what is left and the last payment are computed from them, in whichever order they became known.
 */
import { isReturned } from './notice.ts';
import type { NoticePayment } from './notice.ts';
import {
  byTime,
  isPaidPeriod,
  keptOf,
  laterOf,
  newestPayment,
  replayPeriods,
  worthOf,
} from './paid-periods.ts';
import type { Period } from './paid-periods.ts';
import type { Billed } from './period.ts';

const daySeconds = 86_400;

export interface LedgerEntry {
  /**
   * `payment`, `refund`: of the gateway. `days`: granted for nothing. `moved`: paid elsewhere, negative when that was
   * given back. `plan`: from here on the value of everything before lasts until `endsAt`. `end`: access ends here.
   */
  kind: 'payment' | 'refund' | 'days' | 'moved' | 'plan' | 'end';
  /** When it was paid or made. */
  at: Date;
  transactionId: string | null;
  /** The payment that a refund gives back. */
  ofTransactionId: string | null;
  /** Of a payment, in its newest report. */
  status: NoticePayment['status'] | null;
  /** Of a payment: when its newest report was made. Of a plan: when it was ordered, for which its credit was computed. */
  reportedAt: Date;
  /** Of a payment: when its status was first reported. */
  saidAt?: Date;
  /** Of a plan and of moved days: what the time until its end, and these days, are worth. */
  amountMinor: number;
  /** Of an upgrade: the part of the amount that its own payment brings. */
  chargeMinor: number | null;
  currency: string | null;
  product: (Billed & { code: string }) | null;
  /** Until when it is paid, where that was named. */
  endsAt: Date | null;
  /** Of a payment that was given back: when its access ended, if that was named. */
  refundedAt: Date | null;
  days: number | null;
}

/** What the gateway names by itself, each with its time; null: it has not named one. */
export interface HeldPlan {
  /** `isDay`: it names a day. */
  end: { at: Date; endsAt: Date; isDay: boolean } | null;
  product: { at: Date; code: string } | null;
}

export interface Balance {
  /** Code of the product that is paid until the end; null: nothing that counts names one. */
  code: string | null;
  /** End of access; null: nothing says when. */
  endsAt: Date | null;
  /** The last payment was given back, and nothing else is left. */
  isGivenBack: boolean;
  /** When days were granted or moved to it last. */
  grantedAt: Date | null;
  /** The newest payment that was not given back. */
  lastPayment: LedgerEntry | null;
  /** What the newest period cost, of a plan one period of the product. */
  pricePaidMinor: number;
  /** What the time from then on is worth, in minor units. */
  worthMinor: (from: Date) => number;
}

const priceOf = ({ entry, from, to }: Period, { durationDays }: Billed): number => {
  const days = (to.getTime() - from.getTime()) / 1_000 / daySeconds;
  if (entry.kind !== 'plan') return entry.amountMinor;
  return days > 0 ? Math.round((entry.amountMinor * durationDays) / days) : 0;
};

/** `product`: of the subscription, for payments that name none. */
export const balanceOf = (
  entries: readonly LedgerEntry[],
  { end: held, product: heldProduct }: HeldPlan,
  product: Billed,
): Balance => {
  const sorted = entries.toSorted(byTime);
  const newest = newestPayment(entries);
  const refundedAt = newest && isReturned(newest) ? (newest.refundedAt ?? newest.reportedAt) : null;
  const paid = replayPeriods(sorted, null, product);
  // Of what was ended or given back a gateway repeats the end and the plan that it had.
  const isBack = (one: LedgerEntry): boolean =>
    isReturned(one) && one.endsAt?.getTime() === held?.endsAt.getTime();
  const isHeld = !refundedAt && !paid.isTaken && !sorted.some((one) => isBack(one));
  const { periods, endsAt, named } = held && isHeld ? replayPeriods(sorted, held, product) : paid;
  const isHeldCode = heldProduct && isHeld && (!named || named.at <= heldProduct.at);
  const last = periods.findLast(isPaidPeriod);
  return {
    code: isHeldCode ? heldProduct.code : (named?.product?.code ?? null),
    endsAt: refundedAt ? laterOf(endsAt, refundedAt) : endsAt,
    isGivenBack: refundedAt !== null && (endsAt === null || endsAt <= refundedAt),
    grantedAt: sorted.findLast(({ days }) => days !== null && days > 0)?.at ?? null,
    lastPayment: sorted.findLast(({ kind, status }) => kind === 'payment' && status === 'COMPLETED') ?? null,
    pricePaidMinor: last ? priceOf(last, product) : 0,
    worthMinor: (from) => worthOf(periods, keptOf, from),
  };
};
