import { appendFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import pino from 'pino';
import { createTestDatabase, testFolder } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { migrate, migrationStatus } from './migrate.ts';
import { compareSchema, createSchemaGuard, migrationStates, squashed } from './migrations.ts';
import type { SchemaComparison } from './migrations.ts';
import { createPostgres } from './pool.ts';
import type { ReadDb } from './sql.ts';

let database: TestDatabase;
let folder: string;
beforeEach(async () => {
  database = await createTestDatabase('template0');
  folder = join(await testFolder(), 'migrations');
  await mkdir(folder);
  await add('3001_first', 'CREATE TABLE first ();');
  await add('3002_second', 'CREATE TABLE second ();');
});
afterEach(() => database.drop());

const add = (name: string, text: string) => writeFile(join(folder, `${name}.sql`), `${text}\n`);

const query = async (text: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};

/** Ends when Postgres has ended the sessions of this name, which it does after their client. */
const gone = (name: string): Promise<void> =>
  vi.waitFor(
    async () =>
      expect(await query(`SELECT 1 FROM pg_stat_activity WHERE application_name = '${name}'`)).toEqual([]),
    { timeout: 60_000, interval: 5 },
  );

/** Compares the files of a version with rows of a database. */
const compared = async (
  files: readonly { name: string; stage: 'before' | 'after' }[],
  rows: readonly { name: string; isCompatible: boolean }[],
): Promise<SchemaComparison> => {
  const db = { value: () => Promise.resolve(false), any: () => Promise.resolve(rows) };
  const known = files.map((file) => ({ ...file, text: '', checksum: '' }));
  return compareSchema(await migrationStates(db as unknown as ReadDb, known));
};

const states = async () =>
  Object.fromEntries(
    (await migrationStatus(database.url, folder)).map(({ name, state }) => [name.slice(0, 4), state]),
  );

describe('migrate', () => {
  test('Each file runs once and its checksum is stored', async () => {
    expect(await states()).toEqual({ '3001': 'pending', '3002': 'pending' });
    expect(await migrate(database.url, folder)).toEqual(['3001_first.sql', '3002_second.sql']);
    expect(await migrate(database.url, folder)).toEqual([]);
    const rows = await query('SELECT name, length(checksum) AS length FROM migration ORDER BY name');
    expect(rows).toEqual([
      { name: '3001_first.sql', length: 64 },
      { name: '3002_second.sql', length: 64 },
    ]);
    const [first] = await migrationStatus(database.url, folder);
    expect(first).toEqual({
      name: '3001_first.sql',
      stage: 'before',
      state: 'applied',
      ranAt: expect.any(Date),
    });
  });

  test('An edited file that has already run is refused by name, and nothing else runs', async () => {
    await migrate(database.url, folder);
    await appendFile(join(folder, '3001_first.sql'), '-- later thought\n');
    await add('3003_third', 'CREATE TABLE third ();');
    await expect(migrate(database.url, folder)).rejects.toThrow(
      '3001_first was edited after it ran on this database: restore the file, and put the change into a new migration.',
    );
    expect(await states()).toEqual({ '3001': 'edited', '3002': 'applied', '3003': 'pending' });
    expect(await query(`SELECT to_regclass('third') AS third`)).toEqual([{ third: null }]);
  });

  test('Line endings of another system do not count as an edit', async () => {
    await migrate(database.url, folder);
    await writeFile(join(folder, '3001_first.sql'), 'CREATE TABLE first ();\r\n');
    expect(await migrate(database.url, folder)).toEqual([]);
  });

  test('A database of a newer version is refused with the versions of both sides', async () => {
    await add('3003_third', 'CREATE TABLE third ();');
    await migrate(database.url, folder);
    await rm(join(folder, '3003_third.sql'));
    await expect(migrate(database.url, folder)).rejects.toThrow(
      'The database has 3003_third, this version knows up to 3002_second: run a newer version.',
    );
    expect(await states()).toEqual({ '3001': 'applied', '3002': 'applied', '3003': 'unknown' });
  });

  test('A failing migration leaves nothing, and the next run repeats it', async () => {
    await add('3003_third', 'CREATE TABLE third (); SELECT 1 / 0;');
    await expect(migrate(database.url, folder)).rejects.toThrow('3003_third.sql failed: division by zero');
    expect(await query(`SELECT to_regclass('third') AS third`)).toEqual([{ third: null }]);
    await add('3003_third', 'CREATE TABLE third ();');
    expect(await migrate(database.url, folder)).toEqual(['3003_third.sql']);
  });
});

describe('a database made by the migrations that were joined', () => {
  const files = join(import.meta.dirname, '../../../db/migrations');
  const upTo = squashed.last;
  const earlier = Array.from(
    { length: squashed.count - 1 },
    (_, n) => `${String(n + 1).padStart(4, '0')}_then.sql`,
  );

  /** The schema made by them, with their rows in `migration` instead of those of the current files. */
  const made = async (names: readonly string[]) => {
    await migrate(database.url, files, { upTo });
    await query(`DELETE FROM migration`);
    for (const name of names) await query(`INSERT INTO migration (name, checksum) VALUES ('${name}', 'x')`);
    await query(`INSERT INTO virtual_airline (name) VALUES ('Kept Air')`);
  };

  test('The database is refused unless all of them have run, then continues with later migrations and keeps its rows, and processes of the previous version continue', async () => {
    const then = [...earlier, upTo];
    await made(earlier);
    await expect(migrate(database.url, files)).rejects.toThrow(
      'The database has nothing after 0121_then, this version begins with 0195_ofp_planned_settings: run `npm run migrate` of the version before first.',
    );
    await query(`INSERT INTO migration (name, checksum) VALUES ('${upTo}', 'x')`);
    const names = (await readdir(files)).toSorted();
    const following = names.filter((name) => name > upTo);
    expect(await migrate(database.url, files)).toEqual(following);
    expect(await migrate(database.url, files)).toEqual([]);
    expect(await query('SELECT name FROM virtual_airline')).toEqual([{ name: 'Kept Air' }]);
    const status = await migrationStatus(database.url, files);
    expect(status.map(({ name, state }) => `${name} ${state}`)).toEqual(
      names.map((name) => `${name} applied`),
    );
    const rows = await query(
      'SELECT name, is_compatible AS "isCompatible" FROM migration WHERE name <= \'0195_z\'',
    );
    const known = then.map((name) => ({ name, stage: 'before' as const }));
    expect((await compared(known, rows as { name: string; isCompatible: boolean }[])).problem).toBeNull();
  });
});

describe('a database in use', () => {
  test('A migration that gets no lock lets others pass and is retried', async () => {
    await migrate(database.url, folder);
    await add('3003_third', 'ALTER TABLE first ADD COLUMN a int;');
    const reader = new Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('BEGIN; SELECT * FROM first');
    const migrated = migrate(database.url, folder);
    const waits = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'migrate'
      AND wait_event_type = 'Lock'`;
    await vi.waitFor(async () => expect(await query(waits)).toHaveLength(1), {
      timeout: 20_000,
      interval: 5,
    });
    // Behind a waiting ALTER TABLE this would wait for the reader.
    expect(await query('SELECT * FROM first')).toEqual([]);
    await reader.query('COMMIT');
    expect(await migrated).toEqual(['3003_third.sql']);
    await reader.end();
  });

  test('A large table is changed in batches, each committed before the next', async () => {
    await migrate(database.url, folder);
    await query(
      'ALTER TABLE first ADD COLUMN a int, ADD COLUMN at xid8; INSERT INTO first SELECT FROM generate_series(1, 25)',
    );
    await add(
      '3003_batches',
      `-- Outside a transaction: the table is large.
UPDATE first SET a = 1, at = pg_current_xact_id() WHERE ctid = ANY(ARRAY(SELECT ctid FROM first WHERE a IS NULL LIMIT 10));
DELETE FROM first WHERE ctid = ANY(ARRAY(SELECT ctid FROM first WHERE a = 2 LIMIT 10));`,
    );
    expect(await migrate(database.url, folder)).toEqual(['3003_batches.sql']);
    const batches = await query(
      'SELECT count(*)::int AS rows FROM first WHERE a = 1 GROUP BY at ORDER BY at',
    );
    expect(batches).toEqual([{ rows: 10 }, { rows: 10 }, { rows: 5 }]);
  });

  test('Two processes build indexes outside a transaction at once, and an interrupted index is built again', async () => {
    await migrate(database.url, folder);
    await query('ALTER TABLE first ADD COLUMN a int; INSERT INTO first VALUES (1), (1)');
    await add(
      '3003_index',
      `-- Outside a transaction: the table is large.
SET lock_timeout = 0;
DROP INDEX CONCURRENTLY IF EXISTS first_a;
CREATE UNIQUE INDEX CONCURRENTLY first_a ON first (a);`,
    );
    await expect(migrate(database.url, folder)).rejects.toThrow(
      '3003_index.sql failed: could not create unique',
    );
    const isValid = `SELECT indisvalid AS "isValid" FROM pg_index WHERE indexrelid = to_regclass('first_a')`;
    expect(await query(isValid)).toEqual([{ isValid: false }]);
    await query('DELETE FROM first');
    const both = await Promise.all([migrate(database.url, folder), migrate(database.url, folder)]);
    expect(both.map((ran) => ran.length).sort((a, b) => a - b)).toEqual([0, 1]);
    expect(await query(isValid)).toEqual([{ isValid: true }]);
  });
});

describe('schema problems', () => {
  const known = ['3001_a.sql', '3002_b.sql', '3003_c.sql', '3004_d.sql'];
  test.each([
    [['3001_a.sql', '3002_b.sql', '3003_c.sql', '3004_d.sql'], null],
    [[], 'The database lacks 3001_a to 3004_d: run `npm run migrate`.'],
    [['3001_a.sql', '3002_b.sql'], 'The database lacks 3003_c and 3004_d: run `npm run migrate`.'],
    [['3001_a.sql', '3002_b.sql', '3004_d.sql'], 'The database lacks 3003_c: run `npm run migrate`.'],
    [
      [...known, '3005_e.sql', '3006_f.sql', '3007_g.sql'],
      'The database has 3005_e to 3007_g, this version knows up to 3004_d: run a newer version.',
    ],
    // Each side lacks migrations of the other, so only a version that knows both can run.
    [
      ['3001_a.sql', '3005_e.sql'],
      'The database has 3005_e, this version knows up to 3004_d: run a newer version.',
    ],
  ])('A database with %j is reported as %j', async (applied, problem) => {
    const rows = applied.map((name) => ({ name, isCompatible: false }));
    const files = known.map((name) => ({ name, stage: 'before' as const }));
    expect(await compared(files, rows)).toEqual({ problem, note: null });
  });

  test('Newer additive migrations and pending removing ones are only noted', async () => {
    const files = [
      { name: '3001_a.sql', stage: 'before' as const },
      { name: '3002_b.sql', stage: 'after' as const },
    ];
    const rows = [
      { name: '3001_a.sql', isCompatible: false },
      { name: '3003_c.sql', isCompatible: true },
    ];
    const note = 'the database has 3003_c of a newer version; 3002_b waits for `npm run migrate -- finish`';
    expect(await compared(files, rows)).toEqual({ problem: null, note });
    const breaking = [...rows, { name: '3004_d.sql', isCompatible: false }];
    expect((await compared(files, breaking)).problem).toBe(
      'The database has 3004_d, this version knows up to 3002_b: run a newer version.',
    );
  });
});

describe('upgrades', () => {
  const afterUpgrade = '-- After the upgrade: only the previous version reads it.\n';

  /** A process of the service that knows the migrations up to a number. */
  const processOf = async (lastNumber: string): Promise<Client> => {
    const connected = new Client({
      connectionString: database.url,
      application_name: `api 0.0.9 ${lastNumber}`,
    });
    await connected.connect();
    return connected;
  };

  test('Additive files run beside processes of the previous version, which continue and may start; the others wait for their end', async () => {
    await migrate(database.url, folder);
    const pool = createPostgres(
      { connectionString: database.url, applicationName: 'test', max: 1, statementTimeoutMs: 60_000 },
      pino({ level: 'silent' }),
    );
    const previous = await createSchemaGuard(pool.db, folder);
    const older = await processOf('3002');
    await add('3003_more', 'ALTER TABLE first ADD COLUMN a int;');
    await add('3004_less', `${afterUpgrade}DROP TABLE second;`);
    const present = await createSchemaGuard(pool.db, folder);
    expect(await migrate(database.url, folder, { after: 'later' })).toEqual(['3003_more.sql']);
    expect(await previous.compare()).toEqual({
      problem: null,
      note: 'the database has 3003_more of a newer version',
    });
    expect(await present.compare()).toEqual({
      problem: null,
      note: '3004_less waits for `npm run migrate -- finish`',
    });
    expect(await migrate(database.url, folder, { after: 'alone' })).toEqual([]);
    await expect(migrate(database.url, folder, { after: 'finish' })).rejects.toThrow(
      '3004_less takes away what api 0.0.9 still need: replace them, then run `npm run migrate -- finish`.',
    );
    const newer = await processOf('3004');
    await older.end();
    await gone('api 0.0.9 3002');
    expect(await migrate(database.url, folder, { after: 'finish' })).toEqual(['3004_less.sql']);
    expect(await present.compare()).toEqual({ problem: null, note: null });
    expect((await previous.compare()).problem).toBe(
      'The database has 3004_less, this version knows up to 3002_second: run a newer version.',
    );
    await newer.end();
    await pool.close();
  });

  test('Prerequisites of a later file run first, unless a process of an earlier version is connected', async () => {
    await migrate(database.url, folder);
    await add('3003_less', `${afterUpgrade}DROP TABLE second;`);
    await add('3004_again', 'CREATE TABLE second (a int);');
    const older = await processOf('3002');
    await expect(migrate(database.url, folder, { after: 'later' })).rejects.toThrow('3003_less takes away');
    expect(await states()).toMatchObject({ '3003': 'pending', '3004': 'pending' });
    await older.end();
    await gone('api 0.0.9 3002');
    expect(await migrate(database.url, folder, { after: 'later' })).toEqual([
      '3003_less.sql',
      '3004_again.sql',
    ]);
  });
});

test('No two migrations have the same number, so that their order is the intended one', async () => {
  const names = await readdir(join(import.meta.dirname, '../../../db/migrations'));
  const numbers = names.map((name) => name.slice(0, 4));
  expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([]);
  expect(numbers.length).toBeGreaterThan(12);
});
