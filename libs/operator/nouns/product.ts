import { z } from 'zod';
import { productRepo, productWrites } from '#store/postgres/subscriptions/products.ts';
import type { SoldProduct } from '#domain/subscriptions/record.ts';
import { amountText, isCurrency, toMajor } from '#domain/subscriptions/money.ts';
import { pricesOf } from '#domain/subscriptions/product-prices.ts';
import { fieldsOf, integer, maybe, maybeInteger, maybeText, maybeYesNo, row, text } from '../flags.ts';
import { creating, found, verb, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const features = {
  'is-notam': maybeYesNo('NOTAMs.'),
  'is-nnc': maybeYesNo('Non-normal cases.'),
  'is-mel': maybeYesNo('Minimum equipment list.'),
  'is-cdl': maybeYesNo('Configuration deviation list.'),
  'is-most-fav': maybeYesNo('Most favourable runway.'),
  'is-balked-landing': maybeYesNo('Balked landing.'),
  'is-all-intersections': maybeYesNo('All intersections.'),
  'is-commercial': maybeYesNo('Commercial use.'),
  'is-fleet-database': maybeYesNo('Fleet database.'),
};

const price = {
  schema: z.string().regex(/^\d{1,8}(\.\d{1,4})?$/, 'must be an amount like 9.99'),
  text: 'Catalogue price.',
};
const byCode = { code: row('product', text('Code of the product (product list).')) };

const airports = {
  schema: z
    .string()
    .transform((given) =>
      given
        .split(',')
        .map((icao) => icao.trim().toUpperCase())
        .filter(Boolean),
    )
    .pipe(z.array(z.string().regex(/^[A-Z0-9]{3,4}$/, 'must be ICAO codes')))
    .optional(),
  text: 'Included airports, comma-separated ICAO codes; empty for all.',
};

/** A product with its price as people write it. */
const shownProduct = ({ priceMinor, otherPrices, ...rest }: SoldProduct) => ({
  ...rest,
  price: toMajor(priceMinor, rest.currency),
  otherPrices: Object.fromEntries(
    Object.entries(otherPrices).map(([code, minor]) => [code, toMajor(minor, code)]),
  ),
});

const currencyCodeSchema = z.string().refine(isCurrency, 'must be a currency of ISO 4217');
const currency = { schema: currencyCodeSchema, text: 'ISO 4217 code.' };

const plan = {
  rank: maybeInteger('Position among the plans that can be changed: a higher one is an upgrade.'),
  'group-package': maybeText('Name of the tier: LITE.'),
  'migration-bonus-days': maybeInteger(
    'Days added when it is bought in exchange for a wallet subscription.',
    0,
  ),
  'other-prices': {
    schema: z
      .string()
      .transform((listed) =>
        Object.fromEntries(
          listed
            .split(',')
            .filter((part) => part.trim() !== '')
            .map((part) => part.split('=').map((side) => side.trim())),
        ),
      )
      .pipe(
        z.record(
          currencyCodeSchema,
          z.string('must be like USD=10.99').regex(/^\d{1,8}(\.\d{1,4})?$/, 'must be like USD=10.99'),
        ),
      )
      .optional(),
    text: 'Prices in further currencies, which the wallet may be paid in: USD=10.99,GBP=8.99; empty for none.',
  },
};

const brieflyProduct = (each: SoldProduct) => ({
  code: each.code,
  title: each.title,
  level: each.level,
  rank: each.rank,
  days: each.durationDays,
  price: `${amountText(each.priceMinor, each.currency)} ${each.currency}`,
  calculations: each.maxCalculation,
  libraryMb: each.libraryQuotaMb,
  storageMb: each.storageQuotaMb,
  checklists: each.maxChecklists,
  active: each.isActive,
});

/** `EFB_PRO_M`: the last letter is the billing period. */
const frequencyOf = (code: string): SoldProduct['frequency'] =>
  code.endsWith('_M') ? 'monthly' : code.endsWith('_Y') ? 'yearly' : 'unknown';

export const product: Noun = {
  name: 'product',
  title: 'Products',
  summary: 'Products: level, allowance, storage and features.',
  kind: 'product',
  verbs: {
    list: view({
      summary: 'Lists all products.',
      flags: {},
      run: async ({ postgres: { db } }) => {
        const products = await productRepo(db).list();
        return { data: { products: products.map(shownProduct) }, table: products.map(brieflyProduct) };
      },
    }),
    show: view({
      summary: 'Shows a product with its features.',
      flags: byCode,
      run: async ({ postgres: { db } }, { code }) => {
        const shown = shownProduct(found(await productRepo(db).byCode(code), `There is no product ${code}.`));
        return { data: { product: shown } };
      },
    }),
    create: verb({
      summary: 'Creates a product; features are switched on with update.',
      flags: {
        code: text('Code, for example EFB_PLUS_M: _M is billed monthly, _Y yearly.'),
        title: text('Title.'),
        level: integer('0 preview, 1 lite, 2 standard, 3 pro.', 0),
        'library-mb': maybeInteger('Library storage in MB; default 0.', 0),
        'storage-mb': maybeInteger(
          'Storage of plans, flight data, checklists and fleet in MB; default 250.',
          0,
        ),
        'max-checklists': maybeInteger('Own checklists of a user; default 100.', 0),
        'duration-days': integer('Days covered by one payment.'),
        price,
        currency: maybe(currency),
        'max-calculation': maybeInteger('Calculations in 30 days; default 0.', 0),
        ...plan,
      },
      run: async (
        tools,
        { 'library-mb': libraryQuotaMb = 0, 'storage-mb': storageQuotaMb = 250, ...values },
      ) => {
        const { price: amount, otherPrices: others, ...fields } = fieldsOf(values);
        const currencyCode = values.currency ?? 'EUR';
        const { priceMinor = 0, otherPrices = {} } = pricesOf(currencyCode, {
          price: amount,
          otherPrices: others,
        });
        const saved = await creating(
          tools,
          'product',
          async (tx) => {
            await productWrites(tx).create({
              groupPackage: null,
              rank: null,
              maxCalculation: 0,
              maxChecklists: 100,
              migrationBonusDays: 0,
              ...fields,
              currency: currencyCode,
              frequency: frequencyOf(values.code),
              priceMinor,
              otherPrices,
              libraryQuotaMb,
              storageQuotaMb,
            });
            return found(await productRepo(tx).byCode(values.code), `There is no product ${values.code}.`);
          },
          ({ code }) => code,
        );
        return { data: { product: shownProduct(saved) } };
      },
    }),
    update: verb({
      summary: 'Changes a product for everyone who has it; omitted flags leave the value unchanged.',
      flags: {
        ...byCode,
        title: maybeText('Title.'),
        level: maybeInteger('0 preview, 1 lite, 2 standard, 3 pro.', 0, 9),
        'duration-days': maybeInteger('Days covered by one payment.', 1, 36_500),
        price: maybe(price),
        currency: maybe(currency),
        'max-calculation': maybeInteger('Calculations in the days of the allowance.', 0),
        'allowance-days': maybeInteger('Days within which the calculations count: 30, or 1.', 1, 30),
        'library-quota-mb': maybeInteger('Library storage in MB.', 0),
        'storage-quota-mb': maybeInteger('Storage of plans, flight data, checklists and fleet in MB.', 0),
        'max-checklists': maybeInteger('Own checklists of a user.', 0),
        'allowed-airports': airports,
        'is-active': maybeYesNo('Can be bought and granted.'),
        ...plan,
        ...features,
      },
      run: async (tools, { code, ...values }) => {
        const { price: amount, 'other-prices': otherPrices, ...others } = values;
        const saved = await tools.change(async (tx) => {
          const before = found(await productRepo(tx).byCode(code), `There is no product ${code}.`);
          const { currency: kept } = before;
          const changed = values.currency ?? kept;
          // The same figure in another currency is the same price to whoever says nothing else.
          const figure = amount ?? (changed === kept ? undefined : amountText(before.priceMinor, kept));
          const prices = pricesOf(changed, { price: figure, otherPrices });
          const after = { ...before, ...fieldsOf(others), ...prices };
          await productWrites(tx).save(after);
          return after;
        });
        return { data: { product: shownProduct(saved) }, notice: 'The product is saved.' };
      },
    }),
  },
};
