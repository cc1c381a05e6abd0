/** Metrics of every tier as Prometheus scrapes them, and the rules and the dashboard that use them. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileDelete } from '#domain/jobs/contracts.ts';
import { InvalidSignatureError } from '#domain/subscriptions/gateway.ts';
import { openContext } from '#data/context.ts';
import { withSources } from '#simulated/own.ts';
import { start as startScheduler } from '#scheduler/main.ts';
import { start as startWorkers } from '#workers/main.ts';
import { startSimulatedCard } from '#tools/simulated-gateways/card.ts';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';
import { testContext } from '../harness.ts';
import { importAirports } from '../support/airports.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);
const folder = resolve(import.meta.dirname, '../../docs/operations');
const hasPromtool = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

let api: TestApi;
const texts = new Map<string, string>();
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const card = await startSimulatedCard();
  const env = { METRICS_PORT: '0', ...card.variables };
  api = await testApi({ env });
  const workers = await startWorkers(
    await testContext({ env, databaseUrl: api.context.databaseUrl, application: 'workers' }),
    ['durable'],
  );
  const sources = await withSources({ ...api.context.config, SOURCES: 'simulated' });
  const scheduler = await startScheduler(await openContext(sources.config, 'scheduler'));
  stops.push(workers.stop, scheduler.stop, sources.close, api.close, card.close);
  const scrape = async (port: number | null) => (await fetch(`http://127.0.0.1:${port ?? 0}/metrics`)).text();

  const { token } = await api.user();
  await api.call('refreshUserData', { token });
  await importAirports(api.context, ['KJFK']);
  await api.call('airport', { token, data: { icao: 'KJFK' } });
  await callGateway();
  // Last, since the scrape of the workers must come before their idle connections are closed.
  await api.context.postgres.transaction((tx) =>
    api.context.jobs.enqueue(tx, fileDelete, { keys: ['graphics/none.svg'] }),
  );
  await until('a job is counted', async () =>
    (await scrape(workers.metricsPort)).includes(
      'efb_job_runs_total{job_name="file.delete",outcome="done"} 1',
    ),
  );
  texts.set('api', await scrape(api.running.metricsPort));
  texts.set('workers', await scrape(workers.metricsPort));
  texts.set('scheduler', await scrape(scheduler.metricsPort));
});
afterAll(async () => {
  for (const stop of stops) await stop();
});

const callGateway = async () => {
  const { card } = api.context.gateways;
  const options = { timeoutMs: 60_000 };
  expect(await card.read('none', options)).toBeNull();
  await expect(card.change({ verb: 'pause', reference: 'none' }, options)).rejects.toThrow('gateway');
  const forged = Buffer.from('a=b');
  await expect(card.messages['ipn']?.verify(forged, new Date())).rejects.toThrow(InvalidSignatureError);
};

const text = (tier: string): string => texts.get(tier) ?? '';

test('Every tier measures its event loop, its database connections and its jobs', () => {
  for (const tier of ['api', 'workers', 'scheduler']) {
    expect(text(tier)).toMatch(/^nodejs_eventloop_lag_p99_seconds \S+$/m);
    // A tier at rest closes them all.
    expect(text(tier)).toMatch(/^efb_database_connections\{state="open"\} \d+$/m);
    expect(text(tier)).toContain('# TYPE efb_job_run_duration_seconds histogram');
  }
  expect(text('workers')).toMatch(/^efb_job_wait_seconds_count\{job_name="file\.delete"\} 1$/m);
});

test('The API counts requests by query and code, and its cache hits', () => {
  expect(text('api')).toMatch(/^efb_requests_total\{query="refreshUserData",status="200",code="-"\} 1$/m);
  expect(text('api')).toMatch(/^efb_cache_misses_total\{cache="airports"\} [1-9]/m);
  expect(text('api')).toMatch(/^efb_request_log_lost_total 0$/m);
});

test('The API counts gateway calls by verb and outcome', () => {
  const lines = text('api').split('\n');
  expect(lines.filter((line) => line.startsWith('efb_gateway_calls_total')).toSorted()).toEqual([
    'efb_gateway_calls_total{gateway="card",verb="pause",outcome="refused"} 1',
    'efb_gateway_calls_total{gateway="card",verb="read",outcome="done"} 1',
    'efb_gateway_calls_total{gateway="card",verb="verify",outcome="forged"} 1',
  ]);
  expect(lines).toContain('efb_gateway_call_duration_seconds_count{gateway="card",verb="read"} 1');
});

test('The scheduler exposes the state of feeds, queues, mails and the gateway backlog', () => {
  const scheduler = text('scheduler');
  expect(scheduler).toMatch(/^efb_state_readable 1$/m);
  expect(scheduler.match(/^efb_feed_state\{feed="metar",state="\w+"\} 1$/gm)).toHaveLength(1);
  expect(scheduler).toMatch(/^efb_queue_dead_letters\{job_name="file\.delete",store="postgres"\} 0$/m);
  expect(scheduler).toMatch(/^efb_backup_age_seconds \d/m);
  expect(scheduler).toMatch(/^efb_mails\{state="refused"\} 0$/m);
  expect(scheduler).toMatch(/^efb_gateway_parked_messages\{gateway="2checkout"\} 0$/m);
  expect(scheduler).toMatch(/^efb_gateway_orders\{gateway="2checkout",state="refused"\} 0$/m);
});

/** Names of our metrics, without the suffixes of a histogram. */
const namesIn = (source: string): string[] => [
  ...new Set(
    [...source.matchAll(/\b(?:efb|nodejs|process)_\w+/g)]
      .map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ''))
      .filter((name) => !name.endsWith('_')),
  ),
];

const adapterRules = '../../deploy/kubernetes/adapter/adapter-rules.yaml';

test.each(['alerts.yml', 'dashboard.json', adapterRules])('Every metric that %s uses exists', (file) => {
  // The names after `as` are those that the adapter gives.
  const names = namesIn(readFileSync(join(folder, file), 'utf8').replaceAll(/\bas: \w+/g, ''));
  const known = [...texts.values()].join('\n');
  expect(names.filter((name) => !known.includes(`# TYPE ${name} `))).toEqual([]);
  expect(names.length).toBeGreaterThan(2);
});

test.skipIf(!hasPromtool)('An alert comes when the last good backup is a day old', async () => {
  const file = join(import.meta.dirname, '../support/alerts.yml');
  expect((await run('promtool', ['test', 'rules', file])).stdout).toContain('SUCCESS');
});

test.skipIf(!hasPromtool)('The rules and a scrape of every tier pass promtool', async () => {
  const rules = await run('promtool', ['check', 'rules', join(folder, 'alerts.yml')]);
  expect(rules.stdout).toMatch(/SUCCESS: \d+ rules found/);
  const scrapes = join(folder, '../../deploy/prometheus.yml');
  expect((await run('promtool', ['check', 'config', '--syntax-only', scrapes])).stdout).toContain('SUCCESS');
  for (const scrape of texts.values()) {
    const checking = run('promtool', ['check', 'metrics']);
    checking.child.stdin?.end(scrape);
    expect(await checking.catch((error: { stderr: string }) => error.stderr)).toMatchObject({ stderr: '' });
  }
});
