import type { Deps } from '#commands/deps.ts';
import { DomainError } from '#domain/errors.ts';
import { gatewaySync, inlineSeconds } from '#domain/jobs/contracts.ts';
import { balanceFor, canStillBeCharged, isPauseOver } from '#domain/subscriptions/agreement.ts';
import { entitlementOf } from '#domain/subscriptions/entitlement.ts';
import type { GatewayStatus } from '#domain/subscriptions/entitlement.ts';
import { capabilityOf, gatewayFor, isOffered, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { GatewayVerb, ChangeVerb, OrderParameters } from '#domain/subscriptions/orders.ts';
import { assertAllows } from '#domain/subscriptions/lifecycle.ts';
import { isPlanEnd, voidedBy } from '#domain/subscriptions/orders.ts';
import { planChange } from '#domain/subscriptions/plan.ts';
import type { PlanChange } from '#domain/subscriptions/plan.ts';
import type { SoldProduct, SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { allowanceRepo } from '#store/postgres/subscriptions/allowances.ts';
import { gatewayOrderRepo, gatewayOrderWrites } from '#store/postgres/subscriptions/gateway-orders.ts';
import { subscriptionHistoryWrites } from '#store/postgres/subscriptions/ledger.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { subscriptionRecordWrites } from '#store/postgres/subscriptions/records.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { paidOf, settle } from './settle.ts';

export interface Change {
  id: number;
  /** The calling account; other users' subscriptions are not found. */
  userId: number;
  verb: Exclude<ChangeVerb, 'changePlan'>;
  /** When charging resumes after a pause. */
  resumeAt?: Date | undefined;
  reason?: string | undefined;
}

interface Changed {
  subscription: SubscriptionRecord;
  previous: GatewayStatus;
  /** The order for the gateway. */
  orderId: number;
  /** Older orders that will not be sent any more. */
  voided: readonly GatewayVerb[];
}

/** The user's subscription, locked. Throws SUBSCRIPTION_NOT_FOUND. */
export const ownSubscription = async (tx: Tx, id: number, userId: number): Promise<SubscriptionRecord> => {
  const found = await subscriptionRecordWrites(tx).lock(id);
  if (found?.userId !== userId) throw new DomainError('SUBSCRIPTION_NOT_FOUND');
  return found;
};

/**
 * Stores an order for the gateway and its job, committed together with the local change, and drops unsent older orders
 * that it makes void. The job leaves time for an attempt right after the commit.
 */
export const orderFromGateway = async (
  tx: Tx,
  { clock, jobs }: Deps<'clock' | 'jobs'>,
  order: { subscriptionId: number; verb: GatewayVerb; parameters: OrderParameters },
): Promise<{ orderId: number; voided: GatewayVerb[] }> => {
  const orders = gatewayOrderWrites(tx);
  const voided = await orders.void(order.subscriptionId, voidedBy(order.verb), clock.now());
  const orderId = await orders.add({ ...order, createdAt: clock.now() });
  await jobs.enqueue(tx, gatewaySync, { orderId }, { delaySeconds: inlineSeconds });
  return { orderId, voided };
};

/**
 * Orders the card gateway to use the end that users see; it would otherwise charge at its own end and report that.
 * `planCode`: for a plan change without a charge, which may have an earlier end.
 */
export const orderEnd = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  {
    subscription: { id: subscriptionId, endsAt, orders },
    planCode = orders.find(isPlanEnd)?.parameters.targetCode,
  }: { subscription: SubscriptionRecord; planCode?: string | undefined },
): Promise<void> => {
  const plan = planCode === undefined ? {} : { targetCode: planCode };
  const parameters = { endsAt: endsAt.toISOString(), ...plan };
  await orderFromGateway(tx, deps, { subscriptionId, verb: 'extend', parameters });
};

/** The order that stops the renewal, if there is one and the gateway accepts it. */
export const orderStop = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  {
    subscription,
    reason,
    ...rule
  }: Pick<OrderParameters, 'rule'> & { subscription: SubscriptionRecord; reason: string },
): Promise<void> => {
  if (!isOffered(subscription.gateway, 'cancel') || !canStillBeCharged(subscription)) return;
  const { id } = subscription;
  const parameters = { reason, ...rule };
  await orderFromGateway(tx, deps, { subscriptionId: id, verb: 'cancel', parameters });
  const what = `${reason}: the renewal is cancelled.`;
  await subscriptionHistoryWrites(tx).add(id, { at: deps.clock.now(), source: 'gateway', what });
};

/**
 * Pauses, resumes or cancels a subscription, or switches its renewal: locally at once, at the gateway by an order
 * committed with it. Throws SUBSCRIPTION_NOT_FOUND, OPERATION_NOT_SUPPORTED and INVALID_STATE.
 */
export const changeSubscription = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { id, userId, verb, resumeAt, reason }: Change,
): Promise<Changed> => {
  const before = await ownSubscription(tx, id, userId);
  gatewayFor(before.gateway, capabilityOf(verb));
  const now = deps.clock.now();
  assertAllows(before, verb, now);
  const parameters = {
    ...(resumeAt === undefined ? {} : { resumeAt: resumeAt.toISOString() }),
    ...(reason === undefined ? {} : { reason }),
  };
  const ordered = await orderFromGateway(tx, deps, { subscriptionId: id, verb, parameters });
  const dropped = ordered.voided.map(
    (older) => ` Dropped, since the gateway does not have it yet: ${older}.`,
  );
  const what = `The user requested: ${verb}.${dropped.join('')}`;
  const subscription = await settle(tx, deps, {
    before,
    entry: { at: now, source: 'user', what },
    set: verb === 'cancel' ? { cancelReason: reason ?? null } : {},
  });
  return { subscription, previous: before.gatewayStatus, ...ordered };
};

export interface PlannedChange {
  target: SoldProduct;
  terms: PlanChange;
  /** Under the new plan, in the current period. */
  calculationsLeft: number;
}

const leftWith = async (
  db: ReadDb,
  { id, userId }: SubscriptionRecord,
  target: SoldProduct,
  now: Date,
): Promise<number> => {
  const identity = await identityRepo(db).byUserId(userId);
  if (!identity) return 0;
  const held = identity.held.map((one) => (one.id === id ? { ...one, product: target } : one));
  const entitlement = entitlementOf(held, identity.preview, now);
  return (await allowanceRepo(db).of({ userId, entitlement }, now)).remaining;
};

/**
 * Preview of a plan change: the charge, the paid end, and the remaining calculations. Throws OPERATION_NOT_SUPPORTED,
 * INVALID_STATE, RENEWAL_OFF, PRODUCT_NOT_FOUND, SAME_PLAN and PLAN_NOT_AVAILABLE.
 */
export const planned = async (
  db: ReadDb,
  { clock }: Deps<'clock'>,
  { subscription, targetCode }: { subscription: SubscriptionRecord; targetCode: string },
): Promise<PlannedChange> => {
  gatewayFor(subscription.gateway, 'changePlan');
  const target = await productRepo(db).byCode(targetCode);
  if (!target?.isActive) throw new DomainError('PRODUCT_NOT_FOUND');
  const now = clock.now();
  const { product, endsAt, agreement } = subscription;
  // The gateway would not charge for a plan that it already has, for example after a refunded upgrade.
  if (agreement.productCode === targetCode) throw new DomainError('SAME_PLAN');
  const { worthMinor } = balanceFor(subscription, await paidOf(db, subscription), product);
  const terms = planChange(product, target, { creditMinor: worthMinor(now), endsAt }, now);
  assertAllows(subscription, 'changePlan', now);
  // The gateway changes the plan of renewing subscriptions only.
  if (!subscription.autoRenew) throw new DomainError('RENEWAL_OFF');
  return { target, terms, calculationsLeft: await leftWith(db, subscription, target, now) };
};

interface ChangedPlan extends PlannedChange {
  previousCode: string;
  orderId: number;
}

/**
 * A cheaper plan begins at once and lasts longer; a dearer one begins when the gateway has charged it, by the order
 * committed here.
 */
export const changePlan = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { id, userId, targetCode }: { id: number; userId: number; targetCode: string },
): Promise<ChangedPlan> => {
  const before = await ownSubscription(tx, id, userId);
  const plan = await planned(tx, deps, { subscription: before, targetCode });
  const orders = await gatewayOrderRepo(tx).ofSubscription(id);
  if (orders.some(({ verb, state }) => verb === 'changePlan' && state === 'pending'))
    throw new DomainError('INVALID_STATE', {}, 'Another change of the plan waits for the gateway.');
  const { target, terms } = plan;
  const now = deps.clock.now();
  const isDowngrade = terms.kind === 'downgrade';
  const parameters = {
    targetCode,
    currency: target.currency,
    creditMinor: terms.creditMinor,
    chargeMinor: terms.chargeMinor,
    ...(isDowngrade ? { endsAt: terms.endsAt.toISOString() } : {}),
  };
  const { orderId } = await orderFromGateway(tx, deps, {
    subscriptionId: id,
    verb: 'changePlan',
    parameters,
  });
  const what = `The user requested: ${terms.kind} from ${before.product.code} to ${target.code}.`;
  await settle(tx, deps, { before, entry: { at: now, source: 'user', what } });
  return { ...plan, previousCode: before.product.code, orderId };
};

/** Applies changes that are due: access that begins or ends, and pauses that the wallet does not end by itself. */
export const followTime = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { id }: { id: number },
): Promise<void> => {
  const before = await subscriptionRecordWrites(tx).lock(id);
  if (!before) return;
  const isOver = isPauseOver(before, deps.clock.now());
  if (isOver && kindOfGateway(before.gateway) === 'wallet')
    await orderFromGateway(tx, deps, { subscriptionId: id, verb: 'resume', parameters: {} });
  const entry = { at: deps.clock.now(), source: 'sync', what: 'The pause is over.' } as const;
  await settle(tx, deps, { before, entry: isOver ? entry : null });
};
