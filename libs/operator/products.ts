import { z } from 'zod';
import { updateProduct } from '#commands/subscriptions/update-product.ts';
import { amountText, isCurrency, toMajor } from '#domain/subscriptions/money.ts';
import type { ProductRow } from '#data/postgres/subscriptions/products.ts';
import { maybeInteger, maybeText, maybeYesNo, text } from './flags.ts';
import { operatorVerb } from './verb.ts';

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

export const price = {
  schema: z
    .string()
    .regex(/^\d{1,8}(\.\d{1,4})?$/, 'must be an amount like 9.99')
    .optional(),
  text: 'Catalogue price.',
};

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

/** Only the given flags; an absent flag leaves its field unchanged. */
const given = (values: Record<string, unknown>): Partial<ProductRow> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()), value]),
  );

/** A product with its price as people write it. */
export const shownProduct = ({ priceMinor, otherPrices, ...row }: ProductRow) => ({
  ...row,
  price: toMajor(priceMinor, row.currency),
  otherPrices: Object.fromEntries(
    Object.entries(otherPrices).map(([code, minor]) => [code, toMajor(minor, code)]),
  ),
});

const currencyCodeSchema = z.string().refine(isCurrency, 'must be a currency of ISO 4217');
export const currency = { schema: currencyCodeSchema.optional(), text: 'ISO 4217 code.' };

export const plan = {
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

export const brieflyProduct = (row: ProductRow) => ({
  code: row.code,
  title: row.title,
  level: row.level,
  rank: row.rank,
  days: row.durationDays,
  price: `${amountText(row.priceMinor, row.currency)} ${row.currency}`,
  calculations: row.maxCalculation,
  libraryMb: row.libraryQuotaMb,
  storageMb: row.storageQuotaMb,
  checklists: row.maxChecklists,
  active: row.isActive,
});

export const updateProductVerb = operatorVerb({
  summary: 'Changes a product for everyone who has it; omitted flags leave the value unchanged.',
  flags: {
    code: text('Code of the product.'),
    title: maybeText('Title.'),
    level: maybeInteger('0 preview, 1 lite, 2 standard, 3 pro.', 0, 9),
    'duration-days': maybeInteger('Days covered by one payment.', 1, 36_500),
    price,
    currency,
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
  run: async ({ change }, { code, ...values }) => {
    const { price: amount, 'other-prices': otherPrices, ...others } = values;
    const update = { code, change: given(others), price: amount, otherPrices };
    const row = await change((tx, trail) => updateProduct(tx, { trail }, update));
    return {
      data: { product: shownProduct(row) },
      table: [brieflyProduct(row)],
      notice: 'The product is saved.',
    };
  },
});
