/** Replays the entries of a ledger: the effect of each on the end and on the remaining value (ADR 115). */
import { addSeconds, daySeconds, hourMs } from '../time.ts';
import { isReturned } from './notice.ts';
import type { NoticePayment } from './notice.ts';
import { periodEnd } from './period.ts';
import type { Billed } from './period.ts';

export interface LedgerEntry {
  /**
   * `payment`, `refund`: reported by the gateway. `days`: granted free of charge. `moved`: paid for elsewhere, negative
   * after a refund. `plan`: from here on, all earlier value lasts until `endsAt`. `end`: access ends here.
   */
  kind: 'payment' | 'refund' | 'days' | 'moved' | 'plan' | 'end';
  /** When it was paid or created. */
  at: Date;
  transactionId: string | null;
  /** The payment that a refund returns. */
  ofTransactionId: string | null;
  /** For a payment: its latest status. */
  status: NoticePayment['status'] | null;
  /** For a payment: time of its latest report. For a plan: time of the order, for which its credit was computed. */
  reportedAt: Date;
  /** For a payment: when its status was first reported. */
  saidAt?: Date;
  /** For a plan or moved days: their value. */
  amountMinor: number;
  /** For an upgrade: the part of the amount that its own payment covers. */
  chargeMinor: number | null;
  currency: string | null;
  product: (Billed & { code: string }) | null;
  /** Paid end, if reported. */
  endsAt: Date | null;
  /** For a refunded payment: when access ended, if reported. */
  refundedAt: Date | null;
  days: number | null;
}

/** Values reported independently of payments, each with its time; null: not reported. */
export interface HeldPlan {
  /** `isDay`: reported as a day without a time. */
  end: { at: Date; endsAt: Date; isDay: boolean } | null;
  product: { at: Date; code: string } | null;
}

export interface Period {
  entry: LedgerEntry;
  from: Date;
  to: Date;
  /** The amount that the period's length follows from: 0 after a full refund. */
  lastsMinor: number;
  /** The amount less all refunds, including partial ones. */
  keptMinor: number;
}

const isSettled = (entry: LedgerEntry): boolean =>
  entry.kind === 'payment' && (entry.status === 'COMPLETED' || isReturned(entry));
export const laterOf = (a: Date | null, b: Date): Date => (a && a > b ? a : b);
/** The end after access was ended; an earlier end stays. */
const endedBy = (endsAt: Date | null, { at }: LedgerEntry): Date | null =>
  endsAt && endsAt > at ? at : endsAt;

/** When days are taken back, days already used remain. */
const withDays = (endsAt: Date | null, entry: LedgerEntry): Date => {
  const moved = addSeconds(laterOf(endsAt, entry.at), (entry.days ?? 0) * daySeconds);
  return moved < entry.at ? (endedBy(endsAt, entry) ?? entry.at) : moved;
};

/** An end reported as a day says nothing about the time within it, and shortens nothing. */
export const withEndDay = (known: Date | null, dayEnd: Date): Date =>
  known && known > addSeconds(dayEnd, -daySeconds) ? known : dayEnd;

/** Of simultaneous events, a payment comes first, since the others refer to it. */
const ranks = { payment: 0, refund: 1, plan: 2, moved: 3, days: 3, end: 4 } as const;
export const byTime = (a: LedgerEntry, b: LedgerEntry): number =>
  a.at.getTime() - b.at.getTime() ||
  ranks[a.kind] - ranks[b.kind] ||
  a.reportedAt.getTime() - b.reportedAt.getTime();

/** The newest payment made, whether refunded later or not. */
export const newestPayment = (entries: readonly LedgerEntry[]): LedgerEntry | null =>
  entries.filter(isSettled).toSorted(byTime).at(-1) ?? null;

const middleOf = (from: Date, to: Date): number => (from.getTime() + to.getTime()) / 2;

/** The gateway charges an upgrade after its order, by a clock that may run slightly behind. */
const isChargeOf = (
  { at, reportedAt, endsAt, chargeMinor, product }: LedgerEntry,
  payment: LedgerEntry,
): boolean =>
  Boolean(chargeMinor) &&
  endsAt !== null &&
  payment.product?.code === product?.code &&
  payment.at.getTime() > reportedAt.getTime() - hourMs &&
  payment.at.getTime() < middleOf(at, endsAt);

/** A second payment in the first half of a period, without a later end, buys another period. */
const periodOf = (
  entry: LedgerEntry,
  last: Period | undefined,
  product: Billed,
): Pick<Period, 'from' | 'to'> => {
  const named = entry.endsAt ?? periodEnd(entry.at, product);
  const isSecond =
    last?.entry.kind === 'payment' &&
    last.entry.product?.code === entry.product?.code &&
    entry.at.getTime() < middleOf(last.from, last.to) &&
    named <= addSeconds(last.to, daySeconds);
  return isSecond ? { from: last.to, to: periodEnd(last.to, product) } : { from: entry.at, to: named };
};

/** Paid by a purchase, renewal or plan, and not refunded. */
export const isPaidPeriod = ({ entry }: Period): boolean => entry.kind !== 'moved' && !isReturned(entry);

type Amount = (period: Period) => number;
const paidOf: Amount = ({ entry }) => entry.amountMinor;
const lastsOf: Amount = ({ lastsMinor }) => lastsMinor;
export const keptOf: Amount = ({ keptMinor }) => keptMinor;

/** Value of the time from then on, in whole minor units. */
export const worthOf = (periods: readonly Period[], amountOf: Amount, since: Date): number =>
  Math.round(
    periods.reduce((sum, period) => {
      const { from, to } = period;
      const whole = to.getTime() - from.getTime();
      const rest = to.getTime() - laterOf(from, since).getTime();
      return whole <= 0 || rest <= 0 ? sum : sum + (amountOf(period) * rest) / whole;
    }, 0),
  );

interface ReplayState {
  periods: Period[];
  endsAt: Date | null;
  /** The part added after the paid end. */
  addedMs: number;
  /** An effective period was ended or refunded, and nothing paid since. */
  isTaken: boolean;
  /** The newest effective entry that names a product. */
  named: LedgerEntry | null;
}

/** True if the period charged by the gateway fits the end without the added days: then it does not know them. */
const isUnaware = (entry: LedgerEntry, { endsAt, addedMs }: ReplayState, product: Billed): boolean => {
  if (!endsAt || addedMs === 0) return false;
  const named = entry.endsAt ?? entry.at;
  return (
    entry.at.getTime() < endsAt.getTime() - addedMs / 2 &&
    named <= addSeconds(periodEnd(entry.at, product), daySeconds)
  );
};

/** Postpones moved days that begin with or after this period to its end. */
const delay = (periods: readonly Period[], { from, to }: Pick<Period, 'from' | 'to'>): void => {
  const lengthMs = to.getTime() - from.getTime();
  for (const moved of periods.filter(
    (one) => one.entry.kind === 'moved' && one.from >= addSeconds(from, -daySeconds),
  )) {
    moved.from = new Date(moved.from.getTime() + lengthMs);
    moved.to = new Date(moved.to.getTime() + lengthMs);
  }
};

/** Replays from the oldest entry to the newest; `held` replaces the computed end. */
export const replayPeriods = (
  sorted: readonly LedgerEntry[],
  held: HeldPlan['end'],
  product: Billed,
): ReplayState => {
  const settled = sorted.filter(isSettled);
  const newest = settled.at(-1);
  const back = newest && isReturned(newest) ? newest : null;
  const charges = new Map<LedgerEntry, LedgerEntry>();
  for (const plan of sorted.filter(({ kind }) => kind === 'plan')) {
    const isFree = (payment: LedgerEntry) => [...charges.values()].every((one) => one !== payment);
    const charge = settled.find((payment) => isChargeOf(plan, payment) && isFree(payment));
    if (charge) charges.set(plan, charge);
  }
  const returnedMinor = (payment: LedgerEntry | undefined): number =>
    sorted
      .filter(({ kind, status }) => kind === 'refund' && status === 'COMPLETED')
      .filter((one) => payment && one.ofTransactionId === payment.transactionId)
      .reduce((sum, { amountMinor }) => sum - amountMinor, 0);
  const state: ReplayState = { periods: [], endsAt: null, addedMs: 0, isTaken: false, named: null };
  const pay = (entry: LedgerEntry): void => {
    const isRefunded = isReturned(entry);
    // An upgrade's payment is part of the plan.
    if (!isRefunded && [...charges.values()].includes(entry)) return;
    const billed = entry.product ?? product;
    const period = periodOf(entry, state.periods.findLast(isPaidPeriod), billed);
    const lastsMinor = isRefunded ? 0 : entry.amountMinor;
    const keptMinor = Math.max(0, lastsMinor - returnedMinor(entry));
    state.periods.push({ entry, ...period, lastsMinor, keptMinor });
    if (isRefunded) return;
    const addedMs = isUnaware(entry, state, billed) ? state.addedMs : 0;
    if (addedMs > 0) delay(state.periods, period);
    const endsAt = new Date(period.to.getTime() + addedMs);
    Object.assign(state, { endsAt, addedMs, isTaken: false });
    if (entry.product) state.named = entry;
  };
  /** The credit was paid before the plan was ordered; it counts unless refunded since. */
  const change = (entry: LedgerEntry): void => {
    const { at, reportedAt, amountMinor } = entry;
    const charge = charges.get(entry);
    const paid = worthOf(state.periods, paidOf, reportedAt);
    const left = (amountOf: Amount): number => {
      const credit = worthOf(state.periods, amountOf, reportedAt);
      return credit < paid ? Math.min(amountMinor, credit + (entry.chargeMinor ?? 0)) : amountMinor;
    };
    const lastsMinor = left(lastsOf);
    const isLess = lastsMinor < amountMinor;
    if ((charge && isReturned(charge)) || (isLess && lastsMinor <= 0)) return;
    const untilOf = (to: Date): Date =>
      isLess ? addSeconds(at, ((to.getTime() - at.getTime()) / 1_000) * (lastsMinor / amountMinor)) : to;
    const keptMinor = Math.max(0, left(keptOf) - returnedMinor(charge));
    state.periods = [{ entry, from: at, to: untilOf(entry.endsAt ?? at), lastsMinor, keptMinor }];
    const endsAt = untilOf(charge?.endsAt ?? entry.endsAt ?? at);
    Object.assign(state, { endsAt, addedMs: 0, isTaken: isLess, named: entry });
  };
  const move = (entry: LedgerEntry): void => {
    const { kind, at, amountMinor } = entry;
    if (kind === 'days' && back && at < back.reportedAt) return;
    const from = laterOf(state.endsAt, at);
    const to = withDays(state.endsAt, entry);
    state.endsAt = to;
    state.addedMs = Math.max(0, state.addedMs + to.getTime() - from.getTime());
    const amounts = { lastsMinor: amountMinor, keptMinor: amountMinor };
    if (amountMinor > 0) state.periods.push({ entry, from, to, ...amounts });
    // Days taken back may belong to another plan.
    const moved = state.periods.findLast(({ entry: one }) => one.kind === 'moved') ?? state.periods.at(-1);
    if (amountMinor >= 0 || !moved) return;
    moved.lastsMinor = Math.max(0, moved.lastsMinor + amountMinor);
    moved.keptMinor = Math.max(0, moved.keptMinor + amountMinor);
  };
  const apply = (entry: LedgerEntry): void => {
    if (isSettled(entry)) pay(entry);
    else if (entry.kind === 'plan') change(entry);
    else if (entry.kind === 'days' || entry.kind === 'moved') move(entry);
    else if (entry.kind === 'end')
      Object.assign(state, { endsAt: endedBy(state.endsAt, entry), addedMs: 0, isTaken: true });
  };
  // An end already past at the time of a payment is the previous one, unless the gateway reports it again later.
  const isLater = ({ kind, at, reportedAt, saidAt = reportedAt }: LedgerEntry): boolean =>
    held !== null && (at > held.at || (kind === 'payment' && saidAt >= held.at && held.endsAt <= at));
  for (const entry of sorted.filter((one) => !isLater(one))) apply(entry);
  if (held) {
    const endsAt = held.isDay ? withEndDay(state.endsAt, held.endsAt) : held.endsAt;
    Object.assign(state, {
      endsAt,
      addedMs: endsAt.getTime() === state.endsAt?.getTime() ? state.addedMs : 0,
    });
  }
  for (const entry of sorted.filter((one) => isLater(one))) apply(entry);
  return state;
};
