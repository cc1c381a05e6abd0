/** Accounts: search, details, subscription, calculations, and whether they may log in. */
import { z } from 'zod';
import { allowanceRepo } from '#data/postgres/subscriptions/allowances.ts';
import { productRepo } from '#data/postgres/subscriptions/products.ts';
import { subscriptionRepo } from '#data/postgres/subscriptions/subscriptions.ts';
import { identityRepo } from '#data/postgres/users/identities.ts';
import { userRepo } from '#data/postgres/users/users.ts';
import { DomainError } from '#domain/errors.ts';
import { entitlementOf } from '#domain/subscriptions/entitlement.ts';
import { giftVerb, grantVerb } from '#operator/subscriptions.ts';
import { disableUserVerb, enableUserVerb } from '#operator/users.ts';
import { actionOf, consolePage, defineSection } from '../define.ts';
import type { ConsoleActionTools, ConsoleTools } from '../define.ts';
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
  select,
  table,
  time,
  yesNo,
} from '../../site/parts.ts';
import { checked } from '../../site/site.ts';
import { subscriptionTable } from '../subscription-table.ts';

const stateOf = (isDisabled: boolean) => (isDisabled ? badge('down', 'disabled') : badge('up', 'active'));

const list = consolePage('/users', z.object(listQuery), async ({ db }, { page, search }) => {
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
});

const detailsOf = async ({ db, now }: ConsoleTools, id: number) => {
  const user = await userRepo(db).byId(id);
  const identity = await identityRepo(db).byUserId(id);
  if (!user || !identity) throw new DomainError('NOT_FOUND', {}, `There is no user ${id}.`);
  const entitlement = entitlementOf(identity.held, identity.preview, now);
  const allowance = await allowanceRepo(db).of({ userId: id, entitlement }, now);
  return { user, identity, entitlement, allowance };
};

const show = consolePage('/users/show', idFormSchema, async (tools, { id }) => {
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
});

/** The form has the id of an account, the command line its address. */
const toUser = {
  to: '/users/show',
  by: 'id',
  more: async ({ db }: ConsoleActionTools, form: unknown) => {
    const { id } = checked(idFormSchema, form);
    const user = await userRepo(db).byId(id);
    if (!user) throw new DomainError('NOT_FOUND', {}, `There is no user ${id}.`);
    return { email: user.email };
  },
};

export default defineSection({
  name: 'users',
  label: 'Users',
  order: 3,
  pages: [list, show],
  actions: [
    actionOf(grantVerb, { path: '/users/grant', audit: 'subscription grant', ...toUser }),
    actionOf(giftVerb, { path: '/users/gift', audit: 'user gift', ...toUser }),
    actionOf(disableUserVerb, { path: '/users/disable', audit: 'user disable', ...toUser }),
    actionOf(enableUserVerb, { path: '/users/enable', audit: 'user enable', ...toUser }),
  ],
});
