import { setTimeout as sleep } from 'node:timers/promises';
import { recordAttempt } from '#commands/webhooks.ts';
import type { Context } from '#data/context.ts';
import { webhookDeliveryWrites } from '#store/postgres/webhooks/deliveries.ts';
import type { DueDelivery } from '#store/postgres/webhooks/deliveries.ts';
import { sendMessage } from '#data/webhooks/send.ts';
import { addSeconds } from '#domain/time.ts';
import { cronJob } from '../worker-job.ts';

/** Concurrent deliveries; each takes at most 15 s. */
const atOnce = 32;
/** How often new messages are looked for while some are being delivered. */
const lookMs = 1_000;
/** Messages of a killed run are free for another run after this time. */
const leaseSeconds = 60;
/** No delivery starts after this time. */
const runMs = 30_000;

const deliver = async (ctx: Context, delivery: DueDelivery, signal: AbortSignal): Promise<void> => {
  const { config, http, clock, postgres } = ctx;
  const outcome = await sendMessage(delivery, {
    http,
    keys: config.ENCRYPTION_KEYS,
    allowsPrivate: config.WEBHOOKS_TO_PRIVATE_NETWORKS,
    now: clock.now(),
    signal,
  });
  await postgres.transaction((tx) => recordAttempt(tx, ctx, { delivery, outcome, chance: Math.random() }));
};

/** Delivers due messages to applications. One run claims each; receivers get it at least once. */
export default cronJob(
  {
    name: 'webhook.deliver',
    cron: '* * * * *',
    everySeconds: 5,
    timeoutSeconds: leaseSeconds,
    attempts: 1,
  },
  async ({ ctx, signal, log }) => {
    const started = performance.now();
    const running = new Map<number, { owner: number; done: Promise<void> }>();
    let sent = 0;
    let failure: Error | undefined;
    const send = async (delivery: DueDelivery): Promise<void> => {
      try {
        await deliver(ctx, delivery, signal);
      } catch (error) {
        failure ??= error as Error;
      } finally {
        running.delete(delivery.id);
      }
    };
    const claim = (): Promise<DueDelivery[]> => {
      const underWay = Array.from(running.values(), ({ owner }) => owner);
      const now = ctx.clock.now();
      const leaseUntil = addSeconds(now, leaseSeconds);
      return ctx.postgres.transaction(async (tx) => {
        const deliveries = webhookDeliveryWrites(tx);
        await deliveries.endUnheard(now);
        return deliveries.claim(now, { leaseUntil, limit: atOnce - running.size, underWay });
      });
    };
    do {
      const due = running.size < atOnce ? await claim() : [];
      for (const delivery of due) running.set(delivery.id, { owner: delivery.owner, done: send(delivery) });
      sent += due.length;
      const look = sleep(lookMs, undefined, { ref: false });
      if (running.size > 0) await Promise.race([...[...running.values()].map(({ done }) => done), look]);
    } while (running.size > 0 && failure === undefined && performance.now() - started < runMs);
    await Promise.all([...running.values()].map(({ done }) => done));
    signal.throwIfAborted();
    if (failure !== undefined) throw failure;
    if (sent > 0) log.info({ sent }, 'webhooks sent');
  },
);
