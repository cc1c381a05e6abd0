/** `subscription show`: everything that explains the state of a subscription. */
import { canStillBeCharged } from '#domain/subscriptions/agreement.ts';
import { statusOf } from '#domain/subscriptions/entitlement.ts';
import { amountText } from '#domain/subscriptions/money.ts';
import { wireTime } from '#domain/time.ts';
import { gatewayEventRepo } from '#data/postgres/subscriptions/gateway-events.ts';
import { gatewayOrderRepo } from '#data/postgres/subscriptions/gateway-orders.ts';
import { subscriptionHistoryRepo } from '#data/postgres/subscriptions/history.ts';
import { refundRequestRepo } from '#data/postgres/subscriptions/refund-requests.ts';
import { paymentRepo } from '#data/postgres/subscriptions/payments.ts';
import { subscriptionRecordRepo } from '#data/postgres/subscriptions/records.ts';
import { OpsError, verb } from '../command.ts';
import { integer } from '#operator/flags.ts';

const maxPayments = 100;

export const showVerb = verb({
  summary: 'Shows a subscription with its history, payments, orders for the gateway and its messages.',
  flags: { id: integer('Id of the subscription (subscription list).') },
  run: async ({ postgres: { db }, clock }, { id }) => {
    const found = await subscriptionRecordRepo(db).byId(id);
    if (!found) throw new OpsError('NOT_FOUND', `There is no subscription ${id}.`);
    const { product, agreement, orders: _, ...record } = found;
    const status = statusOf(found, clock.now());
    const history = await subscriptionHistoryRepo(db).of(id);
    const payments = (await paymentRepo(db).ofUser(found.userId, id)).slice(0, maxPayments);
    const refunds = await refundRequestRepo(db).ofSubscription(id);
    const orders = await gatewayOrderRepo(db).ofSubscription(id);
    const messages = await gatewayEventRepo(db).ofSubscription(found);
    const isCharged = canStillBeCharged(found);
    const open = messages.filter(({ state }) => state === 'received' || state === 'parked');
    const unapplied = open.map(
      (message) => `${message.event} ${message.id} (${message.reason ?? 'received'})`,
    );
    const undelivered = orders
      .filter(
        ({ state, id: orderId }) =>
          state === 'pending' || (state === 'refused' && orderId === orders.at(-1)?.id),
      )
      .map(({ verb: what, state, attempts, lastError }) =>
        state === 'refused'
          ? `${what} (refused: ${lastError})`
          : `${what} (${attempts} attempts, ${lastError ?? 'not tried yet'})`,
      );
    const delivered =
      (undelivered.length === 0
        ? 'The gateway has every change that was made here.'
        : `The gateway does not have: ${undelivered.join('; ')}`) +
      (isCharged ? '\nThe customer can still be charged.' : '');
    const explanation =
      unapplied.length === 0
        ? delivered
        : `${delivered}\nNot applied of the gateway's messages: ${unapplied.join('; ')}`;
    const change = (before: string | null, after: string | null) =>
      before === after || after === null ? (after ?? '-') : `${before ?? '-'} -> ${after}`;
    const heading = [
      `Subscription ${id}: ${product.title}, ${status} until ${wireTime(found.endsAt)}`,
      `Account: ${found.accountEmail}; gateway: ${found.gateway ?? 'none'}, ${found.reference ?? 'no reference'}; renewal: ${found.autoRenew ? 'on' : 'off'}`,
      explanation,
    ].join('\n');
    const tables = {
      History: history.map((entry) => ({
        at: entry.at,
        by: entry.source,
        status: change(entry.statusBefore, entry.statusAfter),
        ends: entry.endsAfter,
        what: entry.what,
      })),
      Payments: payments.map((payment) => ({
        at: payment.paidAt,
        kind: payment.kind,
        amount: `${amountText(payment.amountMinor, payment.currency)} ${payment.currency}`,
        status: payment.status,
        transaction: payment.transactionId,
      })),
      'Refunds by administrators': refunds.map((refund) => ({
        at: refund.requestedAt,
        by: refund.requestedBy,
        amount: `${amountText(refund.amountMinor, refund.currency)} ${refund.currency}`,
        state: refund.state,
        transaction: refund.transactionId,
        reason: refund.reason,
      })),
      'Orders for the gateway': orders.map((order) => ({
        id: order.id,
        at: order.createdAt,
        verb: order.verb,
        state: order.state,
        attempts: order.attempts,
        error: order.lastError,
      })),
      'Messages of the gateway': messages.map((message) => ({
        id: message.id,
        occurred: message.occurredAt,
        received: message.receivedAt,
        event: message.event,
        state: message.state,
        reason: message.reason,
      })),
    };
    const { clocks: __, ...held } = agreement;
    const subscription = { ...record, status, productCode: product.code, agreement: held, isCharged };
    return {
      data: { subscription, explanation, history, payments, refunds, orders, messages },
      heading,
      tables,
      whole: 'webhooks show ID',
    };
  },
});
