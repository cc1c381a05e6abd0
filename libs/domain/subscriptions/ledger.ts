/**
 * What was paid, given back, granted and carried over, as rows that are only ever added (ADR 115). Access, the value of
 * what is left and the last payment are computed from them, in whichever order they became known.
 */
import { addSeconds } from '../time.ts';
import { isReturned } from './notice.ts';
import type { NoticePayment } from './notice.ts';
import { periodEnd } from './period.ts';
import type { Billed } from './period.ts';

const hourMs = 3_600_000;
const daySeconds = 86_400;

export interface LedgerEntry {
  /**
   * `payment`, `refund`: of the gateway. `days`: granted for nothing. `moved`: paid elsewhere, negative when that was given back. `plan`: from here on the
   * value of everything before lasts until `endsAt`. `end`: access ends here.
   */
  kind: 'payment' | 'refund' | 'days' | 'moved' | 'plan' | 'end';
  /** When it was paid or made. */
  at: Date;
  transactionId: string | null;
  /** The payment that a refund gives back; of a plan the newest payment before it. */
  ofTransactionId: string | null;
  /** Of a payment, in its newest report, with the time of that report. */
  status: NoticePayment['status'] | null;
  reportedAt: Date;
  /** Of a plan: what the time until its end is worth. */
  amountMinor: number;
  /** Of an upgrade: the part of the amount that its own payment brings. */
  chargeMinor: number | null;
  currency: string | null;
  product: (Billed & { code: string }) | null;
  /** Until when it is paid, where that was named. */
  endsAt: Date | null;
  /** Of a payment that was given back: when its access ended, if that was named. */
  backAt: Date | null;
  days: number | null;
}

/** What the gateway names by itself, each with its time; null: it has not named one. */
export interface HeldPlan {
  /** `isDay`: it names a day. */
  end: { at: Date; endsAt: Date; isDay: boolean } | null;
  product: { at: Date; code: string } | null;
}

interface Period {
  entry: LedgerEntry;
  from: Date;
  to: Date;
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
  /** When the plan was changed, access was ended, moved days were taken back or the last payment was, the newest of these. */
  takenAt: Date | null;
  /** The newest payment that was not given back. */
  lastPayment: LedgerEntry | null;
  /** What the newest period cost, of a plan one period of the product. */
  pricePaidMinor: number;
  /** What the time from then on is worth, in minor units. */
  worthMinor: (from: Date) => number;
}

const isSettled = (entry: LedgerEntry): boolean =>
  entry.kind === 'payment' && (entry.status === 'COMPLETED' || isReturned(entry));
const laterOf = (a: Date | null, b: Date): Date => (a && a > b ? a : b);
/** Where nothing is left, there is nothing to end. */
const endedBy = (endsAt: Date | null, { at }: LedgerEntry): Date | null =>
  endsAt && endsAt > at ? at : endsAt;

/** Of days that are taken back those until then were used. */
const withDays = (endsAt: Date | null, entry: LedgerEntry): Date => {
  const moved = addSeconds(laterOf(endsAt, entry.at), (entry.days ?? 0) * daySeconds);
  return moved < entry.at ? (endedBy(endsAt, entry) ?? entry.at) : moved;
};

/** A day that a gateway names as the end says nothing about a time in it, and shortens nothing. */
export const withEndDay = (known: Date | null, dayEnd: Date): Date =>
  known && known > addSeconds(dayEnd, -daySeconds) ? known : dayEnd;

/** Of what happened at one time a payment comes first, since the rest is about it. */
const ranks = { payment: 0, refund: 1, plan: 2, moved: 3, days: 3, end: 4 } as const;
const byTime = (a: LedgerEntry, b: LedgerEntry): number =>
  a.at.getTime() - b.at.getTime() ||
  ranks[a.kind] - ranks[b.kind] ||
  a.reportedAt.getTime() - b.reportedAt.getTime();

/** The newest payment that was made, whether or not it was given back later. */
export const newestPayment = (entries: readonly LedgerEntry[]): LedgerEntry | null =>
  entries.filter(isSettled).toSorted(byTime).at(-1) ?? null;

const middleOf = (from: Date, to: Date): number => (from.getTime() + to.getTime()) / 2;

/** The gateway's message about the charge of an upgrade follows it, or runs a little ahead. */
const isChargeOf = ({ at, endsAt, chargeMinor, product }: LedgerEntry, payment: LedgerEntry): boolean =>
  Boolean(chargeMinor) &&
  endsAt !== null &&
  payment.product?.code === product?.code &&
  payment.at.getTime() > at.getTime() - hourMs &&
  payment.at.getTime() < middleOf(at, endsAt);

/** A second payment in the first half of a period, which names no later end, buys another period. */
const periodOf = (entry: LedgerEntry, last: Period | undefined, product: Billed): Period => {
  const named = entry.endsAt ?? periodEnd(entry.at, product);
  const isSecond =
    last?.entry.kind === 'payment' &&
    last.entry.product?.code === entry.product?.code &&
    entry.at.getTime() < middleOf(last.from, last.to) &&
    named <= addSeconds(last.to, daySeconds);
  return isSecond
    ? { entry, from: last.to, to: periodEnd(last.to, product) }
    : { entry, from: entry.at, to: named };
};

const priceOf = ({ entry, from, to }: Period, { durationDays }: Billed): number => {
  const days = (to.getTime() - from.getTime()) / 1_000 / daySeconds;
  if (entry.kind !== 'plan') return entry.amountMinor;
  return days > 0 ? Math.round((entry.amountMinor * durationDays) / days) : 0;
};

/** What counts, oldest first, from the newest change of plan on: that one has closed what was before it. */
const counted = (entries: readonly LedgerEntry[]) => {
  const sorted = entries.toSorted(byTime);
  const settled = sorted.filter(isSettled);
  const newest = newestPayment(entries);
  const back = newest && isReturned(newest) ? newest : null;
  const voided = new Set(settled.filter(isReturned));
  const chargeOf = (plan: LedgerEntry) => settled.find((payment) => isChargeOf(plan, payment));
  for (const entry of sorted.filter(({ kind }) => kind === 'plan')) {
    const charge = chargeOf(entry);
    if (
      settled.some(
        (one) => isReturned(one) && (one === charge || one.transactionId === entry.ofTransactionId),
      )
    )
      voided.add(entry);
  }
  const plan = sorted.findLast((entry) => entry.kind === 'plan' && !voided.has(entry));
  const charge = plan && chargeOf(plan);
  const isOpen = (entry: LedgerEntry): boolean => {
    if (plan && entry !== charge && byTime(entry, plan) < 0) return false;
    if (entry.kind === 'payment') return entry.status === 'COMPLETED';
    if (entry.kind === 'days') return !back || entry.at >= back.reportedAt;
    return entry === plan || entry.kind === 'moved' || entry.kind === 'end';
  };
  return {
    list: sorted.filter(isOpen),
    refunds: sorted.filter(({ kind, status }) => kind === 'refund' && status === 'COMPLETED'),
    back,
    voided,
    charge,
  };
};

/** `product`: of the subscription, for payments that name none. */
export const balanceOf = (
  entries: readonly LedgerEntry[],
  { end: held, product: heldProduct }: HeldPlan,
  product: Billed,
): Balance => {
  const { list, refunds, back, voided, charge } = counted(entries);
  const periods: Period[] = [];
  let endsAt: Date | null = null;
  const apply = (entry: LedgerEntry): void => {
    if (entry.kind === 'plan') {
      endsAt = entry.endsAt ?? entry.at;
      periods.push({ entry, from: entry.at, to: endsAt });
    } else if (entry === charge) endsAt = entry.endsAt ?? endsAt;
    else if (entry.kind === 'payment') {
      const period = periodOf(entry, periods.at(-1), entry.product ?? product);
      periods.push(period);
      endsAt = period.to;
    } else if (entry.kind === 'end') endsAt = endedBy(endsAt, entry);
    else endsAt = withDays(endsAt, entry);
  };
  // A licence that only repeats what was given back says nothing.
  const isRepeated = [...voided].some((one) => one.endsAt?.getTime() === held?.endsAt.getTime());
  const isRepeatedCode = [...voided].some((one) => one.product?.code === heldProduct?.code);
  const named = list.findLast((entry) => entry.product !== null);
  const isHeldCode = heldProduct && !isRepeatedCode && (!named || named.at <= heldProduct.at);
  // What was ended stays so, whatever end the gateway names, until something is paid.
  const ended = list.findLast(({ kind }) => kind === 'end');
  const isOver = ended && !list.some((one) => one.kind === 'payment' && one.at > ended.at);
  const at = held && !back && !isRepeated && !isOver ? held.at : null;
  for (const entry of list.filter((one) => !at || one.at <= at)) apply(entry);
  if (held && at) endsAt = held.isDay ? withEndDay(endsAt, held.endsAt) : held.endsAt;
  for (const entry of list.filter((one) => at && one.at > at)) apply(entry);
  const backAt = back && (back.backAt ?? back.reportedAt);
  const given = ({ transactionId, ofTransactionId, kind, at: since }: LedgerEntry): number => {
    const ids = kind === 'plan' ? [ofTransactionId, charge?.transactionId] : [transactionId];
    const own = refunds.filter(({ ofTransactionId: of, at: when }) => ids.includes(of) && when >= since);
    return own.reduce((sum, { amountMinor }) => sum - amountMinor, 0);
  };
  const last = periods.at(-1);
  const taken = list.findLast(({ kind, days }) => kind === 'plan' || kind === 'end' || (days ?? 0) < 0);
  return {
    code: isHeldCode ? heldProduct.code : (named?.product?.code ?? null),
    endsAt: backAt ? laterOf(endsAt, backAt) : endsAt,
    isGivenBack: backAt !== null && (endsAt === null || endsAt <= backAt),
    grantedAt: list.findLast(({ days }) => days !== null && days > 0)?.at ?? null,
    takenAt: back && taken ? laterOf(taken.at, back.reportedAt) : (taken?.at ?? back?.reportedAt ?? null),
    lastPayment: list.findLast(({ kind }) => kind === 'payment') ?? null,
    pricePaidMinor: last ? priceOf(last, product) : 0,
    worthMinor: (from) =>
      Math.round(
        periods.reduce((sum, { entry, from: start, to }) => {
          const whole = to.getTime() - start.getTime();
          const rest = to.getTime() - laterOf(start, from).getTime();
          return whole <= 0 || rest <= 0
            ? sum
            : sum + (Math.max(0, entry.amountMinor - given(entry)) * rest) / whole;
        }, 0),
      ),
  };
};
