/** Products: what they include, and the figures that operators change. */
import { z } from 'zod';
import { productRepo } from '#data/postgres/subscriptions/products.ts';
import type { ProductRow } from '#data/postgres/subscriptions/products.ts';
import { DomainError } from '#domain/errors.ts';
import { amountText } from '#domain/subscriptions/money.ts';
import { updateProductVerb } from '#operator/products.ts';
import { actionOf, consolePage, defineSection } from '../define.ts';
import { html } from '../../pages/html.ts';
import { badge, checkbox, facts, field, hidden, orDash, table } from '../../site/parts.ts';

const features = {
  isNotam: 'NOTAM',
  isNnc: 'non-normal cases',
  isMel: 'MEL',
  isCdl: 'CDL',
  isMostFav: 'most favourable runway',
  isBalkedLanding: 'balked landing',
  isAllIntersections: 'all intersections',
  isCommercial: 'commercial use',
  isFleetDatabase: 'fleet database',
} as const;

const featuresOf = (row: ProductRow): string =>
  Object.entries(features)
    .filter(([name]) => row[name as keyof typeof features])
    .map(([, text]) => text)
    .join(', ');

const priceOf = (row: ProductRow): string => `${amountText(row.priceMinor, row.currency)} ${row.currency}`;
const otherPricesOf = ({ otherPrices }: ProductRow): string =>
  Object.entries(otherPrices)
    .map(([code, minor]) => `${amountText(minor, code)} ${code}`)
    .join(', ');
const stateOf = ({ isActive }: ProductRow) => (isActive ? badge('up', 'offered') : badge('off', 'withdrawn'));

const list = consolePage('/products', z.object({}), async ({ db }) => ({
  title: 'Products',
  main: table(
    'Products',
    ['Code', 'Title', 'Level', 'Days', 'Price', 'Calculations', 'Library MB', 'State'],
    (await productRepo(db).list()).map((row) => [
      html`<a href="/console/products/show?code=${encodeURIComponent(row.code)}">${row.code}</a>`,
      row.title,
      row.level,
      row.durationDays,
      priceOf(row),
      row.maxCalculation,
      row.libraryQuotaMb,
      stateOf(row),
    ]),
  ),
}));

const codeSchema = z.string().min(1).max(100);

const show = consolePage('/products/show', z.object({ code: codeSchema }), async (tools, { code }) => {
  const row = await productRepo(tools.db).byCode(code);
  if (!row) throw new DomainError('NOT_FOUND', {}, `There is no product ${code}.`);
  const number = (max: number) => html`type="number" min="0" max="${max}" required`;
  return {
    title: row.title,
    main: html`${facts([
      ['Code', html`<code>${row.code}</code>`],
      ['State', stateOf(row)],
      ['Price', priceOf(row)],
      ['Prices in further currencies', orDash(otherPricesOf(row))],
      ['Billed', row.frequency],
      ['Tier and rank', orDash([row.groupPackage, row.rank].filter((part) => part !== null).join(', '))],
      ['Features', orDash(featuresOf(row))],
      ['Airports', row.allowedAirports.length === 0 ? 'all' : row.allowedAirports.join(', ')],
    ])}
        <h2>Change</h2>
        <p class="hint">
          Applies to everyone who has the product, at once. Features:
          <code>npm run ops -- product update</code>.
        </p>
        <form class="sheet" method="post" action="/console/products/update">
          ${hidden(tools, { code })}
          ${field('Title', 'title', html`value="${row.title}" required maxlength="100"`)}
          ${field('Level', 'level', html`value="${row.level}" ${number(9)}`, '0 preview, 1 lite, 2 standard, 3 pro.')}
          ${field('Days of one payment', 'duration-days', html`value="${row.durationDays}" ${number(36_500)}`)}
          ${field(`Price in ${row.currency}`, 'price', html`value="${amountText(row.priceMinor, row.currency)}" inputmode="decimal" pattern="\\d{1,8}(\\.\\d{1,4})?" required`)}
          ${field(`Calculations in ${row.allowanceDays} days`, 'max-calculation', html`value="${row.maxCalculation}" ${number(1_000_000)}`)}
          ${field('Library in MB', 'library-quota-mb', html`value="${row.libraryQuotaMb}" ${number(1_000_000)}`)}
          ${field('Other storage in MB', 'storage-quota-mb', html`value="${row.storageQuotaMb}" ${number(1_000_000)}`, 'Plans, flight data, checklists and fleet.')}
          ${field('Own checklists', 'max-checklists', html`value="${row.maxChecklists}" ${number(10_000)}`)}
          ${checkbox('Can be bought and granted', 'is-active', row.isActive)}<input
            type="hidden"
            name="is-active"
            value="no"
          />
          <button>Save</button>
        </form>
        <p>
          <a href="/console/audit?kind=product&amp;subject=${encodeURIComponent(code)}"
            >Changes by operators</a
          >
        </p>`,
  };
});

const update = actionOf(updateProductVerb, {
  path: '/products/update',
  audit: 'product update',
  to: '/products/show',
  by: 'code',
});

export default defineSection({
  name: 'products',
  label: 'Products',
  order: 5,
  pages: [list, show],
  actions: [update],
});
