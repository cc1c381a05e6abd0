/** Passes orders on to gateways: at once after their commit, later by the job; both do the same. */
import { GatewayError, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { Gateways, GatewayChange, GatewayVerb } from '#domain/subscriptions/gateway.ts';
import { clockOf } from '#domain/subscriptions/notice.ts';
import { planChange } from '#domain/subscriptions/plan.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { Clock } from '#domain/time.ts';
import type { Postgres } from '../postgres/pool.ts';
import type { Tx } from '../postgres/sql.ts';
import { gatewayOrderRepo, gatewayOrderWrites } from '../postgres/subscriptions/gateway-orders.ts';
import type { GatewayOrder } from '../postgres/subscriptions/gateway-orders.ts';
import { subscriptionHistoryWrites } from '../postgres/subscriptions/history.ts';
import { productRepo } from '../postgres/subscriptions/products.ts';
import { subscriptionRecordRepo, subscriptionRecordWrites } from '../postgres/subscriptions/records.ts';

export interface SyncParts {
  postgres: Postgres;
  gateways: Gateways;
  clock: Clock;
}

/** `failed`: it is tried again. `refused`: the gateway will never do it. */
export type SyncResult = { state: 'done' } | { state: 'failed' | 'refused'; reason: string };

/** Of the verbs of one group only the newest order counts: each says which state to reach. */
const groups: Readonly<Record<GatewayVerb, string>> = {
  pause: 'status',
  resume: 'status',
  cancel: 'status',
  renewalOn: 'renewal',
  renewalOff: 'renewal',
  changePlan: 'plan',
  extend: 'end',
};

const changeOf = ({ verb, parameters }: GatewayOrder, reference: string): GatewayChange => ({
  verb,
  reference,
  ...(parameters.resumeAt === undefined ? {} : { resumeAt: new Date(parameters.resumeAt) }),
  ...(parameters.endsAt === undefined ? {} : { endsAt: new Date(parameters.endsAt) }),
  ...(parameters.reason === undefined ? {} : { reason: parameters.reason }),
  ...(parameters.targetCode === undefined ? {} : { targetCode: parameters.targetCode }),
  ...(parameters.chargeMinor === undefined ? {} : { chargeMinor: parameters.chargeMinor }),
  ...(parameters.currency === undefined ? {} : { currency: parameters.currency }),
});

/** An upgrade takes effect when the gateway has charged it; what is cheaper took effect with the order. */
const upgrade = async (tx: Tx, before: SubscriptionRecord, targetCode: string, now: Date) => {
  const target = await productRepo(tx).byCode(targetCode);
  if (!target || target.code === before.product.code) return before;
  const { endsAt, pricePaidMinor } = planChange(before.product, target, before, now);
  const clock = clockOf(now, 'local');
  const after: SubscriptionRecord = {
    ...before,
    product: { ...before.product, ...target },
    endsAt,
    pricePaidMinor,
    clocks: { ...before.clocks, productCode: clock, endsAt: clock, pricePaidMinor: clock },
  };
  await subscriptionRecordWrites(tx).save(after);
  return after;
};

const complete = async (tx: Tx, order: GatewayOrder, now: Date): Promise<void> => {
  if ((await gatewayOrderWrites(tx).end(order.id, 'done', null, now)) === 0) return;
  const before = await subscriptionRecordWrites(tx).lock(order.subscriptionId);
  if (!before) return;
  const { targetCode } = order.parameters;
  const isUpgrade = order.verb === 'changePlan' && targetCode !== undefined;
  const after = isUpgrade ? await upgrade(tx, before, targetCode, now) : before;
  const what = `The gateway has done: ${order.verb}.`;
  await subscriptionHistoryWrites(tx).add(before.id, { at: now, source: 'sync', what }, before, after);
};

const failedWith = async (
  { postgres, clock }: SyncParts,
  { id, subscriptionId, verb }: GatewayOrder,
  error: GatewayError,
): Promise<SyncResult> => {
  const isFinal = error.outcome === 'refused';
  await postgres.transaction(async (tx) => {
    const orders = gatewayOrderWrites(tx);
    if (isFinal) await orders.end(id, 'refused', error.message, clock.now());
    else await orders.noteFailure(id, error.message);
    const words = {
      refused: 'the gateway refused',
      unavailable: 'the gateway was not reached',
      unknown: 'the gateway did not answer',
    };
    const what = `${verb}: ${words[error.outcome]}: ${error.message}`;
    await subscriptionHistoryWrites(tx).add(subscriptionId, { at: clock.now(), source: 'sync', what });
  });
  return { state: isFinal ? 'refused' : 'failed', reason: error.message };
};

/** One attempt. Any number of processes may make it: they take turns, and an order that has ended is done. */
export const syncOrder = async (
  parts: SyncParts,
  orderId: number,
  options: { timeoutMs: number; signal?: AbortSignal },
): Promise<SyncResult> => {
  const { postgres, gateways, clock } = parts;
  const found = await gatewayOrderRepo(postgres.db).byId(orderId);
  if (!found) return { state: 'done' };
  return postgres.exclusive(`gateway:${found.subscriptionId}`, async () => {
    const orders = await gatewayOrderRepo(postgres.db).ofSubscription(found.subscriptionId);
    const order = orders.find(({ id }) => id === orderId);
    const subscription = await subscriptionRecordRepo(postgres.db).byId(found.subscriptionId);
    const kind = kindOfGateway(subscription?.gateway ?? null);
    if (order?.state === 'refused') return { state: 'refused', reason: order.lastError ?? '' };
    if (order?.state !== 'pending' || !kind || !subscription?.reference) return { state: 'done' };
    if (orders.some((other) => other.id > orderId && groups[other.verb] === groups[order.verb])) {
      await postgres.single((tx) => gatewayOrderWrites(tx).end(orderId, 'superseded', null, clock.now()));
      return { state: 'done' };
    }
    try {
      await gateways[kind].change(changeOf(order, subscription.reference), options);
    } catch (error) {
      if (error instanceof GatewayError) return failedWith(parts, order, error);
      throw error;
    }
    await postgres.transaction((tx) => complete(tx, order, clock.now()));
    return { state: 'done' };
  });
};
