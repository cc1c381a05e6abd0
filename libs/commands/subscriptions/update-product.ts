import type { Trail } from '#commands/audit/audited.ts';
import { DomainError } from '#domain/errors.ts';
import { toMinor } from '#domain/subscriptions/money.ts';
import { productRepo, productWrites } from '#data/postgres/subscriptions/products.ts';
import type { ProductChange, ProductRow } from '#data/postgres/subscriptions/products.ts';
import type { Tx } from '#data/postgres/sql.ts';

export interface ProductUpdate {
  code: string;
  /** Absent fields stay as they are. */
  change: ProductChange;
  /** As people write it, in the currency of the product. */
  price?: string | undefined;
}

/** Changes a product for everyone who has it. Throws NOT_FOUND. */
export const updateProduct = async (
  tx: Tx,
  { trail }: { trail: Trail },
  { code, change, price }: ProductUpdate,
): Promise<ProductRow> => {
  await trail.changing('product', code);
  const before = await productRepo(tx).byCode(code);
  if (!before) throw new DomainError('NOT_FOUND', {}, `There is no product ${code}.`);
  const changed = { ...before, ...change };
  const priceMinor = price === undefined ? changed.priceMinor : (toMinor(price, changed.currency) ?? 0);
  const after = { ...changed, priceMinor };
  await productWrites(tx).save(after);
  return after;
};
