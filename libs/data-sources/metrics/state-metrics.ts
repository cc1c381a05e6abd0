import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';
import { backupRepo } from '#store/postgres/backup/backups.ts';
import { feedStatusRepo } from '#store/postgres/feeds/status.ts';
import { outgoingMailRepo } from '#store/postgres/mail/outgoing.ts';
import { gatewayBacklogRepo } from '#store/postgres/subscriptions/gateway-orders.ts';
import type { Context } from '../context.ts';

type Sources = Pick<Context, 'postgres' | 'queues' | 'clock' | 'log'>;

const feedStates = ['up', 'late', 'down', 'seed', 'off'] as const;

/** Seconds since 1970, the time format of Prometheus. */
const unixSeconds = (at: Date): number => at.getTime() / 1_000;

/**
 * State of the whole service, read from the database. Only the scheduler exports these metrics, since they would be
 * equal in every process. While the database is unreadable they are absent, and `efb_state_readable` is 0.
 */
export const addStateMetrics = (register: Registry, { postgres, queues, clock, log }: Sources): void => {
  let reading: Promise<void> | undefined;
  /** One database read for all metrics in a scrape. */
  const collect = (): Promise<void> => {
    reading ??= readAll().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [register], collect });
  const shown = {
    success: gauge(
      'efb_feed_last_success_timestamp_seconds',
      'Time of the last successful run of a feed; absent before the first.',
      ['feed'],
    ),
    age: gauge('efb_feed_age_seconds', 'Time since the last success of a feed.', ['feed']),
    failures: gauge('efb_feed_consecutive_failures', 'Failures of a feed since its last success.', ['feed']),
    state: gauge('efb_feed_state', `1 for the state of the feed, else 0: ${feedStates.join(', ')}.`, [
      'feed',
      'state',
    ]),
    jobs: gauge('efb_queue_jobs', 'Jobs in the queues: waiting, delayed or active.', [
      'job_name',
      'store',
      'state',
    ]),
    dead: gauge('efb_queue_dead_letters', 'Jobs that failed for good and wait for the operator.', [
      'job_name',
      'store',
    ]),
    mails: gauge(
      'efb_mails',
      'Mails that have not been sent by state: waiting, sending, answered or refused. Workers count those that are sent as jobs.',
      ['state'],
    ),
    parked: gauge(
      'efb_gateway_parked_messages',
      'Messages of payment gateways that wait for an account or a product.',
      ['gateway'],
    ),
    orders: gauge(
      'efb_gateway_orders',
      'Orders for payment gateways by state: waiting, or refused for good in the last week with nothing requested since.',
      ['gateway', 'state'],
    ),
    compared: gauge(
      'efb_gateway_comparisons_due',
      'Subscriptions that the nightly comparison with their gateway has not reached yet.',
      ['gateway'],
    ),
    comparedAge: gauge(
      'efb_gateway_comparison_age_seconds',
      'Time since the comparison of the subscription became due that waits longest; 0 when none waits.',
      ['gateway'],
    ),
    backup: gauge(
      'efb_backup_age_seconds',
      'Time since the last backup that was restored on trial; before the first, since the database was created.',
      [],
    ),
  };
  const readable = gauge(
    'efb_state_readable',
    '1 when the metrics of feeds, queues and mails could be read for this scrape.',
    [],
  );

  const read = async () => {
    const [feeds, counts, mailCounts, gateways, coveredTo] = await Promise.all([
      feedStatusRepo(postgres.db).reports(clock.now()),
      queues.counts(),
      outgoingMailRepo(postgres.db).unsentCounts(),
      gatewayBacklogRepo(postgres.db).of(clock.now()),
      backupRepo(postgres.db).coveredTo(),
    ]);
    for (const metric of Object.values(shown)) metric.reset();
    shown.backup.set({}, unixSeconds(clock.now()) - unixSeconds(coveredTo));
    for (const { feed, status, lastSuccessAt, consecutiveFailures } of feeds) {
      if (lastSuccessAt) {
        shown.success.set({ feed }, unixSeconds(lastSuccessAt));
        shown.age.set({ feed }, unixSeconds(clock.now()) - unixSeconds(lastSuccessAt));
      }
      shown.failures.set({ feed }, consecutiveFailures);
      for (const name of feedStates) shown.state.set({ feed, state: name }, status === name ? 1 : 0);
    }
    for (const { job, store, waiting, delayed, active, dead: failed } of counts) {
      for (const [name, count] of Object.entries({ waiting, delayed, active }))
        shown.jobs.set({ job_name: job, store, state: name }, count);
      shown.dead.set({ job_name: job, store }, failed);
    }
    for (const [name, count] of Object.entries(mailCounts)) shown.mails.set({ state: name }, count);
    for (const { gateway, comparedSince, ...backlog } of gateways) {
      const { parkedMessages, waitingOrders, refusedOrders, dueComparisons } = backlog;
      shown.parked.set({ gateway }, parkedMessages);
      shown.orders.set({ gateway, state: 'waiting' }, waitingOrders);
      shown.orders.set({ gateway, state: 'refused' }, refusedOrders);
      shown.compared.set({ gateway }, dueComparisons);
      shown.comparedAge.set(
        { gateway },
        comparedSince ? unixSeconds(clock.now()) - unixSeconds(comparedSince) : 0,
      );
    }
  };

  const readAll = async () => {
    try {
      await read();
      readable.set(1);
    } catch (error) {
      log.warn({ err: error }, 'state for metrics could not be read');
      for (const metric of Object.values(shown)) metric.reset();
      readable.set(0);
    }
  };
};
