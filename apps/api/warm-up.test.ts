import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '#data/postgres/sql.ts';
import { importAirports } from '#test/support/airports.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { loadRegistry } from './registry.ts';
import { warmUp } from './warm-up.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await importAirports(api.context, ['KJFK', 'KDCA']);
});
afterAll(() => api.close());

/** Of earlier calls, which are noted after their answers. */
const noted = /^(?:request_log|rate_limit)/;

/** Rows of every other table, by name. */
const rows = async (): Promise<Record<string, number>> => {
  const { db } = api.context.postgres;
  const tables = await db.any<{ name: string }>(sql`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`);
  const counts = tables
    .filter(({ name }) => !noted.test(name))
    .map(async ({ name }): Promise<[string, number]> => {
      const counted = await db.one<{ n: number }>(sql`
      SELECT (xpath('/row/n/text()', query_to_xml(format('SELECT count(*) AS n FROM %I', ${name}::text), false, true, '')))[1]::text::int AS n`);
      return [name, counted.n];
    });
  return Object.fromEntries(await Promise.all(counts));
};

test('Without an account nothing is answered', async () => {
  const warn = vi.spyOn(api.context.log, 'warn');
  const find = vi.spyOn(api.running.services.identities, 'byUserId');
  await warmUp(api.context, api.running.services, await loadRegistry());
  expect(find).not.toHaveBeenCalled();
  expect(warn).not.toHaveBeenCalled();
});

test('The examples of reads and calculations are answered, and no row is left, no limit counted and no call logged', async () => {
  await api.user();
  const { log, postgres } = api.context;
  const { requestLog, rateLimiter } = api.running.services;
  const warn = vi.spyOn(log, 'warn');
  const transaction = vi.spyOn(postgres, 'transaction');
  const [noteCall, takeLimit] = [vi.spyOn(requestLog, 'add'), vi.spyOn(rateLimiter, 'take')];
  const before = await rows();
  await warmUp(api.context, api.running.services, await loadRegistry());
  // The calculations were stored, before that was taken back.
  expect(transaction).toHaveBeenCalled();
  expect(warn).not.toHaveBeenCalled();
  expect(noteCall).not.toHaveBeenCalled();
  expect(takeLimit).not.toHaveBeenCalled();
  expect(await rows()).toEqual(before);
});
