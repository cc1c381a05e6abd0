import type { Deps } from '#commands/deps.ts';
import { priceIn } from '#domain/subscriptions/plan.ts';
import type { Agreement, SoldProduct, SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { periodEnd } from '#domain/subscriptions/period.ts';
import { webhookApply } from '#domain/jobs/contracts.ts';
import { movesEnd } from '#domain/subscriptions/orders.ts';
import { newestPayment, withEndDay } from '#domain/subscriptions/paid-periods.ts';
import { amountText } from '#domain/subscriptions/money.ts';
import { clockOf, initialClock, newerFields } from '#domain/subscriptions/notice.ts';
import type { GatewayNotice, NoticeOwner, NoticeSet } from '#domain/subscriptions/notice.ts';
import { reportsRefund, isPossiblyPartialRefund, isPaid, reportsOf } from '#domain/subscriptions/entries.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { gatewayEventRepo } from '#store/postgres/subscriptions/gateway-events.ts';
import type { EventOutcome } from '#store/postgres/subscriptions/gateway-events.ts';
import { gatewayOrderWrites } from '#store/postgres/subscriptions/gateway-orders.ts';
import { subscriptionHistoryWrites } from '#store/postgres/subscriptions/ledger.ts';
import type { HistorySource } from '#store/postgres/subscriptions/ledger.ts';
import { promoCodeRepo, productRepo } from '#store/postgres/subscriptions/products.ts';
import {
  subscriptionRecordRepo,
  subscriptionRecordWrites,
  subscriptionWrites,
} from '#store/postgres/subscriptions/records.ts';
import { orderEnd, orderStop } from './change.ts';
import { addToLedger, settle } from './settle.ts';
import { completeMigration, takeBackMoved } from './migrations.ts';

interface AppliedNotice {
  /** Gateway code. */
  gateway: string;
  /** The provider's event id, which orders events of the same second. */
  eventId: string;
  notice: GatewayNotice;
  source: Extract<HistorySource, 'gateway' | 'reconciliation'>;
  /** The account assigned to the event, if the notice names none that exists. */
  userId?: number | null;
}

const unknownReference = 'There is no subscription with this reference yet.';

const namedAccount = async (tx: Tx, owner: NoticeOwner | null | undefined): Promise<number | null> => {
  if (!owner) return null;
  const records = subscriptionRecordWrites(tx);
  if ('storeAccountToken' in owner) return records.accountOfStoreToken(owner.storeAccountToken);
  return (await records.hasAccount(owner.userId)) ? owner.userId : null;
};

const accountOf = async (tx: Tx, { notice, userId = null }: AppliedNotice): Promise<number | null> =>
  (await namedAccount(tx, notice.owner)) ?? userId;

/** The end reported by the notice, or else the end of the product's period. */
const endOf = (
  { set, coversFrom }: GatewayNotice,
  product: Parameters<typeof periodEnd>[1],
): Date | undefined => set.endsAt ?? (coversFrom ? periodEnd(coversFrom, product) : undefined);

/** A renewal at the previous period's price, whatever new customers pay. */
const isUsual = (
  { product, pricePaidMinor, currency }: SubscriptionRecord,
  { code }: { code: string },
  covers: NonNullable<GatewayNotice['covers']>,
): boolean =>
  code === product.code &&
  // The price of a changed plan is rounded.
  covers.minor * 100 >= pricePaidMinor * 99 &&
  (currency === null || covers.currency === currency);

/** The reason if less was paid than the product costs. */
const underpaid = (
  known: SubscriptionRecord | null,
  product: SoldProduct | null,
  { covers }: GatewayNotice,
): string | null => {
  if (!covers || !product) return null;
  const price = priceIn(product, covers.currency);
  if (price !== null && covers.minor >= price) return null;
  if (known && isUsual(known, product, covers)) return null;
  const asked =
    price === null
      ? { minor: product.priceMinor, currency: product.currency }
      : { minor: price, currency: covers.currency };
  const [paid, cost] = [covers, asked].map(
    ({ minor, currency }) => `${amountText(minor, currency)} ${currency}`,
  );
  return `${paid} was paid for ${product.code}, which costs ${cost}.`;
};

/** Creates the subscription of a first purchase; returns the reason if the notice is not sufficient. */
const created = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  applied: AppliedNotice,
  product: SoldProduct | null,
): Promise<string | null> => {
  const { gateway, notice } = applied;
  const { owner, reference, set } = notice;
  const { productCode, startsAt } = set;
  if (!productCode || !startsAt) return unknownReference;
  if (!product) return `There is no product ${productCode}.`;
  const endsAt = endOf(notice, product);
  if (!endsAt) return unknownReference;
  const userId = await accountOf(tx, applied);
  if (userId === null)
    return owner ? 'The account of the purchase does not exist.' : 'The purchase names no account.';
  await subscriptionWrites(tx).create({ userId, gateway, reference, productCode, startsAt, endsAt });
  // Messages that arrived before the purchase can be applied now.
  for (const eventId of await gatewayEventRepo(tx).parkedOf(gateway, reference))
    await deps.jobs.enqueue(tx, webhookApply, { eventId });
  return null;
};

/** The discount of one of our promo codes; for other codes, the notice may state it. */
const discountOf = async (db: ReadDb, set: NoticeSet): Promise<NoticeSet> => {
  if (!set.promoCode) return {};
  const promo = await promoCodeRepo(db).byCode(set.promoCode);
  if (!promo) return {};
  return {
    discountPercent: promo.percent,
    discountRecurring: promo.isRecurring,
    discountMaxCycles: promo.maxCycles,
  };
};

/** An end reported as a day does not replace a reported time. */
const heldEnd = ({ endsAt: before, isEndDay: wasDay }: Agreement, endsAt: Date, isEndDay: boolean) => {
  const held = isEndDay && !wasDay ? withEndDay(before, endsAt) : endsAt;
  return { endsAt: held, isEndDay: isEndDay && held === endsAt };
};

/**
 * State and other fields of the subscription after the notice, except those set by something newer. Payments and
 * refunds go to the ledger.
 */
const merged = async (
  db: ReadDb,
  before: SubscriptionRecord,
  { notice, eventId }: Pick<AppliedNotice, 'notice' | 'eventId'>,
  { named, hasPaid }: { named: SoldProduct | null; hasPaid: boolean },
): Promise<Partial<SubscriptionRecord>> => {
  const { startsAt, productCode, endsAt, isEndDay = false, isLapsed, ...given } = notice.set;
  // Without a known payment, the ledger cannot tell what is left.
  const isRefunded = reportsRefund(notice) || (hasPaid && isPossiblyPartialRefund(notice));
  const isHeld =
    endsAt !== undefined && !isRefunded && !isPaid(notice) && !before.orders.some((order) => movesEnd(order));
  const clock = clockOf(notice.occurredAt, eventId);
  const { agreement } = before;
  const first = newerFields(agreement.clocks, { set: notice.initial ?? {}, clock: initialClock(clock) });
  const second = newerFields(first.clocks, {
    set: {
      ...given,
      // Only a pause has a date when it ends.
      ...(given.intent === undefined || given.intent === 'paused'
        ? {}
        : { pauseUntil: null, pauseReason: null }),
      ...(productCode !== undefined && named ? { productCode } : {}),
      ...(isHeld ? heldEnd(agreement, endsAt, isEndDay) : {}),
      ...(isLapsed === undefined || isRefunded ? {} : { isLapsed }),
      ...(await discountOf(db, given)),
    },
    clock,
    ...(notice.statusAt ? { statusClock: clockOf(notice.statusAt, eventId) } : {}),
  });
  const all: Record<string, unknown> = { ...first.set, ...second.set };
  const isOfAgreement = (name: string): boolean => name in agreement;
  const pick = (isPicked: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => isPicked(name)));
  return {
    ...pick((name) => !isOfAgreement(name)),
    // The earliest start in any notice.
    startsAt: startsAt && startsAt < before.startsAt ? startsAt : before.startsAt,
    agreement: { ...agreement, ...pick(isOfAgreement), clocks: second.clocks },
  };
};

/**
 * Applies a provider's notice. The result does not depend on the order or number of notices: each field has the value
 * of the newest one by the provider's clock, and a payment is stored once.
 */
export const applyNotice = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  applied: AppliedNotice,
): Promise<EventOutcome> => {
  const { gateway, notice, source } = applied;
  const known = await subscriptionRecordWrites(tx).lockReference(gateway, notice.reference);
  const code = notice.set.productCode ?? known?.product.code;
  const product =
    code === undefined || code === known?.product.code
      ? (known?.product ?? null)
      : await productRepo(tx).byCode(code);
  const problem =
    underpaid(known, product, notice) ?? (known ? null : await created(tx, deps, applied, product));
  const before = known ?? (await subscriptionRecordRepo(tx).byReference(gateway, notice.reference));
  if (problem !== null || !before) {
    const userId = before?.userId ?? (await accountOf(tx, applied));
    const email = notice.set.subscriberEmail ?? null;
    return { state: 'parked', reason: problem ?? unknownReference, userId, subscriptionId: null, email };
  }
  const { id, userId } = before;
  const entries = reportsOf(notice, product ?? before.product);
  const paid = await addToLedger(tx, before, { entries, isNew: !known });
  const [paidBefore, paidNow] = [newestPayment(paid.before), newestPayment(paid.after)];
  if (paidNow?.status === 'COMPLETED' && before.orders.some(({ parameters }) => parameters.rule))
    await gatewayOrderWrites(tx).voidRule(id, deps.clock.now());
  const set = await merged(tx, before, applied, { named: product, hasPaid: paidNow !== null });
  const subscription = { ...before, ...set };
  if (paidBefore?.status !== 'REFUNDED' && paidNow?.status === 'REFUNDED') {
    // The customer expects no further payment.
    const reason = 'The last payment was refunded';
    await orderStop(tx, deps, { subscription, reason, rule: 'refunded' });
    await takeBackMoved(tx, deps, before);
  }
  // Nobody can log in to cancel it.
  if (!known && before.isAccountDisabled)
    await orderStop(tx, deps, { subscription, reason: 'The account is disabled' });
  const { intentId, payments, isRenewalFailed } = notice;
  const isMoved = intentId ? await completeMigration(tx, deps, { intentId, id }) : false;
  const cause = { payments, isRenewalFailed };
  const after = await settle(tx, deps, { before, entry: null, set, cause, isNew: !known });
  const at = deps.clock.now();
  const isChanged =
    !known ||
    before.gatewayStatus !== after.gatewayStatus ||
    before.endsAt.getTime() !== after.endsAt.getTime();
  // The nightly comparison is recorded only if it changes something.
  if (source === 'gateway' || isChanged)
    await subscriptionHistoryWrites(tx).add(
      id,
      { at, source, what: notice.what },
      known ? before : null,
      after,
    );
  if (isMoved) await orderEnd(tx, deps, { subscription: after });
  return { state: 'applied', reason: notice.what, userId, subscriptionId: id, email: null };
};
