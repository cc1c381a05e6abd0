import type { JobProducer } from '#domain/jobs/port.ts';
import { seen, seenCode } from '#domain/subscriptions/agreement.ts';
import { hasAccess, newsOf, subscriptionMail } from '#domain/subscriptions/mails.ts';
import type { Cause } from '#domain/subscriptions/mails.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { subscriptionHistoryWrites } from '#store/postgres/subscriptions/history.ts';
import type { HistoryEntry } from '#store/postgres/subscriptions/history.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { subscriptionRecordRepo, subscriptionRecordWrites } from '#store/postgres/subscriptions/records.ts';
import { publishEvent } from '#commands/webhooks/publish-event.ts';
import { queueMail } from '#commands/mail/queue-mail.ts';
import { expectedOf } from './ledger.ts';

export interface SettleDeps {
  clock: Clock;
  jobs: JobProducer<Tx>;
}

export interface Settled {
  /** Of the history; null: none. */
  entry: Pick<HistoryEntry, 'at' | 'source' | 'what'> | null;
  /** What else has changed. */
  set?: Partial<SubscriptionRecord>;
  /** Of the mails, where the change does not say. */
  cause?: Cause;
  /** No user has seen it before. */
  isNew?: boolean;
}

/** What the event of a change tells differs. */
const isSeenChanged = (before: SubscriptionRecord, after: SubscriptionRecord): boolean =>
  before.product.code !== after.product.code ||
  before.hadAccess !== after.hadAccess ||
  before.autoRenew !== after.autoRenew ||
  before.startsAt.getTime() !== after.startsAt.getTime() ||
  before.endsAt.getTime() !== after.endsAt.getTime();

/**
 * Stores what users see of a subscription, which follows from what its gateway holds, from the orders that are under
 * way and from the ledger, and mails them what has changed. To be called after every change of these, in the same
 * transaction, which has locked the subscription.
 */
export const settle = async (
  tx: Tx,
  { clock, jobs }: SettleDeps,
  { before, entry, set = {}, cause = {}, isNew = false }: Settled & { before: SubscriptionRecord },
): Promise<SubscriptionRecord> => {
  const now = clock.now();
  const records = subscriptionRecordWrites(tx);
  const found = { ...((await subscriptionRecordRepo(tx).byId(before.id)) ?? before), ...set };
  const entries = await expectedOf(tx, found);
  const code = seenCode(found, entries);
  const named = code === found.product.code ? null : await productRepo(tx).byCode(code);
  const product = named ? { ...found.product, ...named } : found.product;
  const shown = seen(found, { entries, product, now });
  const after = { ...shown, hadAccess: hasAccess(shown, now) };
  await records.save(after);
  if (entry) await subscriptionHistoryWrites(tx).add(before.id, entry, isNew ? null : before, after);
  if (isNew || isSeenChanged(before, after)) {
    const { userId, id: subscriptionId, hadAccess, autoRenew, startsAt, endsAt } = after;
    const times = { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
    const data = {
      userId,
      subscriptionId,
      productCode: after.product.code,
      hasAccess: hadAccess,
      autoRenew,
      ...times,
    };
    await publishEvent(tx, { clock }, { event: 'subscription.changed', data });
  }
  for (const news of newsOf(isNew ? null : before, after, cause, now)) {
    const key = `subscription-${before.id}-${news.event}-${news.fact ?? (await records.changeId())}`;
    await queueMail(
      tx,
      { jobs },
      { ...subscriptionMail(news, after), key, to: after.accountEmail, createdAt: now },
    );
  }
  return after;
};
