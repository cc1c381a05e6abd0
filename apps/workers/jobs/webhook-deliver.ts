import { recordAttempt } from '#commands/webhooks/record-attempt.ts';
import type { Context } from '#data/context.ts';
import { webhookDeliveryWrites } from '#data/postgres/webhooks/deliveries.ts';
import type { DueDelivery } from '#data/postgres/webhooks/deliveries.ts';
import { sendMessage } from '#data/webhooks/send.ts';
import { addSeconds } from '#domain/time.ts';
import { cronJob } from '../cron.ts';

const everySeconds = 5;
/** At once; each takes at most 15 s. */
const batch = 32;
/** A run that was killed leaves its messages to another one after this time. */
const leaseSeconds = 60;
/** No further batch begins after it. */
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

/** Messages to applications that are due. Each is claimed by one run; its receiver gets it at least once. */
export default cronJob(
  {
    name: 'webhook.deliver',
    cron: '* * * * *',
    atSeconds: Array.from({ length: 60 / everySeconds }, (_, i) => i * everySeconds),
    timeoutSeconds: leaseSeconds,
    attempts: 1,
  },
  async ({ ctx, signal, log }) => {
    const started = performance.now();
    let sent = 0;
    let due: DueDelivery[] = [];
    do {
      signal.throwIfAborted();
      const now = ctx.clock.now();
      due = await ctx.postgres.transaction((tx) =>
        webhookDeliveryWrites(tx).claim(now, addSeconds(now, leaseSeconds), batch),
      );
      const results = await Promise.allSettled(due.map((delivery) => deliver(ctx, delivery, signal)));
      for (const result of results) if (result.status === 'rejected') throw result.reason;
      sent += due.length;
    } while (due.length > 0 && performance.now() - started < runMs);
    if (sent > 0) log.info({ sent }, 'webhooks sent');
  },
);
