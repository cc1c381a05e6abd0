import pg from 'pg';
import { SchemaError, migrationProblem, migrationStates, readMigrations } from './migrations.ts';
import type { AppliedMigration, MigrationFile, MigrationState } from './migrations.ts';

const lockId = 727_001;

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

/** The rows of `migration`; a database of an earlier version has no checksums, an empty one not even the table. */
const appliedOn = async (client: pg.Client): Promise<AppliedMigration[]> => {
  const { rows } = await client.query<AppliedMigration>(
    `SELECT m.name, m.ran_at AS "ranAt", to_jsonb(m) ->> 'checksum' AS checksum FROM migration m ORDER BY name`,
  );
  return rows;
};

const runOne = async (client: pg.Client, { name, text, checksum }: MigrationFile): Promise<void> => {
  try {
    await client.query('BEGIN');
    await client.query(text);
    await client.query('INSERT INTO migration (name, checksum) VALUES ($1, $2)', [name, checksum]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
};

/**
 * Runs every `NNNN_name.sql` of the folder that has not run yet, each in one transaction, all under one
 * advisory lock, so that two processes may start at once. Forward only. Returns the names that ran. Throws
 * `SchemaError` and changes nothing when the database has migrations that the folder lacks, or a file was edited
 * after it ran. `upTo` is the last one that runs, for a restore.
 */
export const migrate = async (
  connectionString: string,
  folder?: string,
  upTo?: string,
): Promise<string[]> => {
  const all = await readMigrations(folder);
  const files = upTo === undefined ? all : all.filter(({ name }) => name <= upTo);
  const client = await connect(connectionString);
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockId]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, ran_at timestamptz NOT NULL DEFAULT now())',
    );
    const states = migrationStates(files, await appliedOn(client));
    const problem = migrationProblem(states);
    if (problem !== null) throw new SchemaError(problem);
    await client.query('ALTER TABLE migration ADD COLUMN IF NOT EXISTS checksum text');
    // Migrations that ran before there were checksums count as unedited.
    for (const { name, checksum } of files)
      await client.query('UPDATE migration SET checksum = $2 WHERE name = $1 AND checksum IS NULL', [
        name,
        checksum,
      ]);
    const pending = new Set(states.filter(({ state }) => state === 'pending').map(({ name }) => name));
    for (const file of files) if (pending.has(file.name)) await runOne(client, file);
    return [...pending];
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
    return migrationStates(files, rows[0]?.found === true ? await appliedOn(client) : []);
  } finally {
    await client.end();
  }
};
