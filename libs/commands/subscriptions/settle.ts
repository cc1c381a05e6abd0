import { seen, seenCode } from '#domain/subscriptions/agreement.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { subscriptionHistoryWrites } from '#data/postgres/subscriptions/history.ts';
import type { HistoryEntry } from '#data/postgres/subscriptions/history.ts';
import { ledgerRepo } from '#data/postgres/subscriptions/ledger.ts';
import { productRepo } from '#data/postgres/subscriptions/products.ts';
import { subscriptionRecordWrites } from '#data/postgres/subscriptions/records.ts';

export interface Settled {
  /** Of the history; null: none. */
  entry: Pick<HistoryEntry, 'at' | 'source' | 'what'> | null;
  /** What else has changed. */
  set?: Partial<SubscriptionRecord>;
}

/**
 * Stores what users see of a subscription, which follows from what its gateway holds, from the orders that are under
 * way and from the ledger. To be called after every change of these, in the same transaction.
 */
export const settle = async (
  tx: Tx,
  before: SubscriptionRecord,
  { entry, set = {} }: Settled,
): Promise<SubscriptionRecord> => {
  const records = subscriptionRecordWrites(tx);
  const found = { ...((await records.lock(before.id)) ?? before), ...set };
  const code = seenCode(found);
  const named = code === found.product.code ? null : await productRepo(tx).byCode(code);
  const entries = await ledgerRepo(tx).of(before.id);
  const after = seen(found, { entries, product: named ? { ...found.product, ...named } : found.product });
  await records.save(after);
  if (entry) await subscriptionHistoryWrites(tx).add(before.id, entry, before, after);
  return after;
};
