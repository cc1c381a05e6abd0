/** Operators' commands for subscriptions. */
import type { Deps } from '#commands/deps.ts';
import { DomainError } from '#domain/errors.ts';
import {
  canBeCancelledHere,
  canStillBeCharged,
  chargedName,
  confirmedBy,
} from '#domain/subscriptions/agreement.ts';
import { gatewayCodes, isOffered, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { GatewayKind } from '#domain/subscriptions/gateway.ts';
import { clockOf } from '#domain/subscriptions/notice.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import {
  subscriptionRecordRepo,
  subscriptionRecordWrites,
  subscriptionWrites,
} from '#store/postgres/subscriptions/records.ts';
import { orderEnd, orderFromGateway } from './change.ts';
import { addToLedger, settle } from './settle.ts';

/** The subscription, locked. Throws SUBSCRIPTION_NOT_FOUND. */
const subscriptionOf = async (tx: Tx, id: number): Promise<SubscriptionRecord> => {
  const found = await subscriptionRecordWrites(tx).lock(id);
  if (!found) throw new DomainError('SUBSCRIPTION_NOT_FOUND', {}, `There is no subscription ${id}.`);
  return found;
};

export interface Grant {
  userId: number;
  productCode: string;
  /** Default: the period covered by one payment. */
  days?: number | undefined;
  /** Absent: an operator's grant instead of a purchase. */
  gateway?: GatewayKind | undefined;
  /** The gateway's id of the subscription. */
  reference?: string | undefined;
}

/**
 * Grants a product to a user, starting now. Throws PRODUCT_NOT_FOUND, PRODUCT_INACTIVE and SUBSCRIPTION_EXISTS.
 */
export const grantSubscription = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { userId, productCode, days, gateway, reference }: Grant,
): Promise<SubscriptionRecord> => {
  const product = await productRepo(tx).byCode(productCode);
  if (!product) throw new DomainError('PRODUCT_NOT_FOUND', {}, `There is no product ${productCode}.`);
  if (!product.isActive)
    throw new DomainError('PRODUCT_INACTIVE', {}, `The product ${productCode} is not active.`);
  const startsAt = deps.clock.now();
  const id = await subscriptionWrites(tx).create({
    userId,
    productCode,
    gateway: gateway ? gatewayCodes[gateway] : null,
    reference: reference ?? null,
    startsAt,
    endsAt: addSeconds(startsAt, (days ?? product.durationDays) * daySeconds),
  });
  return settle(tx, deps, { before: await subscriptionOf(tx, id), entry: null, isNew: true });
};

/**
 * Adds days to the end date, or to now if it has passed; also at the card gateway, which would otherwise report its own
 * end. Throws SUBSCRIPTION_NOT_FOUND.
 */
export const extendSubscription = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { id, days }: { id: number; days: number },
): Promise<SubscriptionRecord> => {
  const now = deps.clock.now();
  const before = await subscriptionOf(tx, id);
  const what = `The operator added ${days} days.`;
  await addToLedger(tx, before, { entries: [{ kind: 'days', at: now, days, cause: what }] });
  const after = await settle(tx, deps, { before, entry: { at: now, source: 'operator', what } });
  if (after.reference !== null && kindOfGateway(after.gateway) === 'card')
    await orderEnd(tx, deps, { subscription: after });
  return after;
};

/**
 * Stops the renewal; access lasts until the paid end, or ends `immediately`. Throws SUBSCRIPTION_NOT_FOUND, and
 * OPERATION_NOT_SUPPORTED if only the customer can stop the renewal.
 */
export const cancelSubscription = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { id, immediately }: { id: number; immediately: boolean },
): Promise<SubscriptionRecord> => {
  const now = deps.clock.now();
  const before = await subscriptionOf(tx, id);
  const kind = kindOfGateway(before.gateway);
  if (kind && !isOffered(before.gateway, 'cancel') && !immediately)
    throw new DomainError(
      'OPERATION_NOT_SUPPORTED',
      {},
      `Only the customer can cancel it, at ${before.gateway}.`,
    );
  const local = clockOf(now, 'local');
  const order = { subscriptionId: id, verb: 'cancel', parameters: {} } as const;
  if (canBeCancelledHere(before)) await orderFromGateway(tx, deps, order);
  // Without a gateway, no confirmation is needed.
  const isAgreed = kind === null || before.reference === null;
  const agreement = isAgreed ? confirmedBy(before, order, local) : before.agreement;
  const what = immediately ? 'The operator ended it.' : 'The operator cancelled it.';
  const entry = { at: now, source: 'operator', what } as const;
  if (immediately) await addToLedger(tx, before, { entries: [{ kind: 'end', at: now, cause: what }] });
  return settle(tx, deps, { before, entry, set: { agreement } });
};

/** Subscriptions for which the user can still be charged. */
export const chargedOf = async (db: ReadDb, userId: number): Promise<SubscriptionRecord[]> =>
  (await subscriptionRecordRepo(db).ofUser(userId)).filter(canStillBeCharged);

export interface StoppedRenewals {
  /** Cancelled here, with an order for the gateway. */
  cancelled: string[];
  /** Only the customer can cancel these, at the gateway. */
  charged: string[];
}

/** Cancels everything that an account can still be charged for. */
export const stopRenewals = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { userId }: { userId: number },
): Promise<StoppedRenewals> => {
  const stopped: StoppedRenewals = { cancelled: [], charged: [] };
  for (const found of await chargedOf(tx, userId)) {
    const canCancel = canBeCancelledHere(found);
    stopped[canCancel ? 'cancelled' : 'charged'].push(chargedName(found));
    if (canCancel) await cancelSubscription(tx, deps, { id: found.id, immediately: false });
  }
  return stopped;
};
