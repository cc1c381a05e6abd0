import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

const lockId = 727_001;

/**
 * Runs every `NNNN_name.sql` of the folder that has not run yet, each in one transaction, all under one
 * advisory lock, so that two processes may start at once. Forward only. Returns the names that ran.
 */
export const migrate = async (connectionString: string, folder: string): Promise<string[]> => {
  const files = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  const client = new pg.Client({ connectionString, application_name: 'migrate' });
  try {
    await client.connect();
  } catch (error) {
    // When two addresses both refuse, Node reports a code without a text.
    const reason = error instanceof Error ? error.message || ('code' in error ? String(error.code) : '') : '';
    throw new Error(
      `DATABASE_URL: no connection to the database at ${client.host}:${client.port}: ${reason}`,
      {
        cause: error,
      },
    );
  }
  const ran: string[] = [];
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockId]);
    await client.query(
      'CREATE TABLE IF NOT EXISTS migration (name text PRIMARY KEY, ran_at timestamptz NOT NULL DEFAULT now())',
    );
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migration');
    const done = new Set(rows.map((row) => row.name));
    for (const name of files.filter((file) => !done.has(file))) {
      const text = await readFile(join(folder, name), 'utf8');
      try {
        await client.query('BEGIN');
        await client.query(text);
        await client.query('INSERT INTO migration (name) VALUES ($1)', [name]);
        await client.query('COMMIT');
      } catch (error) {
        await client.query('ROLLBACK');
        throw new Error(
          `migration ${name} failed: ${error instanceof Error ? error.message : String(error)}`,
          {
            cause: error,
          },
        );
      }
      ran.push(name);
    }
  } finally {
    await client.end();
  }
  return ran;
};
