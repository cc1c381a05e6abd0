import type { Deps } from '#commands/deps.ts';
import { agreementOf, confirmedBy, orderedEnd } from '#domain/subscriptions/agreement.ts';
import { planEntry } from '#domain/subscriptions/entries.ts';
import { clockOf } from '#domain/subscriptions/notice.ts';
import { isCheaperPlan } from '#domain/subscriptions/orders.ts';
import { planChange } from '#domain/subscriptions/plan.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { OrderEnding } from '#data/gateways/sync.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { gatewayOrderRepo, gatewayOrderWrites } from '#store/postgres/subscriptions/gateway-orders.ts';
import type { GatewayOrder } from '#store/postgres/subscriptions/gateway-orders.ts';
import { ledgerRepo } from '#store/postgres/subscriptions/ledger.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { subscriptionRecordWrites } from '#store/postgres/subscriptions/records.ts';
import { orderEnd } from './change.ts';
import { addToLedger, settle } from './settle.ts';

/** Records a plan changed by the gateway: earlier value lasts until its end. */
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
export const endOrder = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { order, refusal, live }: OrderEnding,
): Promise<void> => {
  const now = deps.clock.now();
  const { id, verb, subscriptionId } = order;
  const before = await subscriptionRecordWrites(tx).lock(subscriptionId);
  const state = refusal === null ? 'done' : 'refused';
  if ((await gatewayOrderWrites(tx).end(id, state, refusal, now)) === 0 || !before) return;
  // Orders orders of the same millisecond.
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
    // The gateway does not know how long a credit above the price lasts, and may have an end ordered since.
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
