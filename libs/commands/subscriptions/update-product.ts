import type { Trail } from '#commands/audit/audited.ts';
import { DomainError } from '#domain/errors.ts';
import { amountText } from '#domain/subscriptions/money.ts';
import { productRepo, productWrites } from '#store/postgres/subscriptions/products.ts';
import type { ProductChange, ProductRow } from '#store/postgres/subscriptions/products.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { pricesOf } from '#domain/subscriptions/product-prices.ts';
import type { PriceTexts } from '#domain/subscriptions/product-prices.ts';

export interface ProductUpdate extends PriceTexts {
  code: string;
  /** Absent fields stay as they are. */
  change: Omit<ProductChange, 'priceMinor' | 'otherPrices'>;
}

/** Changes a product for everyone who has it. Throws NOT_FOUND and INVALID_PRICE. */
export const updateProduct = async (
  tx: Tx,
  { trail }: { trail: Trail },
  { code, change, price, otherPrices }: ProductUpdate,
): Promise<ProductRow> => {
  await trail.changing('product', code);
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
