import type { Logger } from 'pino';
import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Clock } from '#domain/time.ts';
import { backupRepo } from '#store/postgres/backup/backups.ts';
import { feedStatusRepo } from '#store/postgres/feeds/status.ts';
import { outgoingMailRepo } from '#store/postgres/mail/outgoing.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { gatewayBacklogRepo } from '#store/postgres/subscriptions/gateway-backlog.ts';
import type { Queues } from '#store/queue/types.ts';

interface Sources {
  postgres: Postgres;
  queues: Queues;
  clock: Clock;
  log: Logger;
}

const feedStates = ['up', 'late', 'down', 'seed', 'off'] as const;

/** Seconds since 1970, as Prometheus counts time. */
const unixSeconds = (at: Date): number => at.getTime() / 1_000;

/**
 * The state of the whole service as its database has it. Only the scheduler has these metrics: they would be the
 * same in every process. While the database cannot be read they are absent, and `efb_state_readable` is 0.
 */
export const addStateMetrics = (register: Registry, { postgres, queues, clock, log }: Sources): void => {
  let reading: Promise<void> | undefined;
  /** One reading for all metrics of a scrape. */
  const collect = (): Promise<void> => {
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [register], collect });
  const success = gauge(
    'efb_feed_last_success_timestamp_seconds',
    'Time of the last successful run of a feed; absent before the first.',
    ['feed'],
  );
  const age = gauge('efb_feed_age_seconds', 'Time since the last success of a feed.', ['feed']);
  const failures = gauge('efb_feed_consecutive_failures', 'Failures of a feed since its last success.', [
    'feed',
  ]);
  const state = gauge('efb_feed_state', `1 for the state of the feed, else 0: ${feedStates.join(', ')}.`, [
    'feed',
    'state',
  ]);
  const jobs = gauge('efb_queue_jobs', 'Jobs in the queues: waiting, delayed or active.', [
    'job_name',
    'store',
    'state',
  ]);
  const dead = gauge('efb_queue_dead_letters', 'Jobs that failed for good and wait for the operator.', [
    'job_name',
    'store',
  ]);
  const mails = gauge(
    'efb_mails',
    'Mails that have not been sent by state: waiting, sending, answered or refused. Workers count those that are sent as jobs.',
    ['state'],
  );
  const parked = gauge(
    'efb_gateway_parked_messages',
    'Messages of payment gateways that wait for an account or a product.',
    ['gateway'],
  );
  const orders = gauge(
    'efb_gateway_orders',
    'Orders for payment gateways by state: waiting, or refused for good in the last week with nothing requested since.',
    ['gateway', 'state'],
  );
  const compared = gauge(
    'efb_gateway_comparisons_due',
    'Subscriptions that the nightly comparison with their gateway has not reached yet.',
    ['gateway'],
  );
  const comparedAge = gauge(
    'efb_gateway_comparison_age_seconds',
    'Time since the comparison of the subscription became due that waits longest; 0 when none waits.',
    ['gateway'],
  );
  const backup = gauge(
    'efb_backup_age_seconds',
    'Time since the last backup that was restored on trial; before the first, since the database was created.',
    [],
  );
  const readable = gauge(
    'efb_state_readable',
    '1 when the metrics of feeds, queues and mails could be read for this scrape.',
    [],
  );
  const shown = [
    success,
    age,
    failures,
    state,
    jobs,
    dead,
    mails,
    parked,
    orders,
    compared,
    comparedAge,
    backup,
  ];

  const read = async () => {
    const [feeds, counts, mailCounts, gateways, coveredTo] = await Promise.all([
      feedStatusRepo(postgres.db).reports(clock.now()),
      queues.counts(),
      outgoingMailRepo(postgres.db).unsentCounts(),
      gatewayBacklogRepo(postgres.db).of(clock.now()),
      backupRepo(postgres.db).coveredTo(),
    ]);
    for (const metric of shown) metric.reset();
    backup.set({}, unixSeconds(clock.now()) - unixSeconds(coveredTo));
    for (const { feed, status, lastSuccessAt, consecutiveFailures } of feeds) {
      if (lastSuccessAt) {
        success.set({ feed }, unixSeconds(lastSuccessAt));
        age.set({ feed }, unixSeconds(clock.now()) - unixSeconds(lastSuccessAt));
      }
      failures.set({ feed }, consecutiveFailures);
      for (const name of feedStates) state.set({ feed, state: name }, status === name ? 1 : 0);
    }
    for (const { job, store, waiting, delayed, active, dead: failed } of counts) {
      for (const [name, count] of Object.entries({ waiting, delayed, active }))
        jobs.set({ job_name: job, store, state: name }, count);
      dead.set({ job_name: job, store }, failed);
    }
    for (const [name, count] of Object.entries(mailCounts)) mails.set({ state: name }, count);
    for (const { gateway, comparedSince, ...backlog } of gateways) {
      const { parkedMessages, waitingOrders, refusedOrders, dueComparisons } = backlog;
      parked.set({ gateway }, parkedMessages);
      orders.set({ gateway, state: 'waiting' }, waitingOrders);
      orders.set({ gateway, state: 'refused' }, refusedOrders);
      compared.set({ gateway }, dueComparisons);
      comparedAge.set({ gateway }, comparedSince ? unixSeconds(clock.now()) - unixSeconds(comparedSince) : 0);
    }
  };

  const readAll = async () => {
    try {
      await read();
      readable.set(1);
    } catch (error) {
      log.warn({ err: error }, 'state for metrics could not be read');
      for (const metric of shown) metric.reset();
      readable.set(0);
    }
  };
};
