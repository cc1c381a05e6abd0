/** What is paid of a subscription, read and added to. */
import { ledgerEntry, periodBefore, planEntry, refundedMinor } from '#domain/subscriptions/entries.ts';
import type { NewEntry } from '#domain/subscriptions/entries.ts';
import type { LedgerEntry } from '#domain/subscriptions/ledger.ts';
import { isCheaperPlan } from '#domain/subscriptions/orders.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { ledgerRepo, ledgerWrites } from '#store/postgres/subscriptions/ledger.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';

/** With the period that was there before the ledger had anything. */
export const paidOf = async (db: ReadDb, subscription: SubscriptionRecord): Promise<LedgerEntry[]> => {
  const entries = await ledgerRepo(db).of(subscription.id);
  return entries.length > 0 ? entries : [periodBefore(subscription)];
};

/** With the cheaper plan that waits for its gateway, since users see it already. */
export const expectedOf = async (
  db: ReadDb,
  { id, orders }: Pick<SubscriptionRecord, 'id' | 'orders'>,
): Promise<LedgerEntry[]> => {
  const entries = await ledgerRepo(db).of(id);
  const order = orders.find(isCheaperPlan);
  const product = order ? await productRepo(db).byCode(order.parameters.targetCode ?? '') : null;
  return order && product ? [...entries, planEntry(order, product)] : entries;
};

/** Returns what is in the ledger then, and what was before. */
export const addToLedger = async (
  tx: Tx,
  subscription: SubscriptionRecord,
  {
    entries,
    isNew = false,
  }: { entries: readonly (Pick<NewEntry, 'kind' | 'at'> & Partial<NewEntry>)[]; isNew?: boolean },
): Promise<Record<'before' | 'after', LedgerEntry[]>> => {
  const { id: subscriptionId, userId, gateway } = subscription;
  const before = isNew ? [] : await ledgerRepo(tx).of(subscriptionId);
  const first = { ...periodBefore(subscription), cause: 'before the ledger' };
  const added = isNew || before.length > 0 ? entries : [first, ...entries];
  for (const { product = null, ...given } of added) {
    const entry = { method: null, cause: null, ...ledgerEntry(given), product };
    if (entry.kind === 'refund') {
      entry.amountMinor = refundedMinor(entry, await ledgerRepo(tx).of(subscriptionId));
      // Parts that arrive after the whole are in it.
      if (entry.amountMinor === 0) continue;
    }
    await ledgerWrites(tx).add({ userId, subscriptionId, gateway }, entry);
  }
  if (added.length === 0) return { before, after: before };
  if ([...before, ...added].some(({ kind }) => kind === 'refund'))
    await ledgerWrites(tx).noteReturned(subscriptionId);
  return { before, after: await ledgerRepo(tx).of(subscriptionId) };
};
