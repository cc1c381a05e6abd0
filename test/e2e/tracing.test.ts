/** Traces of real processes, from the caller over the API to the jobs, as a collector receives them. */
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfKey, newDeveloperKey } from '#platform/developer-keys.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { insertLanding } from '#test/support/landing.ts';
import { startCollector } from './otlp.ts';
import { bareEnvironment } from '#test/support/process.ts';
import { freePort, redisNote, redisServer, startRedis } from '#test/support/redis.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { startWorker } from '#test/support/workers.ts';

const run = promisify(execFile);
const closing: (() => Promise<unknown>)[] = [];
const devKey = newDeveloperKey();
const email = 'traced@example.org';
let url: string;
let t: TestContext;
let collector: Awaited<ReturnType<typeof startCollector>>;
let log = '';
/** Headers of the requests to the flight planner. */
const plannerHeaders: object[] = [];

beforeAll(async () => {
  collector = await startCollector();
  const planner = createServer((request, response) => {
    plannerHeaders.push(request.headers);
    response.writeHead(400).end('{"fetch":{"status":"Error: Unknown UserID"}}');
  });
  await new Promise<void>((resolve) => void planner.listen(0, '127.0.0.1', resolve));
  const redis = redisServer ? await startRedis() : null;
  const redisEnv: Record<string, string> = redis ? { REDIS_URL: redis.url } : {};
  t = await testContext();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: t.databaseUrl,
    DATA_DIR: t.config.DATA_DIR,
    JWT_SECRET: t.config.JWT_SECRET.join(','),
    SAFETY_CODE: t.config.SAFETY_CODE.join(','),
    LOG_LEVEL: 'debug',
    PORT: String(port),
    SHUTDOWN_DRAIN_SECONDS: '0',
    PLANNER_URL: `http://127.0.0.1:${(planner.address() as AddressInfo).port}/plans`,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    ...redisEnv,
  };
  await runSql(t.postgres)`INSERT INTO developer_key (name, key_hash, key_hint, user_info)
    VALUES ('traced', ${hashOfKey(devKey)}, 'hint', 'FULL')`;
  const output = (text: string) => void (log += text);
  const tiers = ['apps/api/main.ts', 'apps/workers/main.ts'];
  const started = await Promise.all(tiers.map((script) => startWorker(env, script, output)));
  closing.push(
    ...started.map((tier) => () => tier.kill('SIGTERM')),
    t.close,
    collector.close,
    () => new Promise((resolve) => planner.close(resolve)),
  );
  if (redis) closing.push(() => redis.stop());
});
afterAll(async () => {
  for (const close of closing) await close();
});

const caller = '00f067aa0ba902b7';
/** Calls as part of a trace of the caller. */
const call = async (traceId: string, query: string, body: object, headers: object = {}) => {
  const response = await fetch(`${url}/api`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', traceparent: `00-${traceId}-${caller}-01`, ...headers },
    body: JSON.stringify({ query, ...body }),
  });
  return (await response.json()) as { token?: string };
};
const register = (traceId: string) =>
  call(traceId, 'register', {
    devKey,
    data: { email, password: 'correct horse', firstname: 'Ada', lastname: 'P' },
  });
const ended = (traceId: string, name: string) =>
  until(name, () => collector.inTrace(traceId).some((span) => span.name === name));

test('One trace spans the caller, the SQL statements of the API and the jobs of the workers', async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await register('0af7651916cd43dd8448eb211c80319c');
  await call(traceId, 'requestPasswordReset', { devKey, data: { email } });
  await ended(traceId, 'POST /api requestPasswordReset');
  await ended(traceId, 'process mail.send');

  const lines = collector.linesOf(traceId, caller);
  const jobs = lines.filter((line) => !/: (SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT)/.test(line));
  expect(jobs).toEqual([
    'efb-api: POST /api requestPasswordReset',
    '  efb-api: send password.reset',
    '    efb-workers: process password.reset',
    '      efb-workers: send mail.send',
    '        efb-workers: process mail.send',
  ]);
  expect(lines).toContain('  efb-api: INSERT password_reset_request');
  expect(lines).toContain('    efb-api: INSERT pgboss.job_common');
  expect(lines).toContain('          efb-workers: UPDATE outgoing_mail');
});

test('Spans describe what happened without user data', async () => {
  const [request] = collector.spans.filter(({ name }) => name === 'POST /api requestPasswordReset');
  expect(request?.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.route': '/api',
    'http.response.status_code': 200,
    'efb.query': 'requestPasswordReset',
  });
  expect(request?.attributes['efb.log_id']).toMatch(/^\d+$/);
  const statements = collector.spans.filter(
    ({ attributes }) => attributes['db.system.name'] === 'postgresql',
  );
  expect(statements.map(({ attributes }) => attributes['db.query.text'])).toContainEqual(
    expect.stringMatching(/FROM app_user[^]*lower\(email\) = .*\$1/),
  );
  const sent = JSON.stringify(collector.spans);
  expect(sent).not.toContain(email);
  expect(sent).not.toContain(devKey);
  expect(sent).not.toContain('correct horse');
});

test('Log lines of a traced request or job name its trace', async () => {
  // The line follows the span that the test before has waited for.
  await until('the mail in the log', () => /"job":"mail\.send".*"msg":"job done"/.test(log));
  const lines = log.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as object] : []));
  expect(lines).toContainEqual(
    expect.objectContaining({
      job: 'mail.send',
      msg: 'job done',
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    }),
  );
  expect(lines).toContainEqual(expect.not.objectContaining({ trace_id: expect.anything() as string }));
});

test('A request to an outside service is a span, and the service receives no trace headers', async () => {
  const traceId = '1bf92f3577b34da6a3ce929d0e0e4731';
  const login = await call('2'.repeat(32), 'login', { devKey, data: { email, password: 'correct horse' } });
  await call(
    traceId,
    'ofpImport',
    { data: { plannerUserId: 42 } },
    { authorization: `Bearer ${login.token ?? ''}` },
  );
  await ended(traceId, 'GET 127.0.0.1');
  const [outgoing] = collector.inTrace(traceId).filter(({ name }) => name === 'GET 127.0.0.1');
  expect(outgoing?.attributes).toMatchObject({ 'http.response.status_code': 400, 'error.type': '400' });
  expect(outgoing?.attributes['url.full']).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/plans$/);
  expect(plannerHeaders.length).toBeGreaterThan(0);
  for (const headers of plannerHeaders) expect(headers).not.toHaveProperty('traceparent');
});

test.skipIf(!redisServer)(`The trace goes through Redis, too${redisNote}`, async () => {
  const { id } = await insertBySql<{ id: number }>(t.postgres)`SELECT id FROM app_user`;
  const { publicId } = await t.postgres.transaction((tx) => insertLanding(tx, id, new Date()));
  const traceId = '3bf92f3577b34da6a3ce929d0e0e4733';
  const picture = await fetch(`${url}/graphics/${publicId}/factored.png`, {
    headers: { traceparent: `00-${traceId}-${caller}-01` },
  });
  expect(picture.status).toBe(200);
  const route = 'GET /graphics/:id/:name.:format';
  await ended(traceId, 'process graphic.render');
  await ended(traceId, route);
  const lines = collector.linesOf(traceId, caller);
  expect(lines[0]).toBe(`efb-api: ${route}`);
  expect(lines).toContain('  efb-api: send graphic.render');
  expect(lines).toContain('    efb-workers: process graphic.render');
  const [job] = collector.inTrace(traceId).filter(({ name }) => name === 'process graphic.render');
  expect(job?.attributes).toMatchObject({ 'messaging.system': 'bullmq', 'efb.job.outcome': 'done' });
  expect(job?.attributes['efb.job.payload']).toContain(publicId);
});

/** Runs a script in a new process with this environment; resolves to the lines that it prints. */
const linesOf = async (script: string): Promise<string[]> => {
  const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '-e', script], {
    env: bareEnvironment(),
  });
  return stdout.trim().split('\n');
};
const imports = `
  import { createRequire } from 'node:module';
  import { readConfig } from '#platform/config/config.ts';
  import { requestServed, statementRun } from '#platform/metrics/activities.ts';
  import { startTracing } from '#platform/tracing/start.ts';
  const required = { DATABASE_URL: 'postgres://x', JWT_SECRET: 'x'.repeat(32), SAFETY_CODE: 'x'.repeat(16) };
  const start = (env) => startTracing(readConfig({ ...required, ...env }), 'api');`;

test('Without a collector address OpenTelemetry is not loaded', async () => {
  const lines = await linesOf(`${imports}
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    for (const env of [{}, endpoint]) {
      await start(env);
      const loaded = Object.keys(createRequire(import.meta.url).cache);
      console.log(loaded.some((file) => file.includes('@opentelemetry/sdk-trace')));
    }`);
  expect(lines).toEqual(['false', 'true']);
});

test('Pending spans are exported at shutdown, even for a caller that does not sample its trace; an unreachable collector is one log line', async () => {
  const traceId = '7bf92f3577b34da6a3ce929d0e0e4737';
  const lines = await linesOf(`${imports}
    for (const endpoint of ['${collector.url}', 'http://127.0.0.1:1']) {
      const tracing = await start({
        OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      });
      const headers = { traceparent: '00-${traceId}-${caller}-00' };
      await requestServed.run({ method: 'GET', headers }, () =>
        statementRun.run({ text: 'COMMIT' }, async () => {}));
      await tracing.close();
    }
    process.exit();`);
  expect(collector.linesOf(traceId, caller)).toEqual(['efb-api: GET', '  efb-api: COMMIT']);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('traces could not be exported');
});
