import { setTimeout } from 'node:timers/promises';
import type { Client } from 'pg';
import { codeOf } from '#domain/errors.ts';
import { oneLineOf } from '#platform/errors.ts';
import { withClient } from './client.ts';
import { SchemaError, squashed, migrationStates, readMigrations, titleOf, tooNew } from './migrations.ts';
import type { MigrationFile, MigrationState } from './migrations.ts';
import { processesBefore } from './processes.ts';
import { readDbOver } from './sql.ts';

const lockId = 727_001;
const turnMs = 200;
/** A waiting statement holds others up behind it, so one that gets no lock is repeated after a pause as long. */
const limitWaits = `SET lock_timeout = '2s'`;
const pauseMs = 2_000;
const attempts = 150;

/**
 * Only one process migrates. The others poll, because a waiting statement would hold a snapshot, for which a
 * concurrent index build would wait in turn.
 */
const takeTurn = async (client: Client): Promise<void> => {
  const ask = 'SELECT pg_try_advisory_lock($1) AS taken';
  while (!(await client.query<{ taken: boolean }>(ask, [lockId])).rows[0]?.taken) await setTimeout(turnMs);
};

const noteRun = (client: Client, { name, checksum, stage }: MigrationFile) =>
  client.query(
    'INSERT INTO migration (name, checksum, is_compatible) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    [name, checksum, stage === 'before'],
  );

/**
 * A database made by the squashed migrations already has the schema of the files that replaced them, so these
 * count as run.
 */
const recogniseJoined = async (client: Client, files: readonly MigrationFile[]): Promise<void> => {
  const baseline = files.filter(({ name }) => name <= squashed.last);
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM migration WHERE name <= $1 AND name <> ALL($2) ORDER BY name',
    [squashed.last, baseline.map(({ name }) => name)],
  );
  if (rows.length === 0) return;
  if (rows.length < squashed.count)
    throw new SchemaError(
      `The database has nothing after ${titleOf(rows.at(-1)?.name)}, this version begins with ${titleOf(squashed.last)}: run \`npm run migrate\` of the version before first.`,
    );
  for (const file of baseline) await noteRun(client, file);
};

/** In the first lines of a file whose statements run one by one, each of which can be repeated: the file counts as run when all have. */
const outside = /^(?:--.*\r?\n)*-- Outside a transaction\b/;
/** Runs until it changes nothing: each run is a batch, which is committed, of rows that the next no longer finds. */
const inBatches = /^\s*(?:UPDATE|DELETE)\b[^]*\bLIMIT\b/i;

const runOutside = async (client: Client, file: MigrationFile): Promise<void> => {
  for (const statement of file.text.replace(/^--.*$/gm, '').split(/;\s*(?:\n|$)/))
    for (let changed = true; changed;) {
      const { rowCount } = await client.query(statement);
      changed = inBatches.test(statement) && rowCount !== 0;
    }
  await noteRun(client, file);
};

const runInside = async (client: Client, file: MigrationFile): Promise<void> => {
  await client.query('BEGIN');
  await client.query(file.text);
  await noteRun(client, file);
  await client.query('COMMIT');
};

/** Runs one migration, for ten minutes while a lock is not available. Throws an error with the name of the file. */
const run = async (client: Client, file: MigrationFile): Promise<void> => {
  for (let left = attempts; ; left -= 1) {
    try {
      await client.query(limitWaits);
      await (outside.test(file.text) ? runOutside : runInside)(client, file);
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (codeOf(error) !== '55P03' || left === 1)
        throw new Error(`migration ${file.name} failed: ${oneLineOf(error)}`, { cause: error });
      await setTimeout(pauseMs);
    }
  }
};

export interface MigrateOptions {
  /** The last migration that runs, for a restore. */
  upTo?: string | undefined;
  /**
   * When files of the second stage run. `alone`: unless a process of an earlier version is connected. `finish`: the
   * same, and it is an error when one is. `later`: not, unless a file behind them has to run.
   */
  after?: 'alone' | 'finish' | 'later';
}

/** The pending files that may run now, in their order. Throws `SchemaError` when one that must run may not. */
const runnable = async (
  client: Client,
  pending: readonly MigrationFile[],
  after: MigrateOptions['after'],
): Promise<readonly MigrationFile[]> => {
  const lastAdded = pending.findLastIndex(({ stage }) => stage === 'before');
  for (const [i, { name, stage }] of pending.entries()) {
    if (stage === 'before') continue;
    const mayWait = i > lastAdded && after !== 'finish';
    if (mayWait && after === 'later') return pending.slice(0, i);
    const older = await processesBefore(client, name);
    if (older.length > 0 && mayWait) return pending.slice(0, i);
    if (older.length > 0)
      throw new SchemaError(
        `${titleOf(name)} takes away what ${older.join(', ')} still need: replace them, then run \`npm run migrate -- finish\`.`,
      );
  }
  return pending;
};

/**
 * Runs every `NNNN_name.sql` of the folder that has not run yet, each in one transaction unless it says otherwise, all
 * under one advisory lock. Forward only. Returns the names that ran. Throws `SchemaError` and changes nothing when the
 * database has migrations that the folder lacks, or a file was edited after it ran.
 */
export const migrate = async (
  connectionString: string,
  folder?: string,
  { upTo, after = 'alone' }: MigrateOptions = {},
): Promise<string[]> => {
  const files = (await readMigrations(folder)).filter(({ name }) => upTo === undefined || name <= upTo);
  return withClient(connectionString, 'migrate', async (client) => {
    await takeTurn(client);
    await client.query(`CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, ran_at timestamptz NOT NULL DEFAULT now(),
      checksum text, is_compatible boolean NOT NULL DEFAULT false)`);
    await recogniseJoined(client, files);
    const states = await migrationStates(readDbOver(client), files);
    const of = (wanted: MigrationState['state']) => states.filter(({ state }) => state === wanted);
    const [edited, unknown] = [of('edited'), of('unknown')];
    if (edited.length > 0)
      throw new SchemaError(
        `${edited.map(({ name }) => titleOf(name)).join(', ')} was edited after it ran on this database: restore the file, and put the change into a new migration.`,
      );
    // Migrations of this version were not tested on a schema changed by newer ones.
    if (unknown.length > 0) throw new SchemaError(tooNew(unknown, states));
    const pending = files.filter(({ name }) => of('pending').some((each) => each.name === name));
    const now = await runnable(client, pending, after);
    for (const file of now) await run(client, file);
    return now.map(({ name }) => name);
  });
};

/** Every migration of the folder and of the database. Changes nothing. */
export const migrationStatus = async (
  connectionString: string,
  folder?: string,
): Promise<MigrationState[]> => {
  const files = await readMigrations(folder);
  return withClient(connectionString, 'migrate', (client) => migrationStates(readDbOver(client), files));
};
