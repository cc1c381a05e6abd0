/** Subscriptions with their history, and the messages of gateways; parked ones wait for an account or a product. */
import { z } from 'zod';
import { gatewayEventRepo } from '#data/postgres/subscriptions/gateway-events.ts';
import type { ListedGatewayEvent } from '#data/postgres/subscriptions/gateway-events.ts';
import { gatewayOrderRepo } from '#data/postgres/subscriptions/gateway-orders.ts';
import { subscriptionHistoryRepo } from '#data/postgres/subscriptions/history.ts';
import { paymentRepo } from '#data/postgres/subscriptions/payments.ts';
import { subscriptionRecordRepo } from '#data/postgres/subscriptions/records.ts';
import { subscriptionRepo } from '#data/postgres/subscriptions/subscriptions.ts';
import { DomainError } from '#domain/errors.ts';
import { canStillBeCharged } from '#domain/subscriptions/agreement.ts';
import { amountText } from '#domain/subscriptions/money.ts';
import { retryMessageVerb } from '#operator/gateway-messages.ts';
import { cancelVerb, extendVerb } from '#operator/subscriptions.ts';
import { actionOf, consolePage, defineSection } from '../define.ts';
import { html } from '../../pages/html.ts';
import {
  badge,
  button,
  confirmed,
  facts,
  field,
  hidden,
  idFormSchema,
  listQuery,
  orDash,
  paged,
  pageSize,
  searchForm,
  table,
  time,
  yesNo,
} from '../../site/parts.ts';
import { statusBadge, subscriptionTable } from '../subscription-table.ts';

const maxPayments = 100;

const list = consolePage('/subscriptions', z.object(listQuery), async ({ db, now }, { page, search }) => {
  const found = await subscriptionRepo(db).list(pageSize + 1, (page - 1) * pageSize, search);
  const { rows, links } = paged(found, page, '/subscriptions', { search });
  return {
    title: 'Subscriptions',
    main: html`<p><a href="/console/subscriptions/messages?state=parked">Messages of gateways</a></p>
        ${searchForm('/subscriptions', 'Account, product or reference', search)}
        ${subscriptionTable(rows, now)} ${links}`,
  };
});

const show = consolePage('/subscriptions/show', idFormSchema, async (tools, { id }) => {
  const { db, now, formToken } = tools;
  const found = await subscriptionRecordRepo(db).byId(id);
  if (!found) throw new DomainError('NOT_FOUND', {}, `There is no subscription ${id}.`);
  const history = await subscriptionHistoryRepo(db).of(id);
  const payments = (await paymentRepo(db).ofUser(found.userId, id)).slice(0, maxPayments);
  const orders = await gatewayOrderRepo(db).ofSubscription(id);
  const messages = await gatewayEventRepo(db).ofSubscription(found);
  const options = { formToken, fields: { id } };
  return {
    title: `Subscription ${id}: ${found.product.title}`,
    main: html`${facts([
      ['Account', html`<a href="/console/users/show?id=${found.userId}">${found.accountEmail}</a>`],
      ['State', statusBadge(found, now)],
      ['Begins', time(found.startsAt)],
      ['Ends', time(found.endsAt)],
      ['Renewal', yesNo(found.autoRenew)],
      ['Can still be charged', yesNo(canStillBeCharged(found))],
      ['Gateway', orDash(found.gateway)],
      ['Reference', orDash(found.reference)],
    ])}
        <div class="sheets">
          <form class="sheet" method="post" action="/console/subscriptions/extend">
            ${hidden(tools, { id })}
            ${field('Days to add', 'days', html`type="number" min="1" max="36500" required`)}<button>
              Extend
            </button>
          </form>
        </div>
        <div class="actions">
          ${confirmed('Cancel renewal', 'Access remains until the end date.', { ...options, action: '/subscriptions/cancel' })}
          ${confirmed('End access', 'Access ends at once, and the renewal with it.', { ...options, action: '/subscriptions/end' })}
          <a href="/console/audit?kind=subscription&amp;subject=${id}">Changes by operators</a>
        </div>
        <h2>History</h2>
        ${table(
          'History',
          ['Time', 'By', 'What', 'Status', 'Ends'],
          history.map((entry) => [
            time(entry.at),
            entry.source,
            entry.what,
            orDash(entry.statusAfter),
            time(entry.endsAfter),
          ]),
        )}
        <h2>Payments</h2>
        ${table(
          'Payments',
          ['Time', 'Kind', 'Amount', 'Status', 'Transaction'],
          payments.map((payment) => [
            time(payment.paidAt),
            payment.kind,
            `${amountText(payment.amountMinor, payment.currency)} ${payment.currency}`,
            payment.status,
            orDash(payment.transactionId),
          ]),
        )}
        <h2>Orders for the gateway</h2>
        ${table(
          'Orders for the gateway',
          ['Created', 'Order', 'State', 'Attempts', 'Error'],
          orders.map((order) => [
            time(order.createdAt),
            order.verb,
            order.state,
            order.attempts,
            order.lastError === null ? orDash(null) : html`<pre>${order.lastError}</pre>`,
          ]),
        )}
        <h2>Messages of the gateway</h2>
        ${messageTable(messages, formToken)}`,
  };
});

const states = ['received', 'applied', 'ignored', 'parked'] as const;
const kinds = { received: 'seed', applied: 'up', ignored: 'off', parked: 'late' } as const;

const messageTable = (events: readonly ListedGatewayEvent[], formToken: string) =>
  table(
    'Messages of gateways',
    ['Id', 'Received', 'Gateway', 'Message', 'Reference', 'State', 'Reason', 'Subscription', ''],
    events.map((event) => [
      event.id,
      time(event.receivedAt),
      event.gateway,
      event.event,
      orDash(event.reference),
      badge(kinds[event.state], event.state),
      orDash(event.reason),
      event.subscriptionId === null
        ? orDash(null)
        : html`<a href="/console/subscriptions/show?id=${event.subscriptionId}">${event.subscriptionId}</a>`,
      event.state !== 'applied' &&
        button('Retry', {
          formToken,
          action: '/subscriptions/retry-message',
          fields: { id: event.id },
          about: `message ${event.id}`,
          isPlain: true,
        }),
    ]),
  );

const messages = consolePage(
  '/subscriptions/messages',
  z.object({ page: listQuery.page, state: z.enum(states).optional().catch(undefined) }),
  async ({ db, formToken }, { page, state }) => {
    const found = await gatewayEventRepo(db).list(state ?? null, pageSize + 1, (page - 1) * pageSize);
    const { rows, links } = paged(found, page, '/subscriptions/messages', { state });
    const filters = [undefined, ...states].map(
      (each) =>
        html`<li>
          <a
            href="/console/subscriptions/messages${each !== undefined && `?state=${each}`}"
            ${each === state && html` aria-current="true"`}
            >${each ?? 'all'}</a
          >
        </li>`,
    );
    return {
      title: 'Messages of gateways',
      main: html`<p class="hint">
          Parked messages wait for an account or a product; a retry applies one again.
        </p>
        <nav class="filters" aria-label="States">
          <ul>
            ${filters}
          </ul>
        </nav>
        ${messageTable(rows, formToken)} ${links}`,
    };
  },
);

const toShown = { to: '/subscriptions/show', by: 'id' };

export default defineSection({
  name: 'subscriptions',
  label: 'Subscriptions',
  order: 6,
  pages: [list, show, messages],
  actions: [
    actionOf(extendVerb, { path: '/subscriptions/extend', audit: 'subscription extend', ...toShown }),
    actionOf(cancelVerb, { path: '/subscriptions/cancel', audit: 'subscription cancel', ...toShown }),
    actionOf(cancelVerb, {
      path: '/subscriptions/end',
      audit: 'subscription cancel',
      more: () => ({ now: true }),
      ...toShown,
    }),
    actionOf(retryMessageVerb, {
      path: '/subscriptions/retry-message',
      audit: 'webhooks retry',
      to: '/subscriptions/messages',
    }),
  ],
});
