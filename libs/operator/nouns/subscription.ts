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
import { subscriptionHistoryRepo, paymentRepo } from '#store/postgres/subscriptions/ledger.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import { refundRequestRepo } from '#store/postgres/subscriptions/refund-requests.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { DomainError } from '#domain/errors.ts';
import { changeActions, signedActions } from '#domain/subscriptions/actions.ts';
import { canStillBeCharged } from '#domain/subscriptions/agreement.ts';
import { statusOf } from '#domain/subscriptions/entitlement.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
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
import { change, found, localVerb, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const mostDays = 36_500;
const maxPayments = 100;
const byId = { id: row('subscription', integer('Id of the subscription (subscription list).')) };

export const subscriptionColumns = 'id email productCode status endsAt autoRenew gateway reference';

const listed = ({ id, accountEmail, product, ...held }: SubscriptionRecord) => {
  const { gateway, reference, gatewayStatus, autoRenew, startsAt, endsAt } = held;
  const terms = { gateway, reference, gatewayStatus, autoRenew, startsAt, endsAt };
  return { id, email: accountEmail, productCode: product.code, ...terms };
};

export const withStatus = (held: SubscriptionRecord, now: Date) => ({
  ...listed(held),
  status: statusOf(held, now),
});

/** Listed under both `user` and `subscription`. */
export const gift = change({
  summary: 'Grants extra calculations for the next 30 days.',
  flags: { ...byEmail, calculations: integer('Number of calculations.', 1, 100_000) },
  run: async ({ tx, now }, { email: address, calculations }) => {
    await allowanceWrites(tx).gift((await findUser(tx, address)).id, calculations, now);
    return `${calculations} calculations are granted.`;
  },
});

export const grant = change({
  summary: 'Grants a product to a user, starting now.',
  flags: {
    email,
    product: text('Code of the product (product list).'),
    days: maybeInteger('Days; default: those of the product.', 1, mostDays),
    gateway: maybe(oneOf(['card', 'wallet', 'store'], 'Records it as bought through card, wallet or store.')),
    reference: maybeText('Reference of the payment gateway.'),
  },
  run: async (tools, { email: address, product: productCode, ...terms }) => {
    const { id: userId } = await findUser(tools.tx, address);
    const granted = await grantSubscription(tools.tx, tools, { ...terms, userId, productCode });
    tools.trail.created('subscription', granted.id);
    return { data: { subscription: listed(granted) }, notice: `${productCode} is granted.` };
  },
});

export const subscription: Noun = {
  name: 'subscription',
  title: 'Subscriptions',
  summary: 'Subscriptions of users: product and end date.',
  kind: 'subscription',
  verbs: {
    grant,
    extend: change({
      summary: 'Adds days to a subscription.',
      flags: { ...byId, days: integer('Days to add.', 1, mostDays) },
      run: async (tools, given) => ({
        data: { subscription: listed(await extendSubscription(tools.tx, tools, given)) },
        notice: `${given.days} days are added.`,
      }),
    }),
    gift,
    show: view({
      summary: 'Shows a subscription with its history, payments, orders for the gateway and its messages.',
      flags: byId,
      run: async ({ db, now }, { id }) => {
        const held = found(await subscriptionRecordRepo(db).byId(id), `There is no subscription ${id}.`);
        const { product, agreement, orders: _, ...record } = held;
        const { clocks: __, ...terms } = agreement;
        return {
          data: {
            subscription: {
              ...record,
              status: statusOf(held, now),
              productCode: product.code,
              agreement: terms,
              isCharged: canStillBeCharged(held),
            },
            history: await subscriptionHistoryRepo(db).of(id),
            payments: (await paymentRepo(db).ofUser(held.userId, id)).slice(0, maxPayments),
            refunds: await refundRequestRepo(db).ofSubscription(id),
            orders: await gatewayOrderRepo(db).ofSubscription(id),
            messages: await gatewayEventRepo(db).ofSubscription(held),
          },
          columns: {
            subscription:
              'accountEmail productCode status startsAt endsAt autoRenew isCharged gateway reference',
            history: 'at source statusBefore statusAfter endsAfter what',
            payments: 'paidAt kind amount status transactionId',
            refunds: 'requestedAt requestedBy amount state transactionId reason',
            orders: 'createdAt verb state attempts lastError',
            messages: 'id occurredAt receivedAt event state reason',
          },
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
      run: async ({ db, now, config }, { email: address, action, id }) => {
        const { id: userId } = await findUser(db, address);
        const identity = found(await identityRepo(db).byUserId(userId), `There is no user ${address}.`);
        const issuedAt = issueTime(now, identity);
        const timestamp = String(Math.floor(issuedAt.getTime() / 1_000));
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
          ? confirmationToken(safetyCode, { action, subscriptionId: id ?? null, userId }, issuedAt)
          : null;
        return { data: { ...headers, confirmation_token: token } };
      },
    }),
    list: view({
      summary: 'Lists the latest subscriptions; user show has those of one user.',
      flags: {
        search: maybeText('Part of the account, the product or the reference.'),
        ...paging,
      },
      run: async ({ db, now }, { search = '', limit, offset }) => {
        const latest = await subscriptionRecordRepo(db).list(limit, offset, search);
        return {
          data: { subscriptions: latest.map((held) => withStatus(held, now)) },
          columns: { subscriptions: subscriptionColumns },
        };
      },
    }),
    cancel: change({
      summary: 'Ends renewal; access remains until the end date.',
      flags: { ...byId, now: flagSwitch('Ends access immediately.') },
      run: async (tools, { id, now: immediately }) => ({
        data: { subscription: listed(await cancelSubscription(tools.tx, tools, { id, immediately })) },
        notice: immediately ? 'The access has ended.' : 'The renewal is cancelled.',
      }),
    }),
  },
};
