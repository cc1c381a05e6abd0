/** Processes refuse to work on a database schema of another version. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startHealthFile } from '#data/health-file.ts';
import { version } from '#platform/command-line.ts';
import { SchemaError, readMigrations } from '#store/postgres/migrations.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { prepareDatabase } from '#store/service-database.ts';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';
import { createTestDatabase, testContext, testFolder } from '../harness.ts';
import type { TestDatabase } from '../harness.ts';
import { bareEnvironment } from '../support/process.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';

const newer = '9001_from_a_newer_version.sql';
const files = await readMigrations();
const names = files.map(({ name }) => name);
const latest = names.at(-1) ?? '';
/** Migrations that a process needs. */
const needed = files.filter(({ stage }) => stage === 'before').map(({ name }) => name);
const latestNeeded = needed.at(-1) ?? '';
const titleOf = (name: string) => name.replace('.sql', '');
const tooNew = `The database has ${titleOf(newer)}, this version knows up to ${titleOf(latest)}: run a newer version.`;

/** Runs a script of this repository to its end: exit code and output. */
const run = async (database: TestDatabase, script: string, ...args: string[]) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../..', script), ...args], {
    env: {
      ...bareEnvironment(),
      DATABASE_URL: database.url,
      DATA_DIR: await testFolder(),
      PORT: '0',
      LOG_LEVEL: 'silent',
      JWT_SECRET: 'test-key-0123456789-0123456789-0123456789',
      SAFETY_CODE: 'test-safety-code-0123456789',
    },
  });
  let text = '';
  child.stdout.on('data', (chunk) => void (text += String(chunk)));
  child.stderr.on('data', (chunk) => void (text += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, text: text.trim() };
};

const arriveNewer = (postgres: Pick<Postgres, 'transaction'>) =>
  runSql(postgres)`INSERT INTO migration (name, checksum) VALUES (${newer}, 'x')`;
const leaveNewer = (postgres: Pick<Postgres, 'transaction'>) =>
  runSql(postgres)`DELETE FROM migration WHERE name = ${newer}`;

describe('starting', () => {
  let newDatabase: TestDatabase;
  let emptyDatabase: TestDatabase;
  beforeAll(async () => {
    newDatabase = await createTestDatabase();
    emptyDatabase = await createTestDatabase('template0');
    const t = await testContext({ databaseUrl: newDatabase.url });
    await arriveNewer(t.postgres);
    await t.close();
  });
  afterAll(async () => {
    await newDatabase.drop();
    await emptyDatabase.drop();
  });

  test.each(['apps/api/main.ts', 'apps/workers/main.ts', 'apps/scheduler/main.ts', 'apps/main.cjs'])(
    '%s exits with one sentence on a newer schema',
    async (script) => {
      expect(await run(newDatabase, script)).toEqual({ code: 1, text: tooNew });
    },
  );

  test('The context, opened first by every process, refuses an unmigrated database with one sentence', async () => {
    await expect(testContext({ databaseUrl: emptyDatabase.url })).rejects.toThrow(
      new SchemaError(
        `The database lacks ${titleOf(needed[0] ?? '')} to ${titleOf(latestNeeded)}: run \`npm run migrate\`.`,
      ),
    );
  });

  test('The status lists each migration with state and time, and its exit code says whether all have run', async () => {
    const before = await run(emptyDatabase, 'apps/ops/migrate.ts', 'status');
    expect(before.code).toBe(1);
    expect(before.text.split('\n')[0]).toMatch(/^0184_accounts\.sql +pending +-$/);
    expect(before.text).toContain(
      `Not up to date with ${latest} of version ${version}: ${names.length} pending.`,
    );
    for (const step of ['later', 'finish'] as const)
      await prepareDatabase({ DATABASE_URL: emptyDatabase.url }, step);
    const after = await run(emptyDatabase, 'apps/ops/migrate.ts', 'status');
    expect(after.code).toBe(0);
    expect(after.text.split('\n')[0]).toMatch(/^0184_accounts\.sql +applied +20\d\d-\d\d-\d\dT[\d:.]+Z$/);
    expect(after.text).toContain(`The database is up to date with version ${version}.`);
    const ahead = await run(newDatabase, 'apps/ops/migrate.ts', 'status');
    expect(ahead.code).toBe(1);
    expect(ahead.text).toMatch(/^9001_from_a_newer_version\.sql +unknown +20/m);
    expect(ahead.text).toContain(`Not up to date with ${latest} of version ${version}: 1 unknown.`);
    expect(await run(newDatabase, 'apps/ops/migrate.ts')).toEqual({ code: 1, text: tooNew });
  });
});

describe('running', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await testApi();
  });
  afterAll(() => api.close());
  const ready = async () => {
    const response = await api.fetch('/readyz');
    return [response.status, await response.json()] as const;
  };

  test('An API is not ready while the schema is newer or older, gives the reason, and recovers', async () => {
    const { postgres } = api.context;
    expect(await ready()).toEqual([
      200,
      { ready: true, checks: { database: 'ok', migrations: 'ok', storage: 'ok' } },
    ]);
    await arriveNewer(postgres);
    expect(await ready()).toEqual([
      503,
      { ready: false, checks: { database: 'ok', migrations: tooNew, storage: 'ok' } },
    ]);
    await leaveNewer(postgres);
    expect((await ready())[0]).toBe(200);
    await runSql(postgres)`DELETE FROM migration WHERE name = ${latestNeeded}`;
    const [status, older] = await ready();
    expect(status).toBe(503);
    expect(older).toMatchObject({
      checks: { migrations: expect.stringContaining(titleOf(latestNeeded)) },
    });
    await runSql(postgres)`INSERT INTO migration (name) VALUES (${latestNeeded})`;
    expect((await ready())[0]).toBe(200);
  });

  test('Workers and scheduler stop touching their health file on a schema mismatch and resume afterwards', async () => {
    const file = join(await testFolder(), 'health');
    await using t = await testContext({ env: { HEALTH_FILE: file } });
    const touchedAt = async () => (await stat(file)).mtimeMs;
    await arriveNewer(t.postgres);
    const stop = await startHealthFile(t, 20);
    await expect(stat(file)).rejects.toThrow('ENOENT');
    await leaveNewer(t.postgres);
    await until('it is healthy again', () =>
      touchedAt().then(
        () => true,
        () => false,
      ),
    );
    await stop();
  });
});
