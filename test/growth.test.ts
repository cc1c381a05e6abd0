/** Rows that the service reads from a database with 10,000 rows per large table, as measured by Postgres. */
import { Registry } from 'prom-client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addStateMetrics } from '#data/metrics/state-metrics.ts';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import { loadRegistries } from '#api/registry.ts';
import { loadWorkerJobs } from '#workers/worker-job.ts';
import { runOnce } from '#test/support/run-once.ts';
import { createTestDatabase } from './harness.ts';
import type { TestDatabase } from './harness.ts';
import { fuzzScene } from './support/fuzz/scene.ts';
import type { FuzzScene } from './support/fuzz/scene.ts';
import { exampleCall, inOrder, removes, sendCall } from './support/fuzz/send.ts';
import { fillGrown } from './support/growth/fill.ts';
import { explainAll, hearScans } from './support/growth/scans.ts';
import { ops } from './support/ops.ts';

const rows = 10_000;
const maxScanned = 5_000;
/** In the order of their growth; the others have a tenth. */
const largest: ReadonlySet<string> = new Set(
  `request_log calculation flight_data_change flight_data outgoing_mail effect library_file ledger ofp ofp_share checklist
  subscription app_user library_space fleet_profile ofp_revision calculation_day row_change gateway_event`.split(
    /\s+/,
  ),
);

/** Their examples need a code, a gateway, a state of what they name, or something that others offer. */
const refusable: ReadonlySet<string> = new Set(
  `applyDiscountCode changePlan checklistRate checklistReport deviceConfirm deviceToken flightDataSave getCheckoutUrl resetPassword
  walletToCardMigration`.split(/\s+/),
);

let database: TestDatabase;
let scene: FuzzScene;
const heard = hearScans(maxScanned);
beforeAll(async () => {
  database = await createTestDatabase();
  await explainAll(database.url);
  scene = await fuzzScene({ databaseUrl: database.url });
});
afterAll(async () => {
  heard.end();
  await scene.close();
  await database.drop();
});

/** The large scans of `work`, by what did it. */
const scansDuring = async (what: string, work: () => Promise<unknown>): Promise<string[]> => {
  heard.scans.length = 0;
  await work();
  return heard.scans.map(
    ({ node, table, rows: read, statement }) =>
      `${what}: ${node} of ${read} rows of ${table}: ${statement.replaceAll(/\s+/g, ' ').slice(0, 400)}`,
  );
};

test('No statement of a query, job or command reads more than 5,000 rows of a table with 10,000', async () => {
  const { context } = scene.api;
  const counts = await fillGrown(database.url, {
    from: 1_000_000,
    users: rows,
    now: context.clock.now(),
    rowsOf: ({ name }) => (largest.has(name) ? rows : rows / 10),
  });
  expect([...largest].filter((name) => counts[name] !== rows)).toEqual([]);
  const found: string[] = [];
  const refused: string[] = [];
  const { operations } = (await loadRegistries()).queries;
  for (const operation of inOrder(operations)) {
    if (removes(operation)) await scene.renew();
    found.push(
      ...(await scansDuring(operation.name, async () => {
        const response = await sendCall(scene, operation, exampleCall(scene, operation));
        await response.arrayBuffer();
        if (response.status !== 200) refused.push(operation.name);
      })),
    );
  }
  const jobs = (await loadWorkerJobs()).filter(({ cron }) => cron);
  for (const job of jobs)
    found.push(
      ...(await scansDuring(job.contract.name, () =>
        runOnce(job, context, { slot: context.clock.now().toISOString() }),
      )),
    );
  found.push(
    ...(await scansDuring('metrics', () => {
      const register = new Registry();
      addStateMetrics(register, context);
      return register.metrics();
    })),
    ...(await scansDuring('search', async () => {
      for (const search of ['user77', 'GROWN77', 'PRO_M'])
        expect(await subscriptionRecordRepo(context.postgres.db).list(2, 0, search)).toHaveLength(2);
    })),
    ...(await scansDuring('notam', () =>
      context.postgres.transaction(async (tx) => {
        const now = context.clock.now();
        await notamWrites(tx).store([], { source: 'other', now, isComplete: true });
        await notamWrites(tx).prune(now);
      }),
    )),
  );
  for (const line of [
    'user list',
    'user list --search user77',
    'subscription list',
    'va list',
    'report list',
    'library list',
    'fleet list',
    'checklist list',
  ])
    found.push(...(await scansDuring(`ops ${line}`, () => ops(context, line))));
  expect(refused.filter((name) => !refusable.has(name))).toEqual([]);
  expect(heard.statements()).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});
