import { z } from 'zod';
import { productRepo, productWrites } from '#data/postgres/subscriptions/products.ts';
import type { ProductRow } from '#data/postgres/subscriptions/products.ts';
import { OpsError, verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { maybeInteger, maybeText, maybeYesNo, text } from '../flags.ts';

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
  schema: z
    .string()
    .regex(/^\d{1,8}(\.\d{1,2})?$/, 'must be an amount like 9.99')
    .transform(Number)
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

const briefly = (row: ProductRow) => ({
  code: row.code,
  title: row.title,
  level: row.level,
  days: row.durationDays,
  price: `${row.price.toFixed(2)} ${row.currency}`,
  calculations: row.maxCalculation,
  libraryMb: row.libraryQuotaMb,
  active: row.isActive,
});

export const product: Noun = {
  name: 'product',
  summary: 'Products: level, allowance, storage and features.',
  verbs: {
    list: verb({
      summary: 'Lists all products.',
      flags: {},
      run: async ({ postgres: { db } }) => {
        const products = await productRepo(db).list();
        return { data: { products }, table: products.map(briefly) };
      },
    }),
    update: verb({
      summary: 'Changes a product for everyone who has it; omitted flags leave the value unchanged.',
      flags: {
        code: text('Code of the product.'),
        title: maybeText('Title.'),
        level: maybeInteger('0 preview, 1 lite, 2 standard, 3 pro.', 0),
        'duration-days': maybeInteger('Days covered by one payment.'),
        price,
        currency: {
          schema: z
            .string()
            .regex(/^[A-Z]{3}$/)
            .optional(),
          text: 'ISO 4217 code.',
        },
        'max-calculation': maybeInteger('Calculations in 30 days.', 0),
        'library-quota-mb': maybeInteger('Library storage in MB.', 0),
        'allowed-airports': airports,
        'is-active': maybeYesNo('Can be bought and granted.'),
        ...features,
      },
      run: async ({ postgres }, { code, ...values }) => {
        const row = await postgres.transaction(async (tx) => {
          const before = await productRepo(tx).byCode(code);
          if (!before) throw new OpsError('NOT_FOUND', `There is no product ${code}.`);
          const after = { ...before, ...given(values) };
          await productWrites(tx).save(after);
          return after;
        });
        return { data: { product: row }, table: [briefly(row)] };
      },
    }),
  },
};
