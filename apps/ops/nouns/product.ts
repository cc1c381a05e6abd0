import { createProduct } from '#commands/subscriptions/create-product.ts';
import { productRepo } from '#data/postgres/subscriptions/products.ts';
import { integer, maybeInteger, text } from '#operator/flags.ts';
import {
  brieflyProduct,
  currency,
  plan,
  price,
  shownProduct,
  updateProductVerb,
} from '#operator/products.ts';
import { verb } from '../command.ts';
import type { Noun } from '../command.ts';

export const product: Noun = {
  name: 'product',
  summary: 'Products: level, allowance, storage and features.',
  verbs: {
    list: verb({
      summary: 'Lists all products.',
      flags: {},
      run: async ({ postgres: { db } }) => {
        const products = await productRepo(db).list();
        return { data: { products: products.map(shownProduct) }, table: products.map(brieflyProduct) };
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
        price: { schema: price.schema.unwrap(), text: price.text },
        currency,
        'max-calculation': maybeInteger('Calculations in 30 days; default 0.', 0),
        ...plan,
      },
      run: async ({ change }, values) => {
        const { code, title, level, price: amount, currency: paidIn = 'EUR' } = values;
        const fields = {
          code,
          title,
          level,
          price: amount,
          currency: paidIn,
          otherPrices: values['other-prices'],
          groupPackage: values['group-package'] ?? null,
          rank: values.rank ?? null,
          durationDays: values['duration-days'],
          maxCalculation: values['max-calculation'] ?? 0,
          libraryQuotaMb: values['library-mb'] ?? 0,
          storageQuotaMb: values['storage-mb'] ?? 250,
          maxChecklists: values['max-checklists'] ?? 100,
          migrationBonusDays: values['migration-bonus-days'] ?? 0,
        };
        const row = await change((tx, trail) => createProduct(tx, { trail }, fields));
        return { data: { product: shownProduct(row) }, table: [brieflyProduct(row)] };
      },
    }),
    update: updateProductVerb,
  },
};
