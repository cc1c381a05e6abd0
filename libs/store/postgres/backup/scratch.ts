import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { withDatabase } from '#platform/config/database-url.ts';
import { withClient } from '../client.ts';
import type { DumpedTable } from './dump.ts';
import { RestoreError } from './load.ts';

const notOfExtension = (oid: string) =>
  `NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = ${oid} AND d.deptype = 'e')`;
const tables = `
  SELECT c.oid FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND ${notOfExtension('c.oid')}`;

/** `begun`: it has tables of the service and no account, as an interrupted restore leaves it. */
export const stateOfDatabase = (connectionString: string): Promise<'empty' | 'begun' | 'used'> =>
  withClient(connectionString, 'restore', async (client) => {
    const isTrue = async (test: string) =>
      (await client.query<{ found: boolean }>(`SELECT ${test} AS found`)).rows[0]?.found === true;
    if (!(await isTrue(`EXISTS (${tables})`))) return 'empty';
    if (!(await isTrue("to_regclass('public.migration') IS NOT NULL"))) return 'used';
    const hasAccounts =
      (await isTrue("to_regclass('public.app_user') IS NOT NULL")) &&
      (await isTrue('EXISTS (SELECT FROM app_user)'));
    return hasAccounts ? 'used' : 'begun';
  });

/** Empties a database that was empty before a restore was begun; extensions stay. */
export const clearDatabase = (connectionString: string): Promise<void> =>
  withClient(connectionString, 'restore', async (client) => {
    const { rows } = await client.query<{ text: string }>(`
      SELECT format('DROP TABLE %s CASCADE', t.oid::regclass) AS text FROM (${tables}) t
      UNION ALL SELECT format('DROP SEQUENCE IF EXISTS %s CASCADE', c.oid::regclass) FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'S' AND NOT EXISTS (
        SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'e', 'i'))
      UNION ALL SELECT format('DROP VIEW IF EXISTS %s CASCADE', c.oid::regclass) FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'v' AND ${notOfExtension('c.oid')}
      UNION ALL SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure) FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace AND ${notOfExtension('p.oid')}`);
    await client.query(
      ['BEGIN', ...rows.map(({ text }) => text), 'DROP SCHEMA IF EXISTS pgboss CASCADE', 'COMMIT'].join('; '),
    );
  });

const turnMs = 500;

/** Waits while another process tries a backup of this database; a lost connection releases the lock. */
const turn = async (client: Client): Promise<void> => {
  const take = "SELECT pg_try_advisory_lock(hashtext('backup check')) AS taken";
  // Repeated attempts instead of one waiting statement, whose snapshot would hold back VACUUM.
  while ((await client.query<{ taken: boolean }>(take)).rows[0]?.taken !== true) await sleep(turnMs);
};

/**
 * Runs the work on an empty database of the same server, which is dropped afterwards. One that a killed process left
 * behind is replaced; concurrent callers take turns. The role needs CREATEDB.
 */
export const withScratchDatabase = <T>(
  connectionString: string,
  work: (url: string) => Promise<T>,
): Promise<T> =>
  withClient(connectionString, 'backup', async (client) => {
    await turn(client);
    const { rows } = await client.query<{ name: string; quoted: string }>(`
      SELECT name, quote_ident(name) AS quoted FROM (SELECT left(current_database(), 48) || '_backup_check' AS name) d`);
    const [found] = rows;
    if (!found) throw new Error('the database has no name');
    const drop = () => client.query(`DROP DATABASE IF EXISTS ${found.quoted} WITH (FORCE)`);
    await drop();
    await client.query(`CREATE DATABASE ${found.quoted} TEMPLATE template0`);
    try {
      // Need not survive a crash.
      await client.query(`ALTER DATABASE ${found.quoted} SET synchronous_commit = off`);
      return await work(withDatabase(connectionString, found.name));
    } finally {
      await drop();
    }
  });

/** Throws if a table has another number of rows than its dump. */
export const assertCounts = (connectionString: string, dumped: readonly DumpedTable[]): Promise<void> =>
  withClient(connectionString, 'backup', async (client) => {
    for (const { name, rows: expected } of dumped) {
      const { rows } = await client.query<{ count: number }>(`SELECT count(*)::float8 AS count FROM ${name}`);
      if (rows[0]?.count !== expected)
        throw new RestoreError(
          `${name}: ${rows[0]?.count} rows after the restore, ${expected} in the backup.`,
        );
    }
  });
