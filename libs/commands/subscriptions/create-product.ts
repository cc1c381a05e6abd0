import type { Trail } from '#commands/audit/audited.ts';
import { DomainError } from '#domain/errors.ts';
import { productRepo, productWrites } from '#store/postgres/subscriptions/products.ts';
import type { NewProduct, ProductRow } from '#store/postgres/subscriptions/products.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { pricesOf } from '#domain/subscriptions/product-prices.ts';
import type { PriceTexts } from '#domain/subscriptions/product-prices.ts';

/** `EFB_PRO_M`: the last letter is the billing period. */
const frequencyOf = (code: string): ProductRow['frequency'] =>
  code.endsWith('_M') ? 'monthly' : code.endsWith('_Y') ? 'yearly' : 'unknown';

/** A product that can be sold. Throws PRODUCT_EXISTS and INVALID_PRICE. */
export const createProduct = async (
  tx: Tx,
  { trail }: { trail: Trail },
  given: Omit<NewProduct, 'frequency' | 'priceMinor' | 'otherPrices'> & PriceTexts & { price: string },
): Promise<ProductRow> => {
  const { price, otherPrices, ...fields } = given;
  const { priceMinor = 0, ...prices } = pricesOf(given.currency, { price, otherPrices });
  await productWrites(tx).create({
    ...fields,
    frequency: frequencyOf(given.code),
    priceMinor,
    otherPrices: prices.otherPrices ?? {},
  });
  trail.created('product', given.code);
  const row = await productRepo(tx).byCode(given.code);
  if (!row) throw new DomainError('NOT_FOUND', {}, `There is no product ${given.code}.`);
  return row;
};
