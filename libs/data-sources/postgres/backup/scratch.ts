import type { Client } from 'pg';
import { withDatabase } from '#platform/config/database-url.ts';
import { createClient } from '../hosts.ts';
import type { DumpedTable } from './dump.ts';
import { RestoreError } from './load.ts';

const withClient = async <T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = createClient(connectionString, { application_name: 'backup' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/**
 * Runs the work on an empty database of the same server, which is dropped afterwards. One that a kill left behind is
 * replaced. The role needs CREATEDB.
 */
export const withScratchDatabase = async <T>(
  connectionString: string,
  work: (url: string) => Promise<T>,
): Promise<T> => {
  const drop = (client: Client, quoted: string) =>
    client.query(`DROP DATABASE IF EXISTS ${quoted} WITH (FORCE)`);
  const { name, quoted } = await withClient(connectionString, async (client) => {
    const { rows } = await client.query<{ name: string; quoted: string }>(`
      SELECT name, quote_ident(name) AS quoted FROM (SELECT left(current_database(), 48) || '_backup_check' AS name) d`);
    const [found] = rows;
    if (!found) throw new Error('the database has no name');
    await drop(client, found.quoted);
    await client.query(`CREATE DATABASE ${found.quoted} TEMPLATE template0`);
    // It need not survive a crash.
    await client.query(`ALTER DATABASE ${found.quoted} SET synchronous_commit = off`);
    return found;
  });
  try {
    return await work(withDatabase(connectionString, name));
  } finally {
    await withClient(connectionString, (client) => drop(client, quoted));
  }
};

/** Throws when a table has another number of rows than its dump. */
export const assertCounts = (connectionString: string, tables: readonly DumpedTable[]): Promise<void> =>
  withClient(connectionString, async (client) => {
    for (const { name, rows: expected } of tables) {
      const { rows } = await client.query<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${name}`);
      if (rows[0]?.count !== expected)
        throw new RestoreError(
          `${name}: ${rows[0]?.count} rows after the restore, ${expected} in the backup.`,
        );
    }
  });
