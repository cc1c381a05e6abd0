/** Statements on pg-boss tables match the installed version and are all in one file. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '#test/harness.ts';
import { dueQueues } from './pg-boss-tables.ts';

/** Version of the schema that the statements in `pg-boss-tables.ts` were written for. */
const knownSchemaVersion = 43;

const database = await createTestDatabase();
const boss = new PgBoss({
  connectionString: database.url,
  migrate: false,
  supervise: false,
  schedule: false,
});
boss.on('error', () => {});
await boss.start();
afterAll(async () => {
  await boss.stop({ graceful: false });
  await database.drop();
});

test('The schema of pg-boss is the version that its statements were written for', async () => {
  expect(
    await boss.schemaVersion(),
    'pg-boss has another schema: compare pg-boss-tables.ts with its plans.js (states, retry_count, started_on, heartbeat_on, start_after), run libs/store/queue and test/e2e/worker-kill.test.ts, then change knownSchemaVersion',
  ).toBe(knownSchemaVersion);
});

test('Due jobs are found by an index among thousands that are done', async () => {
  const executeSql = (text: string, values?: unknown[]) => boss.getDb().executeSql(text, values);
  const name = 'test.many';
  await boss.createQueue(name);
  await boss.insert(
    name,
    Array.from({ length: 5_000 }, () => ({})),
  );
  await executeSql(`UPDATE pgboss.job SET state = 'completed' WHERE name = $1`, [name]);
  await executeSql('ANALYZE pgboss.job');
  expect(await dueQueues(boss, [name])).toEqual([]);
  let plan = '';
  const explaining = {
    getDb: () => ({
      executeSql: async (text: string, values: unknown[]) => {
        plan = JSON.stringify(await executeSql(`EXPLAIN ${text}`, values));
        return { rows: [] };
      },
    }),
  };
  await dueQueues(explaining as unknown as PgBoss, [name]);
  expect(plan).toMatch(/Index (?:Only )?Scan/);
  expect(plan).not.toContain('Seq Scan');
  await boss.send(name, {});
  expect(await dueQueues(boss, [name])).toEqual([name]);
});

test('The pg-boss tables have no columns or indexes of our own', async () => {
  expect(await boss.detectSchemaDrift()).toMatchObject({ ok: true, extraIndexes: [] });
});

test('No other file of the service has statements on these tables', () => {
  const root = join(import.meta.dirname, '../../..');
  const statement = /\b(?:FROM|JOIN|INTO|UPDATE)\s+pgboss\.(?!version\b)/;
  const files = globSync(['apps/**/*.ts', 'libs/**/*.ts'], { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts') && statement.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(files).toEqual(['libs/store/queue/pg-boss-tables.ts']);
});
