import { allowanceWrites } from '#store/postgres/subscriptions/allowances.ts';
import {
  cancelSubscription,
  extendSubscription,
  grantSubscription,
} from '#commands/subscriptions/by-operator.ts';
import { openApiKey } from '#store/auth/secrets.ts';
import { callSignature, confirmationToken, issueTime } from '#store/auth/confirmations.ts';
import { gatewayEventRepo } from '#store/postgres/subscriptions/gateway-events.ts';
import { gatewayOrderRepo } from '#store/postgres/subscriptions/gateway-orders.ts';
import { subscriptionHistoryRepo } from '#store/postgres/subscriptions/history.ts';
import { paymentRepo } from '#store/postgres/subscriptions/payments.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import { refundRequestRepo } from '#store/postgres/subscriptions/refund-requests.ts';
import { subscriptionRepo } from '#store/postgres/subscriptions/subscriptions.ts';
import type { ListedSubscription } from '#store/postgres/subscriptions/subscriptions.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { DomainError } from '#domain/errors.ts';
import { changeActions, signedActions } from '#domain/subscriptions/actions.ts';
import { canStillBeCharged } from '#domain/subscriptions/agreement.ts';
import { statusOf } from '#domain/subscriptions/entitlement.ts';
import { amountText } from '#domain/subscriptions/money.ts';
import { byEmail, findUser } from '../find.ts';
import {
  email,
  flagSwitch,
  integer,
  maybe,
  maybeInteger,
  maybeText,
  oneOf,
  paging,
  row,
  text,
} from '../flags.ts';
import { creating, found, localVerb, verb, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const mostDays = 36_500;
const maxPayments = 100;
const byId = { id: row('subscription', integer('Id of the subscription (subscription list).')) };

/** What lists of subscriptions show. */
export const subscriptionRow = (
  { id, email: address, productCode, ...held }: ListedSubscription,
  now: Date,
) => ({
  subscription: id,
  email: address,
  product: productCode,
  status: statusOf(held, now),
  ends: held.endsAt,
  renewal: held.autoRenew,
  gateway: held.gateway,
  reference: held.reference,
});

/** Under `user` and under `subscription`. */
export const gift = verb({
  summary: 'Grants extra calculations for the next 30 days.',
  flags: { ...byEmail, calculations: integer('Number of calculations.', 1, 100_000) },
  run: async (tools, { email: address, calculations }) => {
    const { id: userId, email: account } = await findUser(tools.postgres.db, address);
    await tools.change((tx) => allowanceWrites(tx).gift(userId, calculations, tools.clock.now()));
    return { data: { email: account, calculations }, notice: `${calculations} calculations are granted.` };
  },
});

export const grant = verb({
  summary: 'Grants a product to a user, starting now.',
  flags: {
    email,
    product: text('Code of the product (product list).'),
    days: maybeInteger('Days; default: those of the product.', 1, mostDays),
    gateway: maybe(oneOf(['card', 'wallet', 'store'], 'Records it as bought through card, wallet or store.')),
    reference: maybeText('Reference of the payment gateway.'),
  },
  run: async (tools, { email: address, product: productCode, ...values }) => {
    const { id: userId } = await findUser(tools.postgres.db, address);
    const { producer: jobs } = await tools.queues();
    const granted = await creating(
      tools,
      'subscription',
      (tx) => grantSubscription(tx, { clock: tools.clock, jobs }, { ...values, userId, productCode }),
      ({ id }) => id,
    );
    return { data: { subscription: granted }, notice: `${productCode} is granted.` };
  },
});

export const subscription: Noun = {
  name: 'subscription',
  title: 'Subscriptions',
  summary: 'Subscriptions of users: product and end date.',
  kind: 'subscription',
  verbs: {
    grant,
    extend: verb({
      summary: 'Adds days to a subscription.',
      flags: { ...byId, days: integer('Days to add.', 1, mostDays) },
      run: async (tools, given) => {
        const { producer: jobs } = await tools.queues();
        const extended = await tools.change((tx) =>
          extendSubscription(tx, { clock: tools.clock, jobs }, given),
        );
        return { data: { subscription: extended }, notice: `${given.days} days are added.` };
      },
    }),
    gift,
    show: view({
      summary: 'Shows a subscription with its history, payments, orders for the gateway and its messages.',
      flags: byId,
      run: async ({ postgres: { db }, clock }, { id }) => {
        const held = found(await subscriptionRecordRepo(db).byId(id), `There is no subscription ${id}.`);
        const { product, agreement, orders: _, ...record } = held;
        const status = statusOf(held, clock.now());
        const history = await subscriptionHistoryRepo(db).of(id);
        const payments = (await paymentRepo(db).ofUser(held.userId, id)).slice(0, maxPayments);
        const refunds = await refundRequestRepo(db).ofSubscription(id);
        const orders = await gatewayOrderRepo(db).ofSubscription(id);
        const messages = await gatewayEventRepo(db).ofSubscription(held);
        const isCharged = canStillBeCharged(held);
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
            at: order.createdAt,
            verb: order.verb,
            state: order.state,
            attempts: order.attempts,
            error: order.lastError,
          })),
          'Messages of the gateway': messages.map((message) => ({
            message: message.id,
            occurred: message.occurredAt,
            received: message.receivedAt,
            event: message.event,
            state: message.state,
            reason: message.reason,
          })),
        };
        const { clocks: __, ...terms } = agreement;
        const whole = { ...record, status, productCode: product.code, agreement: terms, isCharged };
        return {
          data: { subscription: whole, explanation, history, payments, refunds, orders, messages },
          heading: explanation,
          record: {
            email: held.accountEmail,
            product: product.code,
            status,
            begins: held.startsAt,
            ends: held.endsAt,
            renewal: held.autoRenew,
            gateway: held.gateway,
            reference: held.reference,
          },
          tables,
          whole: 'webhooks show ID',
        };
      },
    }),
    sign: localVerb({
      summary: 'Prints the headers of a signed action of a user, and the confirmation token if it needs one.',
      flags: {
        email,
        action: oneOf(signedActions, 'Action of the signed endpoint.'),
        id: maybeInteger('Id of the subscription that the token is for.'),
      },
      run: async ({ postgres, clock, config }, { email: address, action, id }) => {
        const { id: userId } = await findUser(postgres.db, address);
        const identity = found(
          await identityRepo(postgres.db).byUserId(userId),
          `There is no user ${address}.`,
        );
        const now = issueTime(clock.now(), identity);
        const timestamp = String(Math.floor(now.getTime() / 1_000));
        const apiKey = openApiKey(identity.apiKeySealed, config.ENCRYPTION_KEYS);
        if (apiKey === null)
          throw new DomainError('NO_KEY', {}, 'The API key of this user opens with none of ENCRYPTION_KEYS.');
        const [safetyCode = ''] = config.SAFETY_CODE;
        const headers = {
          'X-API-Key': apiKey,
          'X-Timestamp': timestamp,
          'X-Signature': callSignature(safetyCode, { userId, apiKey, timestamp, action }),
        };
        const needsToken = (changeActions as readonly string[]).includes(action);
        const token = needsToken
          ? confirmationToken(safetyCode, { action, subscriptionId: id ?? null, userId }, now)
          : null;
        return { data: { ...headers, confirmation_token: token } };
      },
    }),
    list: view({
      summary: 'Lists the subscriptions of one user, or the latest of all users.',
      flags: {
        search: maybeText('Part of the account, the product or the reference.'),
        email: maybe(email),
        ...paging,
      },
      run: async ({ postgres: { db }, clock }, { search = '', email: address, limit = 100, offset = 0 }) => {
        const repo = subscriptionRepo(db);
        const subscriptions =
          address === undefined
            ? await repo.list(limit, offset, search)
            : await repo.ofUser((await findUser(db, address)).id);
        return {
          data: { subscriptions },
          table: subscriptions.map((each) => subscriptionRow(each, clock.now())),
        };
      },
    }),
    cancel: verb({
      summary: 'Ends renewal; access remains until the end date.',
      flags: { ...byId, now: flagSwitch('Ends access immediately.') },
      run: async (tools, { id, now: immediately }) => {
        const { producer: jobs } = await tools.queues();
        const cancelled = await tools.change((tx) =>
          cancelSubscription(tx, { clock: tools.clock, jobs }, { id, immediately }),
        );
        return {
          data: { subscription: cancelled },
          notice: immediately ? 'The access has ended.' : 'The renewal is cancelled.',
        };
      },
    }),
  },
};
