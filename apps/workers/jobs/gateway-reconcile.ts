import { comparedNotices, knownPayments } from '#domain/subscriptions/compared.ts';
import {
  GatewayError,
  InvalidSignatureError,
  gatewayCodes,
  gatewayKinds,
  isUnshown,
} from '#domain/subscriptions/gateway.ts';
import type { CallOptions, GatewayKind } from '#domain/subscriptions/gateway.ts';
import type { GatewayNotice, NoticePayment } from '#domain/subscriptions/notice.ts';
import { gatewaySync, webhookApply } from '#domain/jobs/contracts.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import { cancelSubscription } from '#commands/subscriptions/by-operator.ts';
import { applyNotice } from '#commands/subscriptions/apply-notice.ts';
import { receiveEvent } from '#commands/subscriptions/messages.ts';
import { settleRefunds, unansweredRefunds } from '#commands/subscriptions/refund.ts';
import { comparisonRepo, comparisonWrites } from '#store/postgres/subscriptions/comparisons.ts';
import { gatewayBacklogRepo, gatewayOrderRepo } from '#store/postgres/subscriptions/gateway-orders.ts';
import { gatewayEventRepo } from '#store/postgres/subscriptions/gateway-events.ts';
import type { GatewayOrder } from '#store/postgres/subscriptions/gateway-orders.ts';
import { paymentRepo } from '#store/postgres/subscriptions/ledger.ts';
import { refundRequestRepo } from '#store/postgres/subscriptions/refund-requests.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import { cronJob } from '../worker-job.ts';
import type { WorkerRun } from '../worker-job.ts';

/** Gateways list changes minutes late, and by other clocks. */
const overlapDays = 4;
/** For a gateway that was never compared before. */
const firstLookBackDays = 30;
const timeoutMs = 60_000;
const batch = 1_000;
/** Interval between attempts to cancel the renewal of a disabled account, each with its mails. */
const refusedDays = 7;

type Run = WorkerRun<{ slot: string }>;

interface Comparison extends Run {
  kind: GatewayKind;
  options: CallOptions;
  counts: { calls: number; compared: number; applied: number };
}

/** Applies the gateway's state; false if it lacks the subscription's newest change. */
const apply = async (
  { ctx, log, kind, payload, counts }: Comparison,
  id: number | null,
  notices: readonly GatewayNotice[],
): Promise<boolean> => {
  const { db } = ctx.postgres;
  for (const notice of notices) {
    const orders = id === null ? [] : await gatewayOrderRepo(db).ofSubscription(id);
    const isOpen = ({ state, endedAt }: GatewayOrder) =>
      state === 'pending' || (state === 'done' && isUnshown(endedAt, ctx.clock.now()));
    if (orders.some((order) => isOpen(order))) return false;
    // The event id sorts before those of orders of the same millisecond.
    const applied = { gateway: gatewayCodes[kind], eventId: `compared ${payload.slot}`, notice };
    const outcome = await ctx.postgres.transaction((tx) =>
      applyNotice(tx, ctx, { ...applied, source: 'reconciliation' }),
    );
    if (outcome.state === 'applied') counts.applied += 1;
    else log.warn({ kind, reference: notice.reference, reason: outcome.reason }, 'not reconciled');
  }
  return true;
};

/** Compares one subscription; false while the gateway does not have its newest change yet. */
const compareOne = async (comparison: Comparison, reference: string): Promise<boolean> => {
  const { ctx, log, kind, options } = comparison;
  const { db, transaction } = ctx.postgres;
  const gateway = ctx.gateways[kind];
  const found = await subscriptionRecordRepo(db).byReference(gatewayCodes[kind], reference);
  const stored = found
    ? await paymentRepo(db).statuses(found.id)
    : new Map<string, NoticePayment['status']>();
  const unanswered = found ? await unansweredRefunds(db, ctx, found.id) : [];
  const known = knownPayments(stored);
  // Read again until a report or a comparison shows the refund, whose message may be lost.
  for (const { transactionId, state } of found ? await refundRequestRepo(db).ofSubscription(found.id) : [])
    if (state !== 'refused' && stored.get(transactionId) === 'COMPLETED') known.delete(transactionId);
  const live = await gateway.read(reference, options);
  if (!live) log.warn({ kind, reference }, 'the gateway does not know a subscription');
  // The newest message may have arrived without an earlier one, which the state alone does not show.
  const payments = await gateway.payments(reference, { ...options, known });
  const said = { reference, live: live?.notice ?? null, payments };
  const notices = comparedNotices(said, stored, ctx.clock.now());
  if (!(await apply(comparison, found?.id ?? null, notices))) return false;
  // Run afterwards, since the payments show what became of pending refunds.
  if (found && unanswered.length > 0)
    await transaction((tx) => settleRefunds(tx, ctx, { subscriptionId: found.id, payments }));
  return true;
};

/** Adds subscriptions changed since the last list, however long ago; all of them if the gateway has no list. */
const addDue = async ({ ctx, signal, kind }: Comparison): Promise<void> => {
  const { postgres, gateways, clock } = ctx;
  const gateway = gatewayCodes[kind];
  const now = clock.now();
  const last = await comparisonRepo(postgres.db).until(gateway);
  const since = addSeconds(last ?? now, -daySeconds * (last ? overlapDays : firstLookBackDays));
  const { references, messages } = await gateways[kind].missed(since, { timeoutMs, signal });
  for (const { event, body } of messages) {
    const verified = await gateways[kind].messages[event]?.verify(body, now).catch((error: unknown) => {
      if (!(error instanceof InvalidSignatureError)) throw error;
      throw new GatewayError('unknown', `it lists a message that it did not sign: ${error.message}`);
    });
    const received = { gateway, event, raw: body, receivedAt: now };
    if (verified) await postgres.transaction((tx) => receiveEvent(tx, ctx, { ...received, ...verified }));
  }
  await postgres.transaction(async (tx) => {
    await comparisonWrites(tx).addDue(gateway, references, now);
    await comparisonWrites(tx).note(gateway, now);
  });
};

/** Compares the longest waiting first, until the run's calls are used up. */
const compare = async (run: Run, kind: GatewayKind): Promise<void> => {
  const { ctx, log, signal } = run;
  const { postgres, clock } = ctx;
  const maxCalls = ctx.config.GATEWAY_COMPARISON_CALLS;
  const counts = { calls: 0, compared: 0, applied: 0 };
  const called = (): void => {
    counts.calls += 1;
  };
  const comparison: Comparison = { ...run, kind, counts, options: { timeoutMs, signal, called } };
  const gateway = gatewayCodes[kind];
  await addDue(comparison);
  const failed: string[] = [];
  for (const reference of await comparisonRepo(postgres.db).due(gateway, maxCalls)) {
    if (counts.calls >= maxCalls) break;
    signal.throwIfAborted();
    let isDone = false;
    try {
      isDone = await compareOne(comparison, reference);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      failed.push(`${reference}: ${error.message}`);
      // The gateway is unavailable, so nothing more can be compared.
      if (error.outcome === 'unavailable') break;
    }
    if (isDone) counts.compared += 1;
    await postgres.single((tx) =>
      isDone
        ? comparisonWrites(tx).done(gateway, reference)
        : comparisonWrites(tx).postpone(gateway, reference, clock.now()),
    );
  }
  const backlog = await gatewayBacklogRepo(postgres.db).of(clock.now());
  const { dueComparisons: left, comparedSince: since } = backlog.find((one) => one.gateway === gateway) ?? {};
  log.info({ kind, ...counts, left, since }, 'gateway reconciled');
  if (failed.length > 0) throw new GatewayError('unknown', failed.slice(0, 3).join('; '));
};

/** Re-enqueues orders and messages whose jobs are gone, and cancellations for disabled accounts that were refused. */
const requeue = async ({ ctx }: Run): Promise<void> => {
  const before = addSeconds(ctx.clock.now(), -3_600);
  const { db } = ctx.postgres;
  for (const orderId of await gatewayOrderRepo(db).pendingSince(before, batch))
    await ctx.postgres.transaction((tx) => ctx.jobs.enqueue(tx, gatewaySync, { orderId }));
  for (const eventId of await gatewayEventRepo(db).waitingSince(before, batch))
    await ctx.postgres.transaction((tx) => ctx.jobs.enqueue(tx, webhookApply, { eventId }));
  // A disabled user cannot ask again.
  const refusedBefore = addSeconds(ctx.clock.now(), -refusedDays * daySeconds);
  for (const id of await gatewayOrderRepo(db).refusedStops(refusedBefore, batch))
    await ctx.postgres.transaction((tx) => cancelSubscription(tx, ctx, { id, immediately: false }));
};

/** Compares each gateway with the stored state every night; an unavailable one does not stop the others. */
export default cronJob(
  { name: 'gateway.reconcile', cron: '23 2 * * *', timeoutSeconds: 3_600 },
  async (run) => {
    await requeue(run);
    const failed: string[] = [];
    for (const kind of gatewayKinds) {
      if (!run.ctx.gateways[kind].isConfigured) continue;
      try {
        await compare(run, kind);
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        failed.push(`${kind}: ${error.message}`);
      }
    }
    if (failed.length > 0) throw new Error(`not reconciled: ${failed.join('; ')}`);
  },
);
