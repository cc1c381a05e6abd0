import {
  isReturned,
  missedPayments,
  paymentNotice,
  returnNotice,
  stateNotice,
} from '#domain/subscriptions/compared.ts';
import { GatewayError, gatewayCodes, gatewayKinds } from '#domain/subscriptions/gateway.ts';
import type { GatewayKind, LivePayment } from '#domain/subscriptions/gateway.ts';
import type { GatewayNotice } from '#domain/subscriptions/notice.ts';
import { gatewaySync } from '#domain/jobs/gateway-sync.ts';
import { webhookApply } from '#domain/jobs/webhook-apply.ts';
import { addSeconds } from '#domain/time.ts';
import { applyNotice } from '#commands/subscriptions/apply-notice.ts';
import { comparisonRepo, comparisonWrites } from '#data/postgres/subscriptions/comparisons.ts';
import { gatewayEventRepo } from '#data/postgres/subscriptions/gateway-events.ts';
import { gatewayOrderRepo } from '#data/postgres/subscriptions/gateway-orders.ts';
import { paymentRepo } from '#data/postgres/subscriptions/payments.ts';
import { subscriptionRecordRepo } from '#data/postgres/subscriptions/records.ts';
import { cronJob } from '../cron.ts';
import type { WorkerRun } from '../handle.ts';

/** Gateways list a change some minutes after they made it, and by other clocks. */
const overlapDays = 4;
/** Of a gateway that was never compared. */
const firstLookBackDays = 30;
const daySeconds = 86_400;
const timeoutMs = 60_000;
const batch = 1_000;

type Run = WorkerRun<{ slot: string }>;

interface Comparison extends Run {
  kind: GatewayKind;
  /** Until when the gateway is compared afterwards: not past a change that waits for its order. */
  until: Date;
  counts: { notices: number; applied: number };
}

/** Applies what the gateway says, unless it does not have the newest change of the subscription. */
const apply = async (comparison: Comparison, notices: readonly GatewayNotice[]): Promise<void> => {
  const { ctx, log, kind, payload, counts } = comparison;
  const gateway = gatewayCodes[kind];
  for (const notice of notices) {
    const { reference } = notice;
    const found = await subscriptionRecordRepo(ctx.postgres.db).byReference(gateway, reference);
    const orders = found ? await gatewayOrderRepo(ctx.postgres.db).ofSubscription(found.id) : [];
    const waiting = orders.find(({ state }) => state === 'pending');
    if (waiting) {
      if (waiting.createdAt < comparison.until) comparison.until = waiting.createdAt;
      continue;
    }
    const applied = { gateway, eventId: `reconcile ${payload.slot}`, source: 'reconciliation' } as const;
    const outcome = await ctx.postgres.transaction((tx) => applyNotice(tx, ctx, { ...applied, notice }));
    counts.notices += 1;
    if (outcome.state === 'applied') counts.applied += 1;
    else log.warn({ kind, reference, reason: outcome.reason }, 'not reconciled');
  }
};

/** Payments whose messages never came, and those that were given back without one. */
const missedOf = async (
  { ctx, signal, kind }: Comparison,
  { id, reference }: { id: number; reference: string },
): Promise<{ paid: LivePayment[]; returned: GatewayNotice[] }> => {
  const live = await ctx.gateways[kind].payments(reference, { timeoutMs, signal });
  const missed = missedPayments(live, await paymentRepo(ctx.postgres.db).statuses(id));
  const returned = missed.filter((payment) => isReturned(payment));
  return {
    paid: missed.filter((payment) => !isReturned(payment)),
    returned: returned.map((payment) => returnNotice(reference, payment, ctx.clock.now())),
  };
};

/** What changed since the last comparison, however long ago that was. */
const compareChanges = async (
  comparison: Comparison,
  missed: NonNullable<Run['ctx']['gateways']['card']['missed']>,
): Promise<void> => {
  const { ctx, signal, kind } = comparison;
  const last = await comparisonRepo(ctx.postgres.db).until(gatewayCodes[kind]);
  const since = addSeconds(last ?? ctx.clock.now(), -daySeconds * (last ? overlapDays : firstLookBackDays));
  for (const notice of await missed(since, { timeoutMs, signal })) {
    signal.throwIfAborted();
    const { reference } = notice;
    const found = await subscriptionRecordRepo(ctx.postgres.db).byReference(gatewayCodes[kind], reference);
    // The newest message may have come, and one before it not: the state alone does not show that.
    const { paid, returned } = found
      ? await missedOf(comparison, { id: found.id, reference })
      : { paid: [], returned: [] };
    await apply(comparison, [{ ...notice, payments: [...notice.payments, ...paid] }, ...returned]);
  }
};

/** Of a gateway without a list of changes, one by one, whatever runs here or could still be charged there. */
const compareEach = async (comparison: Comparison): Promise<void> => {
  const { ctx, log, signal, kind } = comparison;
  const failed: string[] = [];
  const now = ctx.clock.now();
  const records = subscriptionRecordRepo(ctx.postgres.db);
  for (const { id, reference } of await records.chargeable(gatewayCodes[kind], now)) {
    signal.throwIfAborted();
    try {
      const live = await ctx.gateways[kind].read(reference, { timeoutMs, signal });
      if (!live) log.warn({ kind, reference }, 'the gateway does not know a subscription');
      const { paid, returned } = await missedOf(comparison, { id, reference });
      const state = live ? [stateNotice(reference, live, ctx.clock.now())] : [];
      const payments = paid.map((payment) => paymentNotice(reference, payment));
      await apply(comparison, [...payments, ...state, ...returned]);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      failed.push(`${reference}: ${error.message}`);
      // Nothing can be asked of a gateway that is away.
      if (error.outcome === 'unavailable') break;
    }
  }
  if (failed.length > 0) throw new GatewayError('unknown', failed.slice(0, 3).join('; '));
};

const compare = async (run: Run, kind: GatewayKind): Promise<void> => {
  const { ctx, log } = run;
  const comparison: Comparison = {
    ...run,
    kind,
    until: ctx.clock.now(),
    counts: { notices: 0, applied: 0 },
  };
  const { missed } = ctx.gateways[kind];
  await (missed ? compareChanges(comparison, missed) : compareEach(comparison));
  const { until, counts } = comparison;
  await ctx.postgres.transaction((tx) => comparisonWrites(tx).note(gatewayCodes[kind], until));
  log.info({ kind, ...counts }, 'gateway reconciled');
};

/** Orders and messages whose jobs are gone get new ones. */
const requeue = async ({ ctx }: Run): Promise<void> => {
  const before = addSeconds(ctx.clock.now(), -3_600);
  const { db } = ctx.postgres;
  for (const orderId of await gatewayOrderRepo(db).pendingSince(before, batch))
    await ctx.postgres.transaction((tx) => ctx.jobs.enqueue(tx, gatewaySync, { orderId }));
  for (const eventId of await gatewayEventRepo(db).waitingSince(before, batch))
    await ctx.postgres.transaction((tx) => ctx.jobs.enqueue(tx, webhookApply, { eventId }));
};

/** Every night each gateway is compared with what is stored here; one that cannot be reached does not stop the others. */
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
