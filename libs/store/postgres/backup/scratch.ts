import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { withDatabase } from '#platform/config/database-url.ts';
import type { DumpedTable } from './dump.ts';
import { RestoreError } from './load.ts';

const turnMs = 500;

const withClient = async <T>(connectionString: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({
    connectionString,
    application_name: 'backup',
    // A trial may take an hour, in which this connection says nothing.
    keepAlive: true,
  });
  client.on('error', () => {
    // Lost between two statements: the next one fails.
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/** Waits for the one that tries a backup of this database now; a lost connection gives the turn up. */
const turn = async (client: Client): Promise<void> => {
  const take = "SELECT pg_try_advisory_lock(hashtext('backup check')) AS taken";
  // Not one statement that waits: its snapshot would hold back what VACUUM removes.
  while ((await client.query<{ taken: boolean }>(take)).rows[0]?.taken !== true) await sleep(turnMs);
};

/**
 * Runs the work on an empty database of the same server, which is dropped afterwards. One that a kill left behind is
 * replaced; several take turns. The role needs CREATEDB.
 */
export const withScratchDatabase = <T>(
  connectionString: string,
  work: (url: string) => Promise<T>,
): Promise<T> =>
  withClient(connectionString, async (client) => {
    await turn(client);
    const { rows } = await client.query<{ name: string; quoted: string }>(`
      SELECT name, quote_ident(name) AS quoted FROM (SELECT left(current_database(), 48) || '_backup_check' AS name) d`);
    const [found] = rows;
    if (!found) throw new Error('the database has no name');
    const drop = () => client.query(`DROP DATABASE IF EXISTS ${found.quoted} WITH (FORCE)`);
    await drop();
    await client.query(`CREATE DATABASE ${found.quoted} TEMPLATE template0`);
    try {
      // It need not survive a crash.
      await client.query(`ALTER DATABASE ${found.quoted} SET synchronous_commit = off`);
      return await work(withDatabase(connectionString, found.name));
    } finally {
      await drop();
    }
  });

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
