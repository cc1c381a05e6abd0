/** Passes orders on to gateways: at once after their commit, later by the job; both do the same. */
import type { Deps } from '#commands/deps.ts';
import { agreementOf, confirmedBy, orderedEnd } from '#domain/subscriptions/agreement.ts';
import type { Agreement, SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { planEntry } from '#domain/subscriptions/entries.ts';
import { GatewayError, isUnshown, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { CallOptions, Gateway, GatewayChange, LiveSubscription } from '#domain/subscriptions/gateway.ts';
import { clockOf } from '#domain/subscriptions/notice.ts';
import { isCheaperPlan, isPlanEnd, movesEnd, voidedBy } from '#domain/subscriptions/orders.ts';
import { planChange } from '#domain/subscriptions/plan.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { gatewayOrderRepo, gatewayOrderWrites } from '#store/postgres/subscriptions/gateway-orders.ts';
import type { GatewayOrder } from '#store/postgres/subscriptions/gateway-orders.ts';
import { subscriptionHistoryWrites, ledgerRepo } from '#store/postgres/subscriptions/ledger.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { subscriptionRecordRepo, subscriptionRecordWrites } from '#store/postgres/subscriptions/records.ts';
import { orderEnd } from './change.ts';
import { addToLedger, settle } from './settle.ts';

interface OrderEnding {
  order: GatewayOrder;
  /** Why the gateway refused; null: it has confirmed. */
  refusal: string | null;
  /** For a refusal: the state at the gateway, if it reports one. */
  live: LiveSubscription | null;
}

interface SyncDeps extends Deps<'clock' | 'jobs' | 'gateways'> {
  postgres: Postgres;
}

/** `failed`: it is tried again. `refused`: the gateway will never do it. */
export type SyncResult = { state: 'done' } | { state: 'failed' | 'refused'; reason: string };

const changeOf = (
  order: GatewayOrder,
  { agreement, endsAt, reference }: { agreement: Agreement; endsAt: Date; reference: string },
): GatewayChange => {
  const { verb, parameters, sentAt } = order;
  const { resumeAt, reason, targetCode, currency, chargeMinor } = parameters;
  const { intent, autoRenew, productCode } = agreement;
  const isPlan = isPlanEnd(order);
  return {
    verb,
    reference,
    sentAt,
    held: isPlan ? { isEnabled: intent !== 'Cancelled', isRenewed: autoRenew } : undefined,
    resumeAt: resumeAt === undefined ? undefined : new Date(resumeAt),
    // The current end, not the ordered one: payments, refunds and void orders since then may have moved it.
    endsAt: movesEnd(order) ? endsAt : undefined,
    reason,
    targetCode: (isPlan ? productCode : null) ?? targetCode,
    chargeMinor,
    currency,
  };
};

/** The subscription at the gateway; null if it is unknown there or the gateway does not answer. */
const readOrNull = (gateway: Gateway, reference: string, options: CallOptions) =>
  gateway.read(reference, options).catch((error: unknown) => {
    if (error instanceof GatewayError) return null;
    throw error;
  });

const words = {
  refused: 'the gateway refused',
  unavailable: 'the gateway was not reached',
  unknown: 'the gateway did not answer',
};

const failedWith = async (
  { postgres, clock }: SyncDeps,
  { id, subscriptionId, verb, sentAt }: GatewayOrder,
  error: GatewayError,
): Promise<SyncResult> => {
  await postgres.transaction(async (tx) => {
    const now = clock.now();
    await gatewayOrderWrites(tx).noteFailure(id, error.message, error.outcome === 'unknown' ? now : sentAt);
    const what = `${verb}: ${words[error.outcome]}: ${error.message}`;
    await subscriptionHistoryWrites(tx).add(subscriptionId, { at: now, source: 'sync', what });
  });
  return { state: 'failed', reason: error.message };
};

/** True for an upgrade that the gateway charged although a later order made it void: it then applies. */
const wasDone = async (
  gateway: Gateway,
  { verb, sentAt, reference, targetCode }: GatewayChange,
  now: Date,
  options: CallOptions,
): Promise<boolean> => {
  if (verb !== 'changePlan' || !sentAt) return false;
  if ((await gateway.read(reference, options))?.notice.set.productCode === targetCode) return true;
  if (isUnshown(sentAt, now)) throw new GatewayError('unavailable', 'It may be done and not be shown yet.');
  return false;
};

/** Records a plan change that the gateway has carried out; the value paid earlier lasts until the new end. */
const changedPlan = async (
  tx: Tx,
  before: SubscriptionRecord,
  order: GatewayOrder,
  at: Date,
): Promise<void> => {
  const { targetCode = '', creditMinor = 0 } = order.parameters;
  const target = await productRepo(tx).byCode(targetCode);
  if (!target) return;
  const { product, endsAt } = before;
  // The message about the charge may have arrived first.
  const end = () =>
    target.code === product.code ? endsAt : planChange(product, target, { creditMinor, endsAt }, at).endsAt;
  const charged = isCheaperPlan(order) ? undefined : { at, endsAt: end() };
  const entry = { ...planEntry(order, target, charged), product: target, cause: `Changed to ${targetCode}` };
  await addToLedger(tx, before, { entries: [entry] });
};

/**
 * Records that the gateway has confirmed or finally refused an order. A refused one is undone where users see it, with
 * a mail.
 */
const endOrder = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { order, refusal, live }: OrderEnding,
): Promise<void> => {
  const now = deps.clock.now();
  const { id, verb, subscriptionId } = order;
  const before = await subscriptionRecordWrites(tx).lock(subscriptionId);
  const state = refusal === null ? 'done' : 'refused';
  if ((await gatewayOrderWrites(tx).end(id, state, refusal, now)) === 0 || !before) return;
  // The id orders changes of the same millisecond.
  const clock = clockOf(now, `local ${String(id).padStart(12, '0')}`);
  const entry = (what: string) => ({ at: now, source: 'sync', what }) as const;
  if (refusal === null) {
    if (verb === 'changePlan') await changedPlan(tx, before, order, now);
    const endsAt = orderedEnd(before, await ledgerRepo(tx).of(subscriptionId), order);
    const agreement = confirmedBy({ ...before, endsAt }, order, clock);
    const after = await settle(tx, deps, {
      before,
      entry: entry(`The gateway has done: ${verb}.`),
      set: { agreement },
    });
    // The plan change has set an end that ignores a credit above the price and replaces an end ordered since.
    const { chargeMinor, targetCode } = order.parameters;
    const orders = await gatewayOrderRepo(tx).ofSubscription(subscriptionId);
    const isEndOlder = orders.some((one) => one.id > id && one.verb === 'extend' && one.state === 'done');
    if (verb === 'changePlan' && !isCheaperPlan(order) && (chargeMinor === 0 || isEndOlder))
      await orderEnd(tx, deps, { subscription: after, planCode: targetCode });
    return;
  }
  const agreement = live ? agreementOf(before.agreement, live, clock) : before.agreement;
  const what = entry(`${verb}: the gateway refused: ${refusal}`);
  await settle(tx, deps, { before, entry: what, set: { agreement }, cause: { refusedOrder: id } });
};

/** Tries an order once. Several processes may do so: they take turns, and nothing is sent for an order that has ended. */
export const syncOrder = async (
  deps: SyncDeps,
  orderId: number,
  options: CallOptions,
): Promise<SyncResult> => {
  const { postgres, gateways, clock } = deps;
  const found = await gatewayOrderRepo(postgres.db).byId(orderId);
  if (!found) return { state: 'done' };
  return postgres.exclusive(`gateway:${found.subscriptionId}`, async () => {
    const orders = await gatewayOrderRepo(postgres.db).ofSubscription(found.subscriptionId);
    const order = orders.find(({ id }) => id === orderId);
    const subscription = await subscriptionRecordRepo(postgres.db).byId(found.subscriptionId);
    const kind = kindOfGateway(subscription?.gateway ?? null);
    if (order?.state === 'refused') return { state: 'refused', reason: order.lastError ?? '' };
    if (order?.state !== 'pending' || !kind || !subscription?.reference) return { state: 'done' };
    const gateway = gateways[kind];
    const { agreement, reference } = subscription;
    const endsAt = orderedEnd(subscription, await ledgerRepo(postgres.db).of(subscription.id), order);
    const change = changeOf(order, { agreement, endsAt, reference });
    const end = (refusal: string | null, live: LiveSubscription | null) =>
      postgres.transaction((tx) => endOrder(tx, deps, { order, refusal, live }));
    try {
      // A pause that has ended is not sent again: the gateway may have carried it out without answering.
      const isOver = order.verb === 'pause' && new Date(order.parameters.resumeAt ?? '') <= clock.now();
      const isVoid =
        isOver ||
        orders.some(
          (other) =>
            other.id > orderId && other.state !== 'refused' && voidedBy(other.verb).includes(order.verb),
        );
      if (isVoid && !(await wasDone(gateway, change, clock.now(), options))) {
        await postgres.single((tx) => gatewayOrderWrites(tx).end(orderId, 'superseded', null, clock.now()));
        return { state: 'done' };
      }
      if (!isVoid) {
        if ((await postgres.single((tx) => gatewayOrderWrites(tx).send(orderId, clock.now()))) === 0)
          return { state: 'done' };
        await gateway.change(change, options);
      }
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.outcome !== 'refused') return failedWith(deps, order, error);
      await end(error.message, await readOrNull(gateway, reference, options));
      return { state: 'refused', reason: error.message };
    }
    await end(null, null);
    return { state: 'done' };
  });
};
