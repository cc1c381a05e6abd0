/** Databases into which a restore is about to be made, or was begun. */
import { Client } from 'pg';

export const connected = async <T>(
  connectionString: string,
  work: (client: Client) => Promise<T>,
): Promise<T> => {
  const client = new Client({ connectionString, application_name: 'restore' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

const notOfExtension = (oid: string) =>
  `NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = ${oid} AND d.deptype = 'e')`;
const tables = `
  SELECT c.oid FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND ${notOfExtension('c.oid')}`;

/** `begun`: it has tables of the service and no account, as an interrupted restore leaves it. */
export const stateOfDatabase = (connectionString: string): Promise<'empty' | 'begun' | 'used'> =>
  connected(connectionString, async (client) => {
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
  connected(connectionString, async (client) => {
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
