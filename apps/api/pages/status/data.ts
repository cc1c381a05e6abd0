import type { Context } from '#data/context.ts';
import { mapFileRepo } from '#store/postgres/airports/map-file.ts';
import { feedStatusRepo } from '#store/postgres/feeds/status.ts';
import type { FeedHour, FeedReport } from '#store/postgres/feeds/status.ts';
import { gatewayBacklogRepo } from '#store/postgres/subscriptions/gateway-orders.ts';
import type { GatewayBacklog } from '#store/postgres/subscriptions/gateway-orders.ts';
import type { QueueCount } from '#store/queue/types.ts';
import { databaseReadiness } from '#data/readiness.ts';
import { summaryOf } from '#domain/feeds/summary.ts';
import type { Summary } from '#domain/feeds/summary.ts';

export interface StatusData {
  now: Date;
  summary: Summary;
  isSimulated: boolean;
  /** True if test orders of the payment gateways grant access. */
  acceptsTestPayments: boolean;
  /** Why the database cannot be used, or null. */
  databaseReason: string | null;
  /** Round trip of a database query. */
  databaseMs: number;
  apiUptimeSeconds: number;
  /** Empty if the database is unavailable, like the lists below. */
  feeds: (FeedReport & { history: FeedHour[] })[];
  /** Null if the queues are unavailable. */
  queues: QueueCount[] | null;
  map: string | null;
  /** Messages and orders pending between this service and the payment gateways. */
  gateways: GatewayBacklog[];
}

const databaseLimitMs = 1_500;

const read = async (context: Context, now: Date) => {
  const { db } = context.postgres;
  const repo = feedStatusRepo(db);
  const [reports, hours, map, isSimulated, gateways, queues] = await Promise.all([
    repo.reports(now),
    repo.history(now),
    mapFileRepo(db).currentPath(),
    repo.isSimulated(),
    gatewayBacklogRepo(db).of(now),
    context.queues.counts().catch((error: unknown) => {
      context.log.warn({ err: error }, 'queues cannot be counted');
      return null;
    }),
  ]);
  const byFeed = Map.groupBy(hours, ({ feed }) => feed);
  return {
    feeds: reports.map((report) => ({ ...report, history: byFeed.get(report.feed) ?? [] })),
    map,
    isSimulated,
    gateways,
    queues,
  };
};

/** The content of the status page; an unavailable database is part of it, not an error. */
export const statusData = async (context: Context): Promise<StatusData> => {
  const now = context.clock.now();
  const started = performance.now();
  const { ready, checks } = await databaseReadiness(context, databaseLimitMs);
  const databaseMs = performance.now() - started;
  const problems = Object.values(checks).filter((check) => check !== 'ok');
  const nothing = { feeds: [], queues: null, map: null, isSimulated: false, gateways: [] };
  const found = ready ? await read(context, now) : nothing;
  const databaseReason = ready ? null : problems.join(', ');
  return {
    now,
    ...found,
    // The scheduler may run with another configuration, so the sources that it has stored count, too.
    isSimulated: found.isSimulated || context.config.SOURCES === 'simulated',
    acceptsTestPayments: context.config.ACCEPT_TEST_PAYMENTS,
    databaseReason,
    databaseMs,
    apiUptimeSeconds: process.uptime(),
    summary: summaryOf(found.feeds, databaseReason, now),
  };
};
