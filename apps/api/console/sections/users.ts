/** Accounts: search, details, subscription, calculations, and whether they may log in. */
import { z } from 'zod';
import { giftCalculations } from '#commands/subscriptions/gift-calculations.ts';
import { grantSubscription } from '#commands/subscriptions/grant.ts';
import { stopRenewals } from '#commands/subscriptions/stop-renewals.ts';
import { disableAccount } from '#commands/users/disable-account.ts';
import { enableAccount } from '#commands/users/enable-account.ts';
import { allowanceRepo } from '#data/postgres/subscriptions/allowances.ts';
import { productRepo } from '#data/postgres/subscriptions/products.ts';
import { subscriptionRepo } from '#data/postgres/subscriptions/subscriptions.ts';
import { identityRepo } from '#data/postgres/users/identities.ts';
import { userRepo } from '#data/postgres/users/users.ts';
import { DomainError } from '#domain/errors.ts';
import { entitlementOf } from '#domain/subscriptions/entitlement.ts';
import { defineConsoleAction, definePage, defineSection } from '../define.ts';
import type { ConsoleTools } from '../define.ts';
import { html } from '../html.ts';
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
  select,
  table,
  time,
  yesNo,
} from '../parts.ts';
import { subscriptionTable } from '../subscription-table.ts';

const stateOf = (isDisabled: boolean) => (isDisabled ? badge('down', 'disabled') : badge('up', 'active'));

const list = definePage({
  path: '/users',
  query: z.object(listQuery),
  render: async ({ db }, { page, search }) => {
    const found = await userRepo(db).list(search, pageSize + 1, (page - 1) * pageSize);
    const { rows, links } = paged(found, page, '/users', { search });
    return {
      title: 'Users',
      main: html`${searchForm('/users', 'Email address or name', search)}
      ${table(
        'Users',
        ['Email', 'Name', 'State', 'Last login', 'Registered'],
        rows.map((user) => [
          html`<a href="/console/users/show?id=${user.id}">${user.email}</a>`,
          `${user.firstname} ${user.lastname}`,
          stateOf(user.isDisabled),
          time(user.lastLoginAt),
          time(user.createdAt),
        ]),
      )}
      ${links}`,
    };
  },
});

const detailsOf = async ({ db, now }: ConsoleTools, id: number) => {
  const user = await userRepo(db).byId(id);
  const identity = await identityRepo(db).byUserId(id);
  if (!user || !identity) throw new DomainError('NOT_FOUND', {}, `There is no user ${id}.`);
  const entitlement = entitlementOf(identity.held, identity.preview, now);
  const allowance = await allowanceRepo(db).of({ userId: id, entitlement }, now);
  return { user, identity, entitlement, allowance };
};

const show = definePage({
  path: '/users/show',
  query: idFormSchema,
  render: async (tools, { id }) => {
    const { db, now, formToken } = tools;
    const { user, identity, entitlement, allowance } = await detailsOf(tools, id);
    const subscriptions = await subscriptionRepo(db).ofUser(id);
    const products = (await productRepo(db).list()).filter(({ isActive, level }) => isActive && level > 0);
    const options = { formToken, fields: { id } };
    return {
      title: user.email,
      main: html`${facts([
          ['Name', `${user.firstname} ${user.lastname}`],
          ['State', stateOf(user.isDisabled)],
          ['Rank and crew code', `${user.rank} ${user.crewcode}`],
          ['Level', `${entitlement.level}, ${entitlement.product.code}`],
          ['Calculations left', `${allowance.remaining} of ${allowance.totalAllowed}`],
          ['Settings locked', yesNo(user.settingsLocked)],
          ['Virtual airlines', orDash(identity.vaIds.join(', '))],
          ['Admin of airlines', orDash(identity.vaAdmin?.scope)],
          ['Last login', time(user.lastLoginAt)],
          ['Registered', time(user.createdAt)],
        ])}
        <h2>Subscriptions</h2>
        ${subscriptionTable(subscriptions, now)}
        <h2>Grant</h2>
        <div class="sheets">
          <form class="sheet" method="post" action="/console/users/grant">
            ${hidden(tools, { id })}
            ${select(
              'Product',
              'product',
              products.map(({ code, title }) => [code, `${title} (${code})`]),
            )}
            ${field('Days', 'days', html`type="number" min="1" max="36500"`, 'Empty: those of the product.')}
            <button>Grant subscription</button>
          </form>
          <form class="sheet" method="post" action="/console/users/gift">
            ${hidden(tools, { id })}
            ${field('Calculations', 'calculations', html`type="number" min="1" max="100000" required`, 'For the next 30 days.')}
            <button>Grant calculations</button>
          </form>
        </div>
        <h2>Access</h2>
        <div class="actions">
          ${
            user.isDisabled
              ? button('Enable account', { ...options, action: '/users/enable' })
              : confirmed(
                  'Disable account',
                  'The user is logged out everywhere at once and cannot log in; subscriptions that renew are cancelled.',
                  {
                    ...options,
                    action: '/users/disable',
                  },
                )
          } <a href="/console/audit?kind=user&amp;subject=${id}">Changes by operators</a>
        </div>`,
    };
  },
});

const toUser = (id: number): string => `/users/show?id=${id}`;
const wholeDaysSchema = z.union([
  z.literal('').transform(() => undefined),
  z.coerce.number().int().min(1).max(36_500),
]);

const grant = defineConsoleAction({
  path: '/users/grant',
  form: idFormSchema.extend({ product: z.string().min(1).max(100), days: wholeDaysSchema }),
  audit: 'subscription grant',
  run: async ({ change, clock, jobs }, { id: userId, product: productCode, days }) => {
    await change(async (tx, trail) => {
      const granted = await grantSubscription(tx, { clock, jobs }, { userId, productCode, days });
      trail.created('subscription', granted.id);
    });
    return { notice: `${productCode} is granted.`, to: toUser(userId) };
  },
});

const gift = defineConsoleAction({
  path: '/users/gift',
  form: idFormSchema.extend({ calculations: z.coerce.number().int().min(1).max(100_000) }),
  audit: 'user gift',
  run: async ({ change, clock }, { id: userId, calculations }) => {
    await change(async (tx, trail) => {
      await trail.changing('user', userId);
      await giftCalculations(tx, { clock }, { userId, calculations });
    });
    return { notice: `${calculations} calculations are granted.`, to: toUser(userId) };
  },
});

const disable = defineConsoleAction({
  path: '/users/disable',
  form: idFormSchema,
  audit: 'user disable',
  run: async ({ change, clock, jobs }, { id: userId }) => {
    const { cancelled, charged } = await change(async (tx, trail) => {
      await trail.changing('user', userId);
      await disableAccount(tx, { clock }, { userId });
      return stopRenewals(tx, { clock, jobs, trail }, { userId });
    });
    const notice = [
      'The account is disabled.',
      ...(cancelled.length > 0 ? [`Cancelled: ${cancelled.join(', ')}.`] : []),
      ...(charged.length > 0
        ? [`Still charged, since only the customer can cancel: ${charged.join(', ')}.`]
        : []),
    ].join(' ');
    return { notice, to: toUser(userId) };
  },
});

const enable = defineConsoleAction({
  path: '/users/enable',
  form: idFormSchema,
  audit: 'user enable',
  run: async ({ change }, { id: userId }) => {
    await change(async (tx, trail) => {
      await trail.changing('user', userId);
      await enableAccount(tx, {}, { userId });
    });
    return { notice: 'The account is enabled; the user has to log in again.', to: toUser(userId) };
  },
});

export default defineSection({
  name: 'users',
  label: 'Users',
  order: 3,
  pages: [list, show],
  actions: [grant, gift, disable, enable],
});
