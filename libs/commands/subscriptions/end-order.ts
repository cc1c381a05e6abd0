import { agreementOf, balanceFor, confirmedBy } from '#domain/subscriptions/agreement.ts';
import { newestPayment } from '#domain/subscriptions/ledger.ts';
import { clockOf } from '#domain/subscriptions/notice.ts';
import { isPlanEnd } from '#domain/subscriptions/orders.ts';
import { planChange } from '#domain/subscriptions/plan.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { OrderEnding } from '#data/gateways/sync.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { gatewayOrderWrites } from '#data/postgres/subscriptions/gateway-orders.ts';
import type { GatewayOrder } from '#data/postgres/subscriptions/gateway-orders.ts';
import { productRepo } from '#data/postgres/subscriptions/products.ts';
import { subscriptionRecordWrites } from '#data/postgres/subscriptions/records.ts';
import { orderEnd } from './change.ts';
import { addToLedger, paidOf } from './ledger.ts';
import { settle } from './settle.ts';
import type { SettleDeps } from './settle.ts';

/** The plan that the gateway has changed: what was paid before lasts until its end. */
const changedPlan = async (
  tx: Tx,
  before: SubscriptionRecord,
  { parameters, createdAt }: GatewayOrder,
  now: Date,
): Promise<void> => {
  const target = await productRepo(tx).byCode(parameters.targetCode ?? '');
  if (!target) return;
  const entries = await paidOf(tx, before);
  const balance = balanceFor(before, entries, before.product);
  const isLower = parameters.endsAt !== undefined;
  const at = isLower ? createdAt : now;
  // What is cheaper took effect with the order, an upgrade does when it is charged.
  const { creditMinor = balance.worthMinor(at), chargeMinor = Math.max(0, target.priceMinor - creditMinor) } =
    isLower ? { chargeMinor: 0, ...parameters } : parameters;
  const paid = { creditMinor, endsAt: before.endsAt };
  const endsAt = isLower
    ? new Date(parameters.endsAt ?? '')
    : target.code === before.product.code
      ? before.endsAt
      : planChange(before.product, target, paid, now).endsAt;
  await addToLedger(tx, before, {
    entries: [
      {
        kind: 'plan',
        at,
        ofTransactionId: newestPayment(entries)?.transactionId ?? null,
        amountMinor: creditMinor + chargeMinor,
        chargeMinor,
        currency: parameters.currency ?? target.currency,
        product: target,
        endsAt,
        cause: `${before.product.code} to ${target.code}`,
      },
    ],
  });
};

/**
 * The gateway has confirmed an order, or refused it for good: a refused one is undone where users see it, with a
 * mail.
 */
export const endOrder = async (
  tx: Tx,
  deps: SettleDeps,
  { order, refusal, live }: OrderEnding,
): Promise<void> => {
  const now = deps.clock.now();
  const { id, verb, subscriptionId } = order;
  const before = await subscriptionRecordWrites(tx).lock(subscriptionId);
  const state = refusal === null ? 'done' : 'refused';
  if ((await gatewayOrderWrites(tx).end(id, state, refusal, now)) === 0 || !before) return;
  // Orders of one millisecond have an order, too.
  const clock = clockOf(now, `local ${String(id).padStart(12, '0')}`);
  const entry = (what: string) => ({ at: now, source: 'sync', what }) as const;
  if (refusal === null) {
    if (verb === 'changePlan') await changedPlan(tx, before, order, now);
    const agreement = confirmedBy(before, order, clock);
    const after = await settle(tx, deps, {
      before,
      entry: entry(`The gateway has done: ${verb}.`),
      set: { agreement },
    });
    // Until when more credit than the price lasts, the gateway does not know; an end that it waits for is of the plan before.
    const { chargeMinor, endsAt, targetCode } = order.parameters;
    const isEndWaiting = before.orders.some((one) => (endsAt ? isPlanEnd(one) : one.verb === 'extend'));
    if (verb === 'changePlan' && (isEndWaiting || (chargeMinor === 0 && !endsAt)))
      await orderEnd(tx, deps, { subscription: after, planCode: targetCode });
    return;
  }
  const agreement = live ? agreementOf(before.agreement, live, clock) : before.agreement;
  const what = entry(`${verb}: the gateway refused: ${refusal}`);
  await settle(tx, deps, { before, entry: what, set: { agreement }, cause: { refusedOrder: id } });
};
