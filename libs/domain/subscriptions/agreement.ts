/**
 * The state reported by the gateway, and the orders that it has not confirmed yet. Both together determine what a user
 * sees, and whether the customer can still be charged (ADR 115).
 */
import { isOffered, kindOfGateway } from './gateway.ts';
import type { LiveSubscription } from './gateway.ts';
import { balanceOf } from './ledger.ts';
import type { Balance } from './ledger.ts';
import type { LedgerEntry } from './paid-periods.ts';
import { isCheaperPlan, stops, transitions } from './orders.ts';
import type { OpenOrder, Ordered } from './orders.ts';
import { newerFields } from './notice.ts';
import type { NoticeSet } from './notice.ts';
import type { Billed } from './period.ts';
import type { Agreement, SoldProduct, SubscriptionRecord } from './record.ts';

export interface Chargeable {
  gateway: string | null;
  agreement: Agreement;
  /** Oldest first. */
  orders: readonly OpenOrder[];
}

type Shown = Omit<Agreement, 'clocks' | 'productCode' | 'endsAt' | 'isEndDay'>;

const timeOf = (clock: string | undefined): Date | null => {
  const at = new Date(clock?.slice(0, 24) ?? '');
  return Number.isNaN(at.getTime()) ? null : at;
};

/** True from the day on which the pause ends, in UTC. */
export const isPauseOver = (
  { gatewayStatus, pauseUntil }: Pick<SubscriptionRecord, 'gatewayStatus' | 'pauseUntil'>,
  now: Date,
): boolean => gatewayStatus === 'paused' && pauseUntil !== null && new Date(pauseUntil) <= now;

/** Switching renewal on after a cancellation reverts it; a renewal that was on before does not. */
const heldBy = ({ clocks, productCode: _code, endsAt: _end, isEndDay: _day, ...held }: Agreement): Shown => {
  if (held.intent !== 'Cancelled' || !held.autoRenew) return held;
  const isReverted = (clocks['autoRenew'] ?? '') > (clocks['intent'] ?? '');
  return isReverted ? { ...held, intent: 'Running' } : { ...held, autoRenew: false };
};

/** The state after the gateway has carried out this order. */
const after = (shown: Shown, { verb, parameters }: Ordered): Shown => {
  if (verb === 'extend') return shown;
  const { to: intent = shown.intent, autoRenew = shown.autoRenew } = transitions[verb];
  if (verb === 'pause')
    return {
      ...shown,
      intent,
      autoRenew,
      pauseUntil: parameters.resumeAt?.slice(0, 10) ?? null,
      pauseReason: parameters.reason ?? null,
    };
  return intent === 'paused'
    ? { ...shown, autoRenew }
    : { ...shown, intent, autoRenew, pauseUntil: null, pauseReason: null };
};

/** The card gateway ends a pause by itself; the wallet needs an order. */
const atTime = (held: Shown, { gateway }: Chargeable, now: Date): Shown => {
  const isOver = isPauseOver({ gatewayStatus: held.intent, pauseUntil: held.pauseUntil }, now);
  return isOver && kindOfGateway(gateway) === 'card'
    ? { ...held, intent: 'Running', pauseUntil: null, pauseReason: null }
    : held;
};

interface Seen {
  /** Includes a cheaper plan that its gateway has not confirmed (`planOf`). */
  entries: readonly LedgerEntry[];
  /** The product of `effectiveProductCode`. */
  product: SoldProduct;
  now: Date;
}

/** The paid balance, from the ledger and the gateway's reports. */
export const balanceFor = (
  { agreement: { endsAt, isEndDay, productCode, clocks } }: Pick<Chargeable, 'agreement'>,
  entries: readonly LedgerEntry[],
  product: Billed,
): Balance => {
  const [endAt, codeAt] = [timeOf(clocks['endsAt']), timeOf(clocks['productCode'])];
  const end = endsAt && endAt ? { at: endAt, endsAt, isDay: isEndDay } : null;
  const named = productCode !== null && codeAt ? { at: codeAt, code: productCode } : null;
  return balanceOf(entries, { end, product: named }, product);
};

/** Code of the product that the user has. */
export const effectiveProductCode = (
  subscription: Chargeable & { product: Billed & { code: string } },
  entries: readonly LedgerEntry[],
): string => balanceFor(subscription, entries, subscription.product).code ?? subscription.product.code;

/** What a user sees: the gateway's state with pending orders applied, and the paid period from the ledger. */
export const effectiveSubscription = (
  subscription: SubscriptionRecord,
  { entries, product, now }: Seen,
): SubscriptionRecord => {
  const { agreement, orders } = subscription;
  const { intent, isLapsed, ...shown } = atTime(orders.reduce(after, heldBy(agreement)), subscription, now);
  const balance = balanceFor(subscription, entries, product);
  const { grantedAt, isRefunded, lastPayment } = balance;
  const lapsedAt = isLapsed ? (timeOf(agreement.clocks['isLapsed']) ?? new Date(0)) : null;
  // A payment wins over an end reported in the same second.
  const { reportedAt = grantedAt, saidAt: paidAt = reportedAt } = lastPayment ?? {};
  const isOver = lapsedAt !== null && ![grantedAt, paidAt].some((at) => at && at >= lapsedAt);
  const endsAt = balance.endsAt ?? subscription.endsAt;
  return {
    ...subscription,
    ...shown,
    product,
    endsAt: isOver && balance.endsAt && endsAt > lapsedAt ? lapsedAt : endsAt,
    ...(entries.length > 0 ? { pricePaidMinor: balance.pricePaidMinor } : {}),
    ...(lastPayment ? { lastPaymentAt: lastPayment.at, currency: lastPayment.currency } : {}),
    gatewayStatus: isRefunded || isOver ? 'Expired' : intent,
  };
};

/** The end that an order refers to, without an unconfirmed cheaper plan, which may still be refused. */
export const orderedEnd = (
  subscription: Pick<SubscriptionRecord, 'agreement' | 'orders' | 'endsAt' | 'product'>,
  entries: readonly LedgerEntry[],
  { verb }: Pick<Ordered, 'verb'>,
): Date => {
  const { orders, endsAt, product } = subscription;
  if (verb !== 'extend' || !orders.some(isCheaperPlan)) return endsAt;
  return balanceFor(subscription, entries, product).endsAt ?? endsAt;
};

/** The state with its newer fields replaced. */
const withNewer = (agreement: Agreement, set: NoticeSet, clock: string): Agreement => {
  const newer = newerFields(agreement.clocks, { set, clock });
  return { ...agreement, ...newer.set, clocks: newer.clocks };
};

/** The state after the gateway's answer; a newer message takes precedence. */
export const agreementOf = (
  before: Agreement,
  { status, notice: { set } }: LiveSubscription,
  clock: string,
): Agreement => {
  const { autoRenew = before.autoRenew, pauseUntil = null } = set;
  // An expired subscription is neither paused nor cancelled.
  const intent = status === 'Expired' ? 'Running' : status;
  return withNewer(before, { intent, autoRenew: status !== 'Cancelled' && autoRenew, pauseUntil }, clock);
};

/** The state after the gateway has confirmed the order. `endsAt`: from `orderedEnd`. */
export const confirmedBy = (
  { agreement, endsAt }: Pick<SubscriptionRecord, 'agreement' | 'endsAt'>,
  order: Ordered,
  clock: string,
): Agreement => {
  const { verb, parameters } = order;
  // The gateway's own message about the previous end may have the same second.
  const end = parameters.endsAt === undefined ? {} : { endsAt, isEndDay: false };
  if (verb === 'extend') return withNewer(agreement, end, clock);
  const { to, autoRenew } = transitions[verb];
  const held = heldBy(agreement);
  const { intent, pauseUntil, pauseReason } = after(held, order);
  // Fields that the change does not set can still be set by an earlier message that arrives late.
  const set = {
    ...end,
    ...(verb === 'changePlan' && parameters.targetCode ? { productCode: parameters.targetCode } : {}),
    ...(to === undefined ? {} : { intent, pauseUntil, pauseReason }),
    ...(autoRenew === undefined ? {} : { autoRenew }),
  };
  return withNewer({ ...agreement, ...held }, set, clock);
};

/**
 * The only rule about future charges: they stop when the gateway has confirmed an order that ends renewal. Whoever can
 * still be charged can cancel, whatever the status.
 */
export const canStillBeCharged = ({ gateway, agreement, orders }: Chargeable): boolean =>
  kindOfGateway(gateway) !== null &&
  (heldBy(agreement).autoRenew || orders.some(({ verb }) => stops(verb) || verb === 'renewalOn'));

/** True if the gateway accepts a cancellation from us. */
export const canBeCancelledHere = ({
  gateway,
  reference,
}: Pick<SubscriptionRecord, 'gateway' | 'reference'>): boolean =>
  isOffered(gateway, 'cancel') && reference !== null;

/** Describes a subscription to an operator. */
export const chargedName = ({ id, product, gateway, reference }: SubscriptionRecord): string =>
  `${id} (${product.code}, ${gateway} ${reference ?? 'without reference'})`;
