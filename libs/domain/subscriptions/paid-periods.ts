/** The entries of a ledger, one after the other: what each makes of the end, and of the value of what is left (ADR 115). */
import { addSeconds, daySeconds, hourMs } from '../time.ts';
import { isReturned } from './notice.ts';
import type { HeldPlan, LedgerEntry } from './ledger.ts';
import { periodEnd } from './period.ts';
import type { Billed } from './period.ts';

export interface Period {
  entry: LedgerEntry;
  from: Date;
  to: Date;
  /** What is left of its amount without what was given back whole, which shortens it; and without parts of it, either. */
  lastsMinor: number;
  keptMinor: number;
}

const isSettled = (entry: LedgerEntry): boolean =>
  entry.kind === 'payment' && (entry.status === 'COMPLETED' || isReturned(entry));
export const laterOf = (a: Date | null, b: Date): Date => (a && a > b ? a : b);
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
export const byTime = (a: LedgerEntry, b: LedgerEntry): number =>
  a.at.getTime() - b.at.getTime() ||
  ranks[a.kind] - ranks[b.kind] ||
  a.reportedAt.getTime() - b.reportedAt.getTime();

/** The newest payment that was made, whether or not it was given back later. */
export const newestPayment = (entries: readonly LedgerEntry[]): LedgerEntry | null =>
  entries.filter(isSettled).toSorted(byTime).at(-1) ?? null;

const middleOf = (from: Date, to: Date): number => (from.getTime() + to.getTime()) / 2;

/** The gateway charges for an upgrade after it was ordered, by a clock that may run a little behind. */
const isChargeOf = (
  { at, reportedAt, endsAt, chargeMinor, product }: LedgerEntry,
  payment: LedgerEntry,
): boolean =>
  Boolean(chargeMinor) &&
  endsAt !== null &&
  payment.product?.code === product?.code &&
  payment.at.getTime() > reportedAt.getTime() - hourMs &&
  payment.at.getTime() < middleOf(at, endsAt);

/** A second payment in the first half of a period, which names no later end, buys another period. */
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

/** Of a purchase, a renewal or a plan, and not given back. */
export const isPaidPeriod = ({ entry }: Period): boolean => entry.kind !== 'moved' && !isReturned(entry);

type Amount = (period: Period) => number;
const paidOf: Amount = ({ entry }) => entry.amountMinor;
const lastsOf: Amount = ({ lastsMinor }) => lastsMinor;
export const keptOf: Amount = ({ keptMinor }) => keptMinor;

/** What the time from then on is worth, in whole minor units. */
export const worthOf = (periods: readonly Period[], amountOf: Amount, since: Date): number =>
  Math.round(
    periods.reduce((sum, period) => {
      const { from, to } = period;
      const whole = to.getTime() - from.getTime();
      const rest = to.getTime() - laterOf(from, since).getTime();
      return whole <= 0 || rest <= 0 ? sum : sum + (amountOf(period) * rest) / whole;
    }, 0),
  );

interface Walk {
  periods: Period[];
  endsAt: Date | null;
  /** Of it, what was added after the end that was paid. */
  addedMs: number;
  /** Something was ended or given back of what counts, and nothing was paid since. */
  isTaken: boolean;
  /** The newest that counts and names a product. */
  named: LedgerEntry | null;
}

/** The gateway charged for a period that begins nearer to the end without the added days: it does not know of them. */
const isUnaware = (entry: LedgerEntry, { endsAt, addedMs }: Walk, product: Billed): boolean => {
  if (!endsAt || addedMs === 0) return false;
  const named = entry.endsAt ?? entry.at;
  return (
    entry.at.getTime() < endsAt.getTime() - addedMs / 2 &&
    named <= addSeconds(periodEnd(entry.at, product), daySeconds)
  );
};

/** Days that were moved here and begin with this period or later follow it. */
const delay = (periods: readonly Period[], { from, to }: Pick<Period, 'from' | 'to'>): void => {
  const lengthMs = to.getTime() - from.getTime();
  for (const moved of periods.filter(
    (one) => one.entry.kind === 'moved' && one.from >= addSeconds(from, -daySeconds),
  )) {
    moved.from = new Date(moved.from.getTime() + lengthMs);
    moved.to = new Date(moved.to.getTime() + lengthMs);
  }
};

/** From the oldest entry to the newest; `held` replaces the end that follows from what was before it. */
export const replayPeriods = (
  sorted: readonly LedgerEntry[],
  held: HeldPlan['end'],
  product: Billed,
): Walk => {
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
  const state: Walk = { periods: [], endsAt: null, addedMs: 0, isTaken: false, named: null };
  const pay = (entry: LedgerEntry): void => {
    const isBack = isReturned(entry);
    // That of an upgrade is a part of the plan.
    if (!isBack && [...charges.values()].includes(entry)) return;
    const billed = entry.product ?? product;
    const period = periodOf(entry, state.periods.findLast(isPaidPeriod), billed);
    const lastsMinor = isBack ? 0 : entry.amountMinor;
    const keptMinor = Math.max(0, lastsMinor - returnedMinor(entry));
    state.periods.push({ entry, ...period, lastsMinor, keptMinor });
    if (isBack) return;
    const addedMs = isUnaware(entry, state, billed) ? state.addedMs : 0;
    if (addedMs > 0) delay(state.periods, period);
    const endsAt = new Date(period.to.getTime() + addedMs);
    Object.assign(state, { endsAt, addedMs, isTaken: false });
    if (entry.product) state.named = entry;
  };
  /** What is credited was paid before the plan was ordered: it counts as far as it was not given back since. */
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
    // What is taken back may be a part of another plan.
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
  // An end that had passed when something was paid is that of before, until the gateway says otherwise later.
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
