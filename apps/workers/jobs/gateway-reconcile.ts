import { GatewayError, gatewayCodes, gatewayKinds } from '#domain/subscriptions/gateway.ts';
import type { GatewayKind } from '#domain/subscriptions/gateway.ts';
import { gatewaySync } from '#domain/jobs/gateway-sync.ts';
import { webhookApply } from '#domain/jobs/webhook-apply.ts';
import { addSeconds } from '#domain/time.ts';
import { applyNotice } from '#commands/subscriptions/apply-notice.ts';
import { gatewayEventRepo } from '#data/postgres/subscriptions/gateway-events.ts';
import { gatewayOrderRepo } from '#data/postgres/subscriptions/gateway-orders.ts';
import { subscriptionRecordRepo } from '#data/postgres/subscriptions/records.ts';
import { cronJob } from '../cron.ts';
import type { WorkerRun } from '../handle.ts';

/** Longer than gateways repeat a message, so that nothing is lost in an outage of any length. */
const lookBackDays = 4;
const daySeconds = 86_400;
const timeoutMs = 60_000;
const batch = 1_000;

type Run = WorkerRun<{ slot: string }>;

/** What the gateway says, without subscriptions that it does not have the newest change of. */
const compare = async ({ ctx, log, signal, payload }: Run, kind: GatewayKind): Promise<void> => {
  const gateway = gatewayCodes[kind];
  const since = addSeconds(ctx.clock.now(), -lookBackDays * daySeconds);
  const notices = await ctx.gateways[kind].missed(since, { timeoutMs, signal });
  let applied = 0;
  for (const notice of notices) {
    if (signal.aborted) return;
    const found = await subscriptionRecordRepo(ctx.postgres.db).byReference(gateway, notice.reference);
    const orders = found ? await gatewayOrderRepo(ctx.postgres.db).ofSubscription(found.id) : [];
    if (orders.some(({ state }) => state === 'pending')) continue;
    const eventId = `reconcile ${payload.slot}`;
    const outcome = await ctx.postgres.transaction((tx) =>
      applyNotice(tx, ctx, { gateway, eventId, notice, source: 'reconciliation' }),
    );
    if (outcome.state === 'applied') applied += 1;
    else log.warn({ kind, reference: notice.reference, reason: outcome.reason }, 'not reconciled');
  }
  log.info({ kind, notices: notices.length, applied }, 'gateway reconciled');
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
  { name: 'gateway.reconcile', cron: '23 2 * * *', timeoutSeconds: 900 },
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
