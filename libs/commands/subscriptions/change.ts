import { DomainError } from '#domain/errors.ts';
import { gatewaySync, inlineSeconds } from '#domain/jobs/gateway-sync.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { GatewayStatus } from '#domain/subscriptions/entitlement.ts';
import { capabilities, capabilityOf, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { Gateways, GatewayVerb } from '#domain/subscriptions/gateway.ts';
import { assertAllows } from '#domain/subscriptions/lifecycle.ts';
import type { ChangeVerb } from '#domain/subscriptions/lifecycle.ts';
import type { SubscriptionEvent } from '#domain/subscriptions/mails.ts';
import { clockOf } from '#domain/subscriptions/notice.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { gatewayOrderWrites } from '#data/postgres/subscriptions/gateway-orders.ts';
import type { OrderParameters } from '#data/postgres/subscriptions/gateway-orders.ts';
import { subscriptionHistoryWrites } from '#data/postgres/subscriptions/history.ts';
import { mailEvent } from './mail-event.ts';
import { subscriptionRecordWrites } from '#data/postgres/subscriptions/records.ts';

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
}

/** The user's subscription, locked. Throws SUBSCRIPTION_NOT_FOUND. */
export const ownSubscription = async (tx: Tx, id: number, userId: number): Promise<SubscriptionRecord> => {
  const found = await subscriptionRecordWrites(tx).lock(id);
  if (found?.userId !== userId) throw new DomainError('SUBSCRIPTION_NOT_FOUND');
  return found;
};

/**
 * An order for the gateway, and the job that makes sure of it; both are committed with the local change. The job leaves
 * time for the attempt after the commit, where one is made (`isInline`).
 */
export const orderFromGateway = async (
  tx: Tx,
  { clock, jobs }: Pick<ChangeDeps, 'clock' | 'jobs'>,
  {
    isInline = true,
    ...order
  }: { subscriptionId: number; verb: GatewayVerb; parameters: OrderParameters; isInline?: boolean },
): Promise<number> => {
  const orderId = await gatewayOrderWrites(tx).add({ ...order, createdAt: clock.now() });
  await jobs.enqueue(tx, gatewaySync, { orderId }, isInline ? { delaySeconds: inlineSeconds } : {});
  return orderId;
};

const mailed: Partial<Readonly<Record<ChangeVerb, SubscriptionEvent>>> = {
  pause: 'paused',
  resume: 'resumed',
  cancel: 'cancelled',
};

const dateOf = (at: Date): string => at.toISOString().slice(0, 10);

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
  if (!kind || !capabilities[kind][capabilityOf[verb]]) {
    throw new DomainError('OPERATION_NOT_SUPPORTED', {
      manage_url: kind ? deps.gateways[kind].manageUrl : null,
    });
  }
  const now = deps.clock.now();
  const transition = assertAllows(before, verb, now);
  const { to = before.intent, autoRenew = before.autoRenew } = transition;
  const clock = clockOf(now, 'local');
  const isPause = verb === 'pause';
  const after: SubscriptionRecord = {
    ...before,
    gatewayStatus: to,
    intent: to,
    autoRenew,
    pauseUntil: isPause && resumeAt ? dateOf(resumeAt) : to === 'paused' ? before.pauseUntil : null,
    pauseReason: isPause ? (reason ?? null) : to === 'paused' ? before.pauseReason : null,
    cancelReason: verb === 'cancel' ? (reason ?? null) : before.cancelReason,
    // What the change leaves as it is can still be set by an earlier message that is late.
    clocks: {
      ...before.clocks,
      ...(transition.to === undefined ? {} : { intent: clock, pauseUntil: clock, pauseReason: clock }),
      ...(transition.autoRenew === undefined ? {} : { autoRenew: clock }),
    },
  };
  await subscriptionRecordWrites(tx).save(after);
  const entry = { at: now, source: 'user', what: `The user requested: ${verb}.` } as const;
  await subscriptionHistoryWrites(tx).add(id, entry, before, after);
  const parameters = {
    ...(resumeAt === undefined ? {} : { resumeAt: resumeAt.toISOString() }),
    ...(reason === undefined ? {} : { reason }),
  };
  const orderId = await orderFromGateway(tx, deps, { subscriptionId: id, verb, parameters });
  const event = mailed[verb];
  if (event) await mailEvent(tx, deps, { event, subscription: after, cause: `order-${orderId}` });
  return { subscription: after, previous: before.gatewayStatus, orderId };
};
