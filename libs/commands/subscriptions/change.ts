import { DomainError } from '#domain/errors.ts';
import { canStillBeCharged } from '#domain/subscriptions/agreement.ts';
import { gatewaySync, inlineSeconds } from '#domain/jobs/gateway-sync.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { GatewayStatus } from '#domain/subscriptions/entitlement.ts';
import { capabilities, capabilityOf, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { Gateways, GatewayVerb } from '#domain/subscriptions/gateway.ts';
import { assertAllows } from '#domain/subscriptions/lifecycle.ts';
import { isPlanEnd, voidedBy } from '#domain/subscriptions/orders.ts';
import type { ChangeVerb, OrderParameters } from '#domain/subscriptions/orders.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { gatewayOrderWrites } from '#store/postgres/subscriptions/gateway-orders.ts';
import { subscriptionHistoryWrites } from '#store/postgres/subscriptions/history.ts';
import { settle } from './settle.ts';
import { subscriptionRecordWrites } from '#store/postgres/subscriptions/records.ts';

export interface ChangeDeps {
  clock: Clock;
  jobs: JobProducer<Tx>;
  gateways: Gateways;
}

export interface Change {
  id: number;
  /** The account that asks; a subscription of another is not found. */
  userId: number;
  verb: Exclude<ChangeVerb, 'changePlan'>;
  /** When charging resumes after a pause. */
  resumeAt?: Date | undefined;
  reason?: string | undefined;
}

export interface Changed {
  subscription: SubscriptionRecord;
  previous: GatewayStatus;
  /** What is left to do at the gateway. */
  orderId: number;
  /** Older orders that the gateway will no longer get. */
  voided: readonly GatewayVerb[];
}

/** The user's subscription, locked. Throws SUBSCRIPTION_NOT_FOUND. */
export const ownSubscription = async (tx: Tx, id: number, userId: number): Promise<SubscriptionRecord> => {
  const found = await subscriptionRecordWrites(tx).lock(id);
  if (found?.userId !== userId) throw new DomainError('SUBSCRIPTION_NOT_FOUND');
  return found;
};

/**
 * An order for the gateway, and the job that makes sure of it; both are committed with the local change, and older
 * orders that it makes void and that were not sent are dropped. The job leaves time for the attempt after the commit,
 * where one is made (`isInline`).
 */
export const orderFromGateway = async (
  tx: Tx,
  { clock, jobs }: Pick<ChangeDeps, 'clock' | 'jobs'>,
  {
    isInline = true,
    ...order
  }: { subscriptionId: number; verb: GatewayVerb; parameters: OrderParameters; isInline?: boolean },
): Promise<{ orderId: number; voided: GatewayVerb[] }> => {
  const orders = gatewayOrderWrites(tx);
  const voided = await orders.void(order.subscriptionId, voidedBy(order.verb), clock.now());
  const orderId = await orders.add({ ...order, createdAt: clock.now() });
  await jobs.enqueue(tx, gatewaySync, { orderId }, isInline ? { delaySeconds: inlineSeconds } : {});
  return { orderId, voided };
};

/**
 * The end that users see, for the card gateway, which would otherwise report and charge at its own. `planCode`: of a
 * change without a charge, whose end may be earlier.
 */
export const orderEnd = async (
  tx: Tx,
  deps: Pick<ChangeDeps, 'clock' | 'jobs'>,
  {
    subscription: { id: subscriptionId, endsAt, orders },
    planCode = orders.find(isPlanEnd)?.parameters.targetCode,
  }: { subscription: SubscriptionRecord; planCode?: string | undefined },
): Promise<void> => {
  const plan = planCode === undefined ? {} : { targetCode: planCode };
  const parameters = { endsAt: endsAt.toISOString(), ...plan };
  await orderFromGateway(tx, deps, { subscriptionId, verb: 'extend', parameters, isInline: false });
};

/** The order that stops the renewal, where there is one and the gateway takes it. */
export const orderStop = async (
  tx: Tx,
  deps: Pick<ChangeDeps, 'clock' | 'jobs'>,
  {
    subscription,
    reason,
    ...rule
  }: Pick<OrderParameters, 'rule'> & { subscription: SubscriptionRecord; reason: string },
): Promise<void> => {
  const kind = kindOfGateway(subscription.gateway);
  if (!kind || !capabilities[kind].cancel || !canStillBeCharged(subscription)) return;
  const { id } = subscription;
  const parameters = { reason, ...rule };
  await orderFromGateway(tx, deps, { subscriptionId: id, verb: 'cancel', parameters, isInline: false });
  const what = `${reason}: the renewal is cancelled.`;
  await subscriptionHistoryWrites(tx).add(id, { at: deps.clock.now(), source: 'gateway', what });
};

/**
 * Pauses, resumes or cancels a subscription, or switches its renewal: locally at once, at the gateway by the order that
 * is committed with it. Throws SUBSCRIPTION_NOT_FOUND, OPERATION_NOT_SUPPORTED and INVALID_STATE.
 */
export const changeSubscription = async (
  tx: Tx,
  deps: ChangeDeps,
  { id, userId, verb, resumeAt, reason }: Change,
): Promise<Changed> => {
  const before = await ownSubscription(tx, id, userId);
  const kind = kindOfGateway(before.gateway);
  if (!kind || !capabilities[kind][capabilityOf(verb)]) {
    throw new DomainError('OPERATION_NOT_SUPPORTED', {
      manage_url: kind ? deps.gateways[kind].manageUrl : null,
    });
  }
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
