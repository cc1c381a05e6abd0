import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { importAirports } from '#test/support/airports.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { createTestDatabase } from '#test/harness.ts';
import { loadRegistries } from './registry.ts';
import { warmUp } from './warm-up.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let api: TestApi;
const openApi = (isWarmedUp = false) => testApi({ databaseUrl: database.url, isWarmedUp });
const warmed = async () => warmUp(api.context, api.running.services, (await loadRegistries()).queries);

beforeAll(async () => {
  database = await createTestDatabase();
  api = await openApi();
  await importAirports(api.context, ['KJFK', 'KDCA']);
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

/** Tables excluded from the comparison, since earlier calls write to them after their answers. */
const noted = /^(?:request_log|rate_limit)/;

/** Rows of every other table of the service and its queue, by name. */
const rowsOf = async ({ db }: Postgres): Promise<Record<string, number>> => {
  const tables = await db.any<{ schema: string; name: string }>(sql`
    SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
    WHERE table_schema IN ('public', 'pgboss') AND table_type = 'BASE TABLE'`);
  const counts = tables.map(async ({ schema, name }): Promise<[string, number]> => {
    const counted = await db.one<{ n: number }>(sql`
      SELECT (xpath('/row/n/text()',
        query_to_xml(format('SELECT count(*) AS n FROM %I.%I', ${schema}::text, ${name}::text), false, true, '')))[1]::text::int AS n`);
    return [`${schema}.${name}`, counted.n];
  });
  return Object.fromEntries(
    (await Promise.all(counts)).filter(([name]) => !noted.test(name.replace(/^public\./, ''))),
  );
};

/** Calculations ever stored, including rolled-back ones, since a sequence is not rolled back. */
const storedSoFar = async ({ db }: Postgres): Promise<number> =>
  (
    await db.one<{ n: number }>(sql`
      SELECT coalesce(last_value, 0)::int AS n FROM pg_sequences WHERE sequencename = 'calculation_id_seq'`)
  ).n;

test('Without an account no example is called', async () => {
  const find = vi.spyOn(api.running.services.identities, 'byUserId');
  await warmed();
  expect(find).not.toHaveBeenCalled();
});

test('Each example of a read or calculation is called, its calculation stored and rolled back, and nothing remains', async () => {
  await api.user();
  const { log, postgres } = api.context;
  const { requestLog, rateLimiter } = api.running.services;
  const warn = vi.spyOn(log, 'warn');
  const [noteCall, takeLimit] = [vi.spyOn(requestLog, 'add'), vi.spyOn(rateLimiter, 'take')];
  const before = await rowsOf(postgres);
  const stored = await storedSoFar(postgres);
  await warmed();
  expect(await storedSoFar(postgres)).toBeGreaterThan(stored);
  expect(warn).not.toHaveBeenCalled();
  expect(noteCall).not.toHaveBeenCalled();
  expect(takeLimit).not.toHaveBeenCalled();
  expect(await rowsOf(postgres)).toEqual(before);
});

test('A warmed-up API counts the first call of a user in its metrics, and none of the warm-up', async () => {
  const user = await api.user();
  const second = await openApi(true);
  try {
    const counted = async () =>
      (await second.running.metrics.register.metrics()).match(/^efb_requests_total\{.*/gm) ?? [];
    expect(await counted()).toEqual([]);
    const { queries } = await loadRegistries();
    const data = queries.find('performance')?.example;
    expect((await second.call('performance', { token: user.token, data })).status).toBe(200);
    expect(await counted()).toEqual(['efb_requests_total{query="performance",status="200",code="-"} 1']);
  } finally {
    await second.close();
  }
});
