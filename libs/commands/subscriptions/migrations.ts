import type { Deps } from '#commands/deps.ts';
import { carriedDays, worthOfDays } from '#domain/subscriptions/migration.ts';
import { addSeconds } from '#domain/time.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { subscriptionHistoryWrites, ledgerRepo } from '#store/postgres/subscriptions/ledger.ts';
import { migrationIntentWrites } from '#store/postgres/subscriptions/migrations.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { subscriptionRecordWrites } from '#store/postgres/subscriptions/records.ts';
import { orderEnd, orderFromGateway } from './change.ts';
import { addToLedger, settle } from './settle.ts';

/**
 * Completes a migration after its purchase: the remaining days and the bonus extend the new subscription, which must be
 * settled afterwards, and the old one ends. False for an intent that is complete or belongs to another account.
 */
export const completeMigration = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { intentId, id }: { intentId: string; id: number },
): Promise<boolean> => {
  const now = deps.clock.now();
  const records = subscriptionRecordWrites(tx);
  const intents = migrationIntentWrites(tx);
  const intent = await intents.lock(intentId, now);
  const bought = await records.lock(id);
  if (!intent || !bought || intent.userId !== bought.userId) return false;
  // A payment after the intent has expired, or through a superseded link, still carries the days.
  if (intent.state === 'COMPLETED') return false;
  const old = await records.lock(intent.subscriptionId);
  // Days already refunded, or moved by another purchase, cannot be moved again.
  const isCarried =
    old !== null &&
    old.gatewayStatus !== 'Expired' &&
    (await intents.movedTo(intent.subscriptionId)) === null;
  const remainingDays = isCarried ? intent.remainingDays : 0;
  const bonusDays = isCarried ? intent.bonusDays : 0;
  const cause = `Moved from subscription ${intent.subscriptionId}.`;
  const isAny = remainingDays + bonusDays > 0;
  if (isAny)
    await addToLedger(tx, bought, {
      entries: [
        // The days were paid elsewhere and stay if this purchase is refunded; the bonus does not.
        { kind: 'moved', at: now, days: remainingDays, ...worthOfDays(remainingDays, bought.product), cause },
        { kind: 'days', at: now, days: bonusDays, cause },
      ],
    });
  const what = `Moved from subscription ${intent.subscriptionId}: ${remainingDays} days and ${bonusDays} as a bonus.`;
  await subscriptionHistoryWrites(tx).add(id, { at: now, source: 'gateway', what });
  if (old) {
    const reason = 'Moved to another way of payment';
    await orderFromGateway(tx, deps, { subscriptionId: old.id, verb: 'cancel', parameters: { reason } });
    const entry = { at: now, source: 'gateway', what: `Moved to subscription ${id}.` } as const;
    await addToLedger(tx, old, { entries: [{ kind: 'end', at: now, cause: entry.what }] });
    await settle(tx, deps, { before: old, entry, cause: { isMoved: isCarried } });
  }
  await intents.end(intentId, 'COMPLETED', id, now);
  await intents.dropPending(intent.subscriptionId, now);
  return true;
};

/** Takes back days moved to another subscription when the payment behind them is refunded. */
export const takeBackMoved = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { id }: { id: number },
): Promise<void> => {
  const moved = await migrationIntentWrites(tx).movedTo(id);
  const before = moved?.id ? await subscriptionRecordWrites(tx).lock(moved.id) : null;
  if (!moved || !before) return;
  // A millisecond later, so that it sorts after an end found by the same comparison.
  const at = addSeconds(deps.clock.now(), 0.001);
  const then = { ...deps, clock: { now: () => at } };
  const row = (await ledgerRepo(tx).of(before.id)).find(({ kind, days }) => kind === 'moved' && days);
  const from = row?.product ? await productRepo(tx).byCode(row.product.code) : null;
  // At the daily price of its current plan, which may be dearer.
  const days = from ? carriedDays(moved.days, from, before.product) : moved.days;
  const what = `The payment of subscription ${id} was given back, and with it ${days} days.`;
  const entry = {
    kind: 'moved',
    at,
    days: -days,
    amountMinor: -(row?.amountMinor ?? 0),
    cause: what,
  } as const;
  await addToLedger(tx, before, { entries: [entry] });
  const after = await settle(tx, then, { before, entry: { at, source: 'gateway', what } });
  await orderEnd(tx, then, { subscription: after, planCode: after.product.code });
};
