import pino from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createCache } from '#platform/cache.ts';
import { createTestDatabase } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { postgresProxy } from '#test/support/postgres-proxy.ts';
import type { PostgresProxy } from '#test/support/postgres-proxy.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { createPostgres } from './pool.ts';
import type { Postgres } from './pool.ts';
import { createRevisions } from './revisions.ts';

const log = pino({ level: 'silent' });
let database: TestDatabase;
let direct: Postgres;
let proxy: PostgresProxy;
const connect = (connectionString: string, statementTimeoutMs: number) =>
  createPostgres({ connectionString, applicationName: 'test', max: 1, statementTimeoutMs }, log);
beforeAll(async () => {
  database = await createTestDatabase();
  direct = connect(database.url, 60_000);
  proxy = await postgresProxy(database.url);
});
afterAll(async () => {
  await proxy.close();
  await direct.close();
  await database.drop();
});

test.each(['cut', 'silent'] as const)(
  'Cached values are not used while data revisions cannot be read: %s',
  async (failure) => {
    let value = 1;
    const load = vi.fn(() => Promise.resolve(value));
    const followed = connect(proxy.url, 2_000);
    const revisions = createRevisions({ db: followed.db, log }, () => cache.clear());
    const cache = createCache<string, number>({
      name: 'test',
      load,
      maxBytes: 5_000,
      isTrusted: revisions.isCurrent,
    });
    await until('revisions are read', () => revisions.isCurrent());
    expect([await cache.get('a'), await cache.get('a')]).toEqual([1, 1]);
    expect(load).toHaveBeenCalledTimes(1);

    const whileLost = async () => {
      await until('the loss is noticed', () => !revisions.isCurrent());
      value = 2;
      expect(await cache.get('a')).toBe(2);
      value = 3;
      expect(await cache.get('a')).toBe(3);
      await runSql(direct)`UPDATE data_revision SET revision = revision + 1 WHERE name = 'metar'`;
    };
    if (failure === 'cut') await proxy.whileDown(whileLost);
    else {
      // The statement in progress ends after its time limit of 4 s, on a new connection the next one is answered.
      proxy.silence();
      await whileLost();
    }
    await until('revisions are read', () => revisions.isCurrent());
    value = 4;
    expect([await cache.get('a'), await cache.get('a')]).toEqual([4, 4]);
    expect(load).toHaveBeenCalledTimes(4);
    await revisions.close();
    await followed.close();
  },
);
