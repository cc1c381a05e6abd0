/** What is paid of a subscription, read and added to. */
import { ledgerEntry, periodBefore } from '#domain/subscriptions/ledger.ts';
import type { LedgerEntry } from '#domain/subscriptions/ledger.ts';
import type { GatewayNotice, NoticePayment } from '#domain/subscriptions/notice.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { ReadDb, Tx } from '#data/postgres/sql.ts';
import { ledgerRepo, ledgerWrites } from '#data/postgres/subscriptions/ledger.ts';
import type { NewEntry } from '#data/postgres/subscriptions/ledger.ts';

/** With the period that was there before the ledger had anything. */
export const paidOf = async (db: ReadDb, subscription: SubscriptionRecord): Promise<LedgerEntry[]> => {
  const entries = await ledgerRepo(db).of(subscription.id);
  return entries.length > 0 ? entries : [periodBefore(subscription)];
};

export const addToLedger = async (
  tx: Tx,
  subscription: SubscriptionRecord,
  {
    entries,
    isNew = false,
  }: { entries: readonly (Pick<NewEntry, 'kind' | 'at'> & Partial<NewEntry>)[]; isNew?: boolean },
): Promise<void> => {
  const { id: subscriptionId, userId, gateway } = subscription;
  const isFirst = !isNew && (await ledgerRepo(tx).of(subscriptionId)).length === 0;
  const before = { ...periodBefore(subscription), cause: 'before the ledger' };
  for (const { product = null, ...entry } of isFirst ? [before, ...entries] : entries)
    await ledgerWrites(tx).add(
      { userId, subscriptionId, gateway },
      { method: null, cause: null, ...ledgerEntry(entry), product },
    );
};

const isBack = ({ kind, status }: NoticePayment): boolean =>
  kind === 'payment' && (status === 'REFUNDED' || status === 'REVERSED');

/** True when the notice says that a payment was made: then the end that it names is that of the payment. */
export const isPaid = ({ set, payments }: GatewayNotice): boolean =>
  set.intent === 'Running' &&
  payments.some(({ kind, status }) => kind === 'payment' && status === 'COMPLETED');

export const isGivenBack = ({ payments }: GatewayNotice): boolean => payments.some(isBack);

/** The payments of a notice as entries. */
export const reportsOf = (
  notice: GatewayNotice,
  product: { code: string },
): (Pick<NewEntry, 'kind' | 'at'> & Partial<NewEntry>)[] =>
  notice.payments.map(({ paidAt, ofTransactionId, ...payment }) => ({
    ...payment,
    at: paidAt,
    reportedAt: notice.occurredAt,
    ofTransactionId: payment.kind === 'refund' ? (ofTransactionId ?? payment.transactionId) : null,
    product: payment.kind === 'payment' ? product : null,
    endsAt: payment.status === 'COMPLETED' && isPaid(notice) ? (notice.set.endsAt ?? null) : null,
    backAt: isBack({ paidAt, ...payment }) ? (notice.set.endsAt ?? null) : null,
    cause: notice.what,
  }));
