import type { JobProducer } from '#domain/jobs/port.ts';
import { addSeconds } from '#domain/time.ts';
import type { Clock } from '#domain/time.ts';
import { clockOf } from '#domain/subscriptions/notice.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { migrationIntentWrites } from '#data/postgres/subscriptions/migrations.ts';
import { subscriptionHistoryWrites } from '#data/postgres/subscriptions/history.ts';
import { subscriptionRecordWrites } from '#data/postgres/subscriptions/records.ts';
import { orderFromGateway } from './change.ts';

/**
 * The purchase of a migration was made: the days of the old subscription and the bonus extend the new one, and the old
 * one ends. Does nothing for an intent that is complete, cancelled, or of another account.
 */
export const completeMigration = async (
  tx: Tx,
  deps: { clock: Clock; jobs: JobProducer<Tx> },
  { intentId, id }: { intentId: string; id: number },
): Promise<void> => {
  const now = deps.clock.now();
  const records = subscriptionRecordWrites(tx);
  const intents = migrationIntentWrites(tx);
  const intent = await intents.lock(intentId, now);
  const bought = await records.lock(id);
  if (!intent || !bought || intent.userId !== bought.userId) return;
  // A purchase that was paid after the time of the intent still carries the days.
  if (intent.state !== 'PENDING' && intent.state !== 'EXPIRED') return;
  const old = await records.lock(intent.subscriptionId);
  // Days that were given back as money, or moved by another purchase, are no longer there.
  const isCarried =
    old !== null && old.gatewayStatus !== 'Expired' && !(await intents.isMoved(intent.subscriptionId));
  const remainingDays = isCarried ? intent.remainingDays : 0;
  const bonusDays = isCarried ? intent.bonusDays : 0;
  const days = remainingDays + bonusDays;
  const endsAt = addSeconds(bought.endsAt, days * 86_400);
  const clock = clockOf(now, 'local');
  const extended = { ...bought, endsAt, clocks: { ...bought.clocks, endsAt: clock } };
  await records.save(extended);
  const history = subscriptionHistoryWrites(tx);
  const what = `Moved from subscription ${intent.subscriptionId}: ${remainingDays} days and ${bonusDays} as a bonus.`;
  await history.add(id, { at: now, source: 'gateway', what }, bought, extended);
  const parameters = { endsAt: endsAt.toISOString() };
  await orderFromGateway(tx, deps, { subscriptionId: id, verb: 'extend', parameters, isInline: false });
  if (old) {
    const ended = {
      ...old,
      gatewayStatus: 'Cancelled' as const,
      intent: 'Cancelled' as const,
      autoRenew: false,
      endsAt: old.endsAt < now ? old.endsAt : now,
      clocks: { ...old.clocks, intent: clock, autoRenew: clock, endsAt: clock },
    };
    await records.save(ended);
    const moved = { at: now, source: 'gateway', what: `Moved to subscription ${id}.` } as const;
    await history.add(old.id, moved, old, ended);
    const reason = 'Moved to another way of payment';
    const order = {
      subscriptionId: old.id,
      verb: 'cancel',
      parameters: { reason },
      isInline: false,
    } as const;
    await orderFromGateway(tx, deps, order);
  }
  await intents.end(intentId, 'COMPLETED', id, now);
};
