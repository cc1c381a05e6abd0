import { z } from 'zod';
import type { Tx } from '#store/postgres/sql.ts';
import { productRepo, productWrites } from '#store/postgres/subscriptions/products.ts';
import type { SoldProduct } from '#domain/subscriptions/record.ts';
import { DomainError } from '#domain/errors.ts';
import { amountText, exactMinor, isCurrency, toMajor } from '#domain/subscriptions/money.ts';
import { givenOf, integer, maybe, maybeInteger, maybeText, maybeYesNo, row, text } from '../flags.ts';
import { change, found, view } from '../verb.ts';
import type { Noun, ValuesOf } from '../verb.ts';

const mostDays = 36_500;
const priceFlag = {
  schema: z.string().regex(/^\d{1,8}(\.\d{1,4})?$/, 'must be an amount like 9.99'),
  text: 'Catalogue price.',
};
const byCode = { code: row('product', text('Code of the product (product list).')) };
const listOf = (given: string): string[] =>
  given
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

const airports = {
  schema: z
    .string()
    .transform((given) => listOf(given.toUpperCase()))
    .pipe(z.array(z.string().regex(/^[A-Z0-9]{3,4}$/, 'must be ICAO codes')))
    .optional(),
  text: 'Included airports, comma-separated ICAO codes; empty for all.',
};

/** A product with prices in major units. */
const shownProduct = ({ priceMinor, otherPrices, ...rest }: SoldProduct) => ({
  ...rest,
  price: toMajor(priceMinor, rest.currency),
  otherPrices: Object.fromEntries(
    Object.entries(otherPrices).map(([code, minor]) => [code, toMajor(minor, code)]),
  ),
});

const currencyCodeSchema = z.string().refine(isCurrency, 'must be a currency of ISO 4217');
const currencyFlag = { schema: currencyCodeSchema, text: 'ISO 4217 code; default: EUR.' };

const otherPrices = {
  schema: z
    .string()
    .transform((given) => Object.fromEntries(listOf(given).map((part) => part.split(/\s*=\s*/))))
    .pipe(
      z.record(
        currencyCodeSchema,
        z.string('must be like USD=10.99').regex(/^\d{1,8}(\.\d{1,4})?$/, 'must be like USD=10.99'),
      ),
    )
    .optional(),
  text: 'Prices in further currencies for payments by wallet: USD=10.99,GBP=8.99; empty for none.',
};

/** Optional fields of a product. */
const terms = {
  currency: maybe(currencyFlag),
  otherPrices,
  maxCalculation: maybeInteger('Calculations in the days of the allowance; default 0.', 0),
  allowanceDays: maybeInteger('Days within which the calculations count: 30 (default), or 1.', 1, 30),
  libraryQuotaMb: maybeInteger('Library storage in MB; default 0.', 0),
  storageQuotaMb: maybeInteger('Storage of plans, flight data, checklists and fleet in MB; default 250.', 0),
  maxChecklists: maybeInteger('Own checklists of a user; default 100.', 0),
  allowedAirports: airports,
  rank: maybeInteger('Position among the plans that can be changed: a higher one is an upgrade.'),
  groupPackage: maybeText('Name of the tier: LITE.'),
  migrationBonusDays: maybeInteger('Days added when it is bought in exchange for a wallet subscription.', 0),
  isActive: maybeYesNo('Can be bought and granted.'),
  isNotam: maybeYesNo('NOTAMs.'),
  isNnc: maybeYesNo('Non-normal cases.'),
  isMel: maybeYesNo('Minimum equipment list.'),
  isCdl: maybeYesNo('Configuration deviation list.'),
  isMostFav: maybeYesNo('Most favourable runway.'),
  isBalkedLanding: maybeYesNo('Balked landing.'),
  isAllIntersections: maybeYesNo('All intersections.'),
  isCommercial: maybeYesNo('Commercial use.'),
  isFleetDatabase: maybeYesNo('Fleet database.'),
};

/** The last letter in `EFB_PRO_M` is the billing period. */
const frequencyOf = (code: string): SoldProduct['frequency'] =>
  code.endsWith('_M') ? 'monthly' : code.endsWith('_Y') ? 'yearly' : 'unknown';

/** Throws INVALID_PRICE for more decimals than the currency has. */
const minorOf = (amount: string, currency: string): number => {
  const minor = exactMinor(amount, currency);
  if (minor !== null) return minor;
  throw new DomainError('INVALID_PRICE', {}, `${amount} is not an amount in ${currency}.`);
};

/** Changes a product for all its subscribers; omitted fields stay unchanged. */
const save = async (
  tx: Tx,
  code: string,
  { price: amount, otherPrices: prices, ...given }: ValuesOf<typeof terms> & { price?: string | undefined },
) => {
  const before = found(await productRepo(tx).byCode(code), `There is no product ${code}.`);
  const { currency: kept } = before;
  const changed = given.currency ?? kept;
  // With a new currency alone, the price keeps its figure.
  const figure = amount ?? (changed === kept ? undefined : amountText(before.priceMinor, kept));
  const sold = {
    priceMinor: figure === undefined ? undefined : minorOf(figure, changed),
    otherPrices:
      prices &&
      Object.fromEntries(Object.entries(prices).map(([each, major]) => [each, minorOf(major, each)])),
  };
  const after = { ...before, ...givenOf(given), ...givenOf(sold) };
  await productWrites(tx).save(after);
  return { product: shownProduct(after) };
};

export const product: Noun = {
  name: 'product',
  title: 'Products',
  summary: 'Products: level, allowance, storage and features.',
  kind: 'product',
  verbs: {
    list: view({
      summary: 'Lists all products.',
      flags: {},
      run: async ({ db }) => ({
        data: { products: (await productRepo(db).list()).map(shownProduct) },
        columns: {
          products:
            'code title level rank durationDays price currency maxCalculation libraryQuotaMb storageQuotaMb maxChecklists isActive',
        },
      }),
    }),
    show: view({
      summary: 'Shows a product with its features.',
      flags: byCode,
      run: async ({ db }, { code }) => {
        const shown = found(await productRepo(db).byCode(code), `There is no product ${code}.`);
        return { data: { product: shownProduct(shown) } };
      },
    }),
    create: change({
      summary: 'Creates a product.',
      flags: {
        code: text('Code, for example EFB_PLUS_M: _M is billed monthly, _Y yearly.'),
        title: text('Title.'),
        level: integer('0 preview, 1 lite, 2 standard, 3 pro.', 0, 9),
        durationDays: integer('Days covered by one payment.', 1, mostDays),
        price: priceFlag,
        ...terms,
      },
      run: async ({ tx, trail }, { code, title, level, durationDays, price: amount, ...given }) => {
        const { currency: paidIn = 'EUR' } = given;
        const priceMinor = minorOf(amount, paidIn);
        const sold = { code, title, level, durationDays, frequency: frequencyOf(code) };
        await productWrites(tx).create({ ...sold, currency: paidIn, priceMinor, maxCalculation: 0 });
        trail.created('product', code);
        return { data: await save(tx, code, given) };
      },
    }),
    update: change({
      summary: 'Changes a product for all its subscribers; omitted flags leave the value unchanged.',
      flags: {
        ...byCode,
        title: maybeText('Title.'),
        level: maybeInteger('0 preview, 1 lite, 2 standard, 3 pro.', 0, 9),
        durationDays: maybeInteger('Days covered by one payment.', 1, mostDays),
        price: maybe(priceFlag),
        ...terms,
      },
      run: async ({ tx }, { code, ...given }) => ({
        data: await save(tx, code, given),
        notice: 'The product is saved.',
      }),
    }),
  },
};
