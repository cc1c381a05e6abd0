import { DomainError } from '#domain/errors.ts';
import { balanceFor } from '#domain/subscriptions/agreement.ts';
import { capabilities, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import { entitlementOf } from '#domain/subscriptions/entitlement.ts';
import { assertAllows } from '#domain/subscriptions/lifecycle.ts';
import { planChange } from '#domain/subscriptions/plan.ts';
import type { PlanChange } from '#domain/subscriptions/plan.ts';
import type { SoldProduct, SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { gatewayOrderRepo } from '#store/postgres/subscriptions/gateway-orders.ts';
import { allowanceRepo } from '#store/postgres/subscriptions/allowances.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { orderFromGateway, ownSubscription } from './change.ts';
import type { ChangeDeps } from './change.ts';
import { paidOf } from './ledger.ts';
import { settle } from './settle.ts';

export interface PlannedChange {
  target: SoldProduct;
  terms: PlanChange;
  /** With the new plan, in the current period. */
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
 * What a change of plan would do now: what is charged, until when it is paid, and what is left to calculate. Throws OPERATION_NOT_SUPPORTED,
 * INVALID_STATE, RENEWAL_OFF, PRODUCT_NOT_FOUND, SAME_PLAN and PLAN_NOT_AVAILABLE.
 */
export const planned = async (
  db: ReadDb,
  { gateways, clock }: Pick<ChangeDeps, 'gateways' | 'clock'>,
  { subscription, targetCode }: { subscription: SubscriptionRecord; targetCode: string },
): Promise<PlannedChange> => {
  const kind = kindOfGateway(subscription.gateway);
  if (!kind || !capabilities[kind].changePlan) {
    const page = kind ? gateways[kind].manageUrl : null;
    throw new DomainError('OPERATION_NOT_SUPPORTED', { manage_url: page });
  }
  const target = await productRepo(db).byCode(targetCode);
  if (!target?.isActive) throw new DomainError('PRODUCT_NOT_FOUND');
  const now = clock.now();
  const { product, endsAt, agreement } = subscription;
  // The gateway charges nothing for a plan that it has already, as after a refund of its charge.
  if (agreement.productCode === targetCode) throw new DomainError('SAME_PLAN');
  const { worthMinor } = balanceFor(subscription, await paidOf(db, subscription), product);
  const terms = planChange(product, target, { creditMinor: worthMinor(now), endsAt }, now);
  assertAllows(subscription, 'changePlan', now);
  // The gateway changes no plan that it does not renew.
  if (!subscription.autoRenew) throw new DomainError('RENEWAL_OFF');
  return { target, terms, calculationsLeft: await leftWith(db, subscription, target, now) };
};

export interface ChangedPlan extends PlannedChange {
  previousCode: string;
  orderId: number;
}

/**
 * A cheaper plan begins at once and lasts longer; a dearer one begins when the gateway has charged it, by the order
 * that is committed here.
 */
export const changePlan = async (
  tx: Tx,
  deps: ChangeDeps,
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
