import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import {
  SchemaError,
  joined,
  migrationProblem,
  migrationStates,
  readMigrations,
  titleOf,
} from './migrations.ts';
import type { AppliedMigration, MigrationFile, MigrationState } from './migrations.ts';
import { processesBefore } from './processes.ts';
import { runMigration } from './run-migration.ts';
import type { Patience } from './run-migration.ts';

const lockId = 727_001;

const turnMs = 200;

/**
 * Only one process migrates. The others ask again and again: a statement that waits would hold a snapshot, for which an
 * index that is built concurrently waits in turn.
 */
const takeTurn = async (client: pg.Client): Promise<void> => {
  const ask = async () =>
    (await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [lockId])).rows[0]
      ?.taken;
  while ((await ask()) !== true) await setTimeout(turnMs);
};

const connect = async (connectionString: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString, application_name: 'migrate' });
  try {
    await client.connect();
    return client;
  } catch (error) {
    // When two addresses both refuse, Node reports a code without a text.
    const reason = error instanceof Error ? error.message || ('code' in error ? String(error.code) : '') : '';
    throw new Error(
      `DATABASE_URL: no connection to the database at ${client.host}:${client.port}: ${reason}`,
      { cause: error },
    );
  }
};

/** The rows of `migration`, without those of joined migrations. */
const appliedOn = async (client: pg.Client, files: readonly MigrationFile[]): Promise<AppliedMigration[]> => {
  const { rows } = await client.query<AppliedMigration>(
    `SELECT name, ran_at AS "ranAt", checksum, is_compatible AS "isCompatible" FROM migration
     WHERE name > $1 OR name = ANY($2) ORDER BY name`,
    [joined.last, files.map(({ name }) => name)],
  );
  return rows;
};

/** A database that the joined migrations have made has what the files up to theirs make: these count as run. */
const recogniseJoined = async (client: pg.Client, files: readonly MigrationFile[]): Promise<void> => {
  const baseline = files.filter(({ name }) => name <= joined.last);
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM migration WHERE name <= $1 AND name <> ALL($2) ORDER BY name',
    [joined.last, baseline.map(({ name }) => name)],
  );
  if (rows.length === 0) return;
  if (rows.length < joined.count)
    throw new SchemaError(
      `The database has nothing after ${titleOf(rows.at(-1)?.name)}, this version begins with ${titleOf(joined.last)}: run \`npm run migrate\` of the version before first.`,
    );
  for (const { name, checksum } of baseline)
    await client.query(
      'INSERT INTO migration (name, checksum, is_compatible) VALUES ($1, $2, true) ON CONFLICT DO NOTHING',
      [name, checksum],
    );
};

const defaultPatience: Patience = { lockTimeoutMs: 2_000, patienceMs: 600_000 };

export interface MigrateOptions {
  /** The last migration that runs, for a restore. */
  upTo?: string | undefined;
  patience?: Patience;
  /**
   * When files of the second stage run. `always`: in their turn. `alone`: unless a process of an earlier version is connected. `finish`:
   * the same, and it is an error when one is. `later`: not, unless a file behind them has to run.
   */
  after?: 'always' | 'alone' | 'finish' | 'later';
}

/** The pending files that may run now, in their order. Throws `SchemaError` when one that must run may not. */
const runnable = async (
  client: pg.Client,
  pending: readonly MigrationFile[],
  after: NonNullable<MigrateOptions['after']>,
): Promise<MigrationFile[]> => {
  if (after === 'always') return [...pending];
  const lastAdded = pending.findLastIndex(({ stage }) => stage === 'before');
  for (const [i, { name, stage }] of pending.entries()) {
    if (stage === 'before') continue;
    const isNeeded = i < lastAdded || after === 'finish';
    if (!isNeeded && after === 'later') return pending.slice(0, i);
    const older = await processesBefore(client, name);
    if (older.length === 0) continue;
    if (!isNeeded) return pending.slice(0, i);
    throw new SchemaError(
      `${titleOf(name)} takes away what ${older.join(', ')} still need: replace them, then run \`npm run migrate -- finish\`.`,
    );
  }
  return [...pending];
};

/**
 * Runs every `NNNN_name.sql` of the folder that has not run yet, each in one transaction unless it says otherwise, all
 * under one advisory lock, so that two processes may start at once. Forward only. Returns the names that ran. Throws
 * `SchemaError` and changes nothing when the database has migrations that the folder lacks, or a file was edited
 * after it ran. A migration waits for a lock of 2 seconds at most, so that it never holds up others for longer, and
 * is tried again for 10 minutes.
 */
export const migrate = async (
  connectionString: string,
  folder?: string,
  { upTo, patience = defaultPatience, after = 'always' }: MigrateOptions = {},
): Promise<string[]> => {
  const all = await readMigrations(folder);
  const files = upTo === undefined ? all : all.filter(({ name }) => name <= upTo);
  const client = await connect(connectionString);
  try {
    await takeTurn(client);
    await client.query(`CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, ran_at timestamptz NOT NULL DEFAULT now(),
      checksum text, is_compatible boolean NOT NULL DEFAULT false)`);
    await recogniseJoined(client, files);
    const applied = await appliedOn(client, files);
    const problem = migrationProblem(files, applied);
    if (problem !== null) throw new SchemaError(problem);
    const ran = new Set(applied.map(({ name }) => name));
    const pending = files.filter(({ name }) => !ran.has(name));
    const now = await runnable(client, pending, after);
    for (const file of now) await runMigration(client, file, patience);
    return now.map(({ name }) => name);
  } finally {
    await client.end();
  }
};

/** Every migration of the folder and of the database. Changes nothing. */
export const migrationStatus = async (
  connectionString: string,
  folder?: string,
): Promise<MigrationState[]> => {
  const files = await readMigrations(folder);
  const client = await connect(connectionString);
  try {
    const { rows } = await client.query<{ found: boolean }>(
      `SELECT to_regclass('migration') IS NOT NULL AS found`,
    );
    return migrationStates(files, rows[0]?.found === true ? await appliedOn(client, files) : []);
  } finally {
    await client.end();
  }
};
