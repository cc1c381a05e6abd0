import { DomainError } from '#domain/errors.ts';
import { amountText } from '#domain/subscriptions/money.ts';
import { pricesOf } from '#domain/subscriptions/product-prices.ts';
import type { PriceTexts } from '#domain/subscriptions/product-prices.ts';
import type { SoldProduct } from '#domain/subscriptions/record.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { productRepo, productWrites } from '#store/postgres/subscriptions/products.ts';
import type { NewProduct, ProductChange } from '#store/postgres/subscriptions/products.ts';

/** `EFB_PRO_M`: the last letter is the billing period. */
const frequencyOf = (code: string): SoldProduct['frequency'] =>
  code.endsWith('_M') ? 'monthly' : code.endsWith('_Y') ? 'yearly' : 'unknown';

/** A product that can be sold. Throws PRODUCT_EXISTS and INVALID_PRICE. */
export const createProduct = async (
  tx: Tx,
  _deps: object,
  given: Omit<NewProduct, 'frequency' | 'priceMinor' | 'otherPrices'> & PriceTexts & { price: string },
): Promise<SoldProduct> => {
  const { price, otherPrices, ...fields } = given;
  const { priceMinor = 0, ...prices } = pricesOf(given.currency, { price, otherPrices });
  await productWrites(tx).create({
    ...fields,
    frequency: frequencyOf(given.code),
    priceMinor,
    otherPrices: prices.otherPrices ?? {},
  });
  const row = await productRepo(tx).byCode(given.code);
  if (!row) throw new DomainError('NOT_FOUND', {}, `There is no product ${given.code}.`);
  return row;
};

interface ProductUpdate extends PriceTexts {
  code: string;
  /** Absent fields stay as they are. */
  change: Omit<ProductChange, 'priceMinor' | 'otherPrices'>;
}

/** Changes a product for everyone who has it. Throws NOT_FOUND and INVALID_PRICE. */
export const updateProduct = async (
  tx: Tx,
  _deps: object,
  { code, change, price, otherPrices }: ProductUpdate,
): Promise<SoldProduct> => {
  const before = await productRepo(tx).byCode(code);
  if (!before) throw new DomainError('NOT_FOUND', {}, `There is no product ${code}.`);
  const currency = change.currency ?? before.currency;
  // The same figure in another currency is the same price to whoever says nothing else.
  const said =
    price ?? (currency === before.currency ? undefined : amountText(before.priceMinor, before.currency));
  const after = { ...before, ...change, ...pricesOf(currency, { price: said, otherPrices }) };
  await productWrites(tx).save(after);
  return after;
};
