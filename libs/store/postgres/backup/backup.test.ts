/** Dumps of older versions; test/e2e/backup.test.ts has the archive and the running service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, testFolder } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { schemaBefore } from '#test/support/older-schema.ts';
import { insertBySql } from '#test/support/sql.ts';
import { migrateQueues } from '../../queue/pg-boss.ts';
import { logDayWrites } from '../requests/log.ts';
import { dumpDatabase } from './dump.ts';
import { clearDatabase, stateOfDatabase, withScratchDatabase } from './scratch.ts';
import { loadDatabase } from './load.ts';

const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

const database = async (template?: string): Promise<TestDatabase> => {
  const made = await createTestDatabase(template);
  closing.push(made.drop);
  return made;
};

const query = async ({ url }: { url: string }, text: string): Promise<Record<string, unknown>[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};

const constraints = `
  SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(o.oid) AS text
  FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid AND NOT c.relispartition
  WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`;

/** From an older version, with an airline and one day of the request log. */
let dump: Awaited<ReturnType<typeof dumpDatabase>>;
let folder: string;
let id: number;
beforeAll(async () => {
  folder = await testFolder();
  const older = await schemaBefore('0196');
  closing.push(older.close);
  await migrateQueues(older.url);
  ({ id } = await insertBySql<{ id: number }>(older.postgres)`
    INSERT INTO virtual_airline (name) VALUES (${'Ältere Air\t\\N'}) RETURNING id`);
  await older.postgres.transaction((tx) => logDayWrites(tx).make('2026-01-05'));
  dump = await dumpDatabase(older.url, folder, async () => {});
});

test('A dump from an older version is restored and migrated, with sequences, partitions and every constraint', async () => {
  const target = await database('template0');
  expect(await stateOfDatabase(target.url)).toBe('empty');
  await loadDatabase(target.url, dump, folder);
  expect(await stateOfDatabase(target.url)).toBe('begun');
  const current = await database();
  for (const text of ['SELECT name FROM migration ORDER BY name', constraints])
    expect(await query(target, text)).toEqual(await query(current, text));
  expect(await query(target, 'SELECT id, name FROM virtual_airline')).toEqual([
    { id, name: 'Ältere Air\t\\N' },
  ]);
  expect(await query(target, `INSERT INTO virtual_airline (name) VALUES ('New') RETURNING id`)).toEqual([
    { id: id + 1 },
  ]);
  const days = `SELECT count(*)::int AS n FROM pg_class WHERE relname LIKE 'request_log%2026%01%05%' AND relkind = 'r'`;
  expect((await query(target, days))[0]?.['n']).toBeGreaterThan(1);
  expect(await query(target, `SELECT 1 FROM pg_trigger WHERE tgenabled = 'D'`)).toEqual([]);

  // An emptied database can be restored into again; foreign tables are never emptied.
  await clearDatabase(target.url);
  expect(await stateOfDatabase(target.url)).toBe('empty');
  await loadDatabase(target.url, dump, folder);
  expect(await query(target, constraints)).toEqual(await query(current, constraints));
  await query(
    target,
    `INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode) VALUES ('a@example.org', 'x', 'A', 'B', 'ABC')`,
  );
  expect(await stateOfDatabase(target.url)).toBe('used');
  const foreign = await database('template0');
  await query(foreign, 'CREATE TABLE other (id integer)');
  expect(await stateOfDatabase(foreign.url)).toBe('used');
});

test('A dump with other queues, or fewer rows than stated, is refused and leaves no rows', async () => {
  for (const [change, reason] of [
    [{ queueVersion: 1 }, 'The queues of the backup have version 1'],
    [{ tables: dump.tables.map((table) => ({ ...table, rows: table.rows + 1 })) }, /rows were loaded of/],
  ] as const) {
    const target = await database('template0');
    await expect(loadDatabase(target.url, { ...dump, ...change }, folder)).rejects.toThrow(reason);
    expect(await query(target, `SELECT 1 FROM virtual_airline WHERE name LIKE 'Ältere%'`)).toEqual([]);
  }
});

test('A dump made before old migrations were joined into one is refused, and nothing is created', async () => {
  const target = await database('template0');
  await expect(loadDatabase(target.url, { ...dump, migrations: ['0194_then.sql'] }, folder)).rejects.toThrow(
    'The backup ends with migration 0194_then: restore with the version that made it, then upgrade.',
  );
  expect(await stateOfDatabase(target.url)).toBe('empty');
});

test('Two backups of one database are verified in turn, and neither removes what the other reads', async () => {
  const tried = await database('template0');
  const order: string[] = [];
  const trial = (name: string) =>
    withScratchDatabase(tried.url, async (url) => {
      order.push(`${name} begins`);
      await query({ url }, 'CREATE TABLE kept (id integer)');
      await sleep(100);
      await query({ url }, 'INSERT INTO kept VALUES (1)');
      order.push(`${name} ends`);
    });
  await Promise.all([trial('one'), trial('other')]);
  const [first] = order;
  const [before, after] = first === 'one begins' ? ['one', 'other'] : ['other', 'one'];
  expect(order).toEqual([`${before} begins`, `${before} ends`, `${after} begins`, `${after} ends`]);
  expect(
    await query(tried, `SELECT 1 FROM pg_database WHERE datname = current_database() || '_backup_check'`),
  ).toEqual([]);
});
