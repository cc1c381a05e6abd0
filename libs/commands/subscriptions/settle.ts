/** Updates a subscription from its ledger, the gateway's state and pending orders. */
import type { Deps } from '#commands/deps.ts';
import { effectiveSubscription, effectiveProductCode } from '#domain/subscriptions/agreement.ts';
import { ledgerEntry, periodBefore, planEntry, refundedMinor } from '#domain/subscriptions/entries.ts';
import type { NewEntry } from '#domain/subscriptions/entries.ts';
import type { LedgerEntry } from '#domain/subscriptions/paid-periods.ts';
import { hasAccess, newsOf, subscriptionMail } from '#domain/subscriptions/mails.ts';
import type { Cause } from '#domain/subscriptions/mails.ts';
import { isCheaperPlan } from '#domain/subscriptions/orders.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { subscriptionHistoryWrites, ledgerRepo, ledgerWrites } from '#store/postgres/subscriptions/ledger.ts';
import type { HistoryEntry } from '#store/postgres/subscriptions/ledger.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { subscriptionRecordRepo, subscriptionRecordWrites } from '#store/postgres/subscriptions/records.ts';
import { queueMail } from '../mail.ts';
import { publishEvent } from '../webhooks.ts';

/** The ledger; for a subscription without entries, the period that it was stored with. */
export const paidOf = async (db: ReadDb, subscription: SubscriptionRecord): Promise<LedgerEntry[]> => {
  const entries = await ledgerRepo(db).of(subscription.id);
  return entries.length > 0 ? entries : [periodBefore(subscription)];
};

/** The ledger with an unconfirmed cheaper plan, since users already see it. */
const expectedOf = async (
  db: ReadDb,
  { id, orders }: Pick<SubscriptionRecord, 'id' | 'orders'>,
): Promise<LedgerEntry[]> => {
  const entries = await ledgerRepo(db).of(id);
  const order = orders.find(isCheaperPlan);
  const product = order ? await productRepo(db).byCode(order.parameters.targetCode ?? '') : null;
  return order && product ? [...entries, planEntry(order, product)] : entries;
};

/** Adds entries and returns the ledger before and after. */
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
      // Partial refunds that arrive after a full one are included in it.
      if (entry.amountMinor === 0) continue;
    }
    await ledgerWrites(tx).add({ userId, subscriptionId, gateway }, entry);
  }
  if (added.length === 0) return { before, after: before };
  if ([...before, ...added].some(({ kind }) => kind === 'refund'))
    await ledgerWrites(tx).noteReturned(subscriptionId);
  return { before, after: await ledgerRepo(tx).of(subscriptionId) };
};

interface Settled {
  /** For the history; null: none. */
  entry: Pick<HistoryEntry, 'at' | 'source' | 'what'> | null;
  /** Fields to change, besides what follows from the ledger. */
  set?: Partial<SubscriptionRecord>;
  /** The reason for a mail, if the change does not show it. */
  cause?: Cause;
  /** True for a subscription that no user has seen yet. */
  isNew?: boolean;
}

/** What the webhook event reports. */
const eventOf = (subscription: SubscriptionRecord & { hadAccess: boolean }) => ({
  userId: subscription.userId,
  subscriptionId: subscription.id,
  productCode: subscription.product.code,
  hasAccess: subscription.hadAccess,
  autoRenew: subscription.autoRenew,
  startsAt: subscription.startsAt.toISOString(),
  endsAt: subscription.endsAt.toISOString(),
});

/**
 * Stores what users see of a subscription, derived from the gateway's state, pending orders and the ledger, and mails
 * what has changed. To be called after each change of these, within the same transaction, which has locked the
 * subscription.
 */
export const settle = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { before, entry, set = {}, cause = {}, isNew = false }: Settled & { before: SubscriptionRecord },
): Promise<SubscriptionRecord> => {
  const now = deps.clock.now();
  const records = subscriptionRecordWrites(tx);
  const found = { ...((await subscriptionRecordRepo(tx).byId(before.id)) ?? before), ...set };
  const entries = await expectedOf(tx, found);
  const code = effectiveProductCode(found, entries);
  const named = code === found.product.code ? null : await productRepo(tx).byCode(code);
  const product = named ? { ...found.product, ...named } : found.product;
  const shown = effectiveSubscription(found, { entries, product, now });
  const after = { ...shown, hadAccess: hasAccess(shown, now) };
  await records.save(after);
  if (entry) await subscriptionHistoryWrites(tx).add(before.id, entry, isNew ? null : before, after);
  const data = eventOf(after);
  const { hadAccess } = before;
  const reported = isNew || hadAccess === null ? null : eventOf({ ...before, hadAccess });
  if (JSON.stringify(reported) !== JSON.stringify(data))
    await publishEvent(tx, deps, { event: 'subscription.changed', data });
  for (const news of newsOf(isNew ? null : before, after, cause, now)) {
    const key = `subscription-${before.id}-${news.event}-${news.fact ?? (await records.changeId())}`;
    await queueMail(tx, deps, {
      ...subscriptionMail(news, after),
      key,
      to: after.accountEmail,
      createdAt: now,
    });
  }
  return after;
};
