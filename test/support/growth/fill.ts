/** Fills a database with the rows of many users, table by table. */
import { Client, escapeLiteral } from 'pg';
import { parserVersion } from '#domain/notam/interpret.ts';
import { documentOf } from '../checklists.ts';
import { grownTables } from './tables.ts';
import type { GrownTable } from './tables.ts';

export interface Growth {
  /**
   * The highest user id before filling; the new users get the ids after it. One of the existing accounts has a plan;
   * the new users get copies of its password and documents.
   */
  from: number;
  users: number;
  now: Date;
  /** How many of the new users, from the first on, have plans with complete documents; the others' are shortened. */
  whole?: number;
  /** How many rows a table gets; by default as many as its users would have. */
  rowsOf?: (table: GrownTable) => number;
}

const keptLogDays = 30;
const connections = 2;

/** Indexes without a constraint, built after the tables are filled, in a fraction of the time. */
const laterIndexes = `
  SELECT i.indexrelid::regclass::text AS name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS definition
  FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
  WHERE t.relnamespace = 'public'::regnamespace AND t.relname = ANY ($1)
    AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)
    AND NOT EXISTS (SELECT 1 FROM pg_inherits p WHERE p.inhrelid = i.indexrelid)`;

const filled = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\$(\w+)/g, (whole, name: string) => values[name] ?? whole);

/** Tables filled in this order, each before the tables derived from it. */
const groupsOf = (tables: readonly GrownTable[]): GrownTable[][] =>
  tables
    .filter(({ madeOf }) => madeOf === undefined)
    .map((first) => {
      const group = [first];
      for (const { name } of group) group.push(...tables.filter(({ madeOf }) => madeOf === name));
      return group;
    });

/** Each client takes the next item when it has finished one. */
const shareOut = async <Item>(
  clients: readonly Client[],
  items: readonly Item[],
  work: (client: Client, item: Item) => Promise<void>,
): Promise<void> => {
  const waiting = items.values();
  await Promise.all(
    clients.map(async (client) => {
      for (const item of waiting) await work(client, item);
    }),
  );
};

/** The number of rows of each table. Ends with ANALYZE. */
export const fillGrown = async (
  databaseUrl: string,
  { from, users, now, whole = 0, rowsOf = ({ perUser }) => Math.max(1, Math.ceil(perUser * users)) }: Growth,
): Promise<Record<string, number>> => {
  const values = {
    from: String(from),
    users: String(users),
    whole: String(whole),
    now: `${escapeLiteral(now.toISOString())}::timestamptz`,
    checklist: `${escapeLiteral(JSON.stringify(documentOf()))}::json`,
    parser: String(parserVersion),
  };
  const clients = Array.from(
    { length: connections },
    () => new Client({ connectionString: databaseUrl, application_name: 'fill' }),
  );
  const [client] = clients as [Client];
  try {
    for (const each of clients) {
      await each.connect();
      await each.query(`SET session_replication_role = replica; SET synchronous_commit = off;
        SET maintenance_work_mem = '256MB'; SET max_parallel_maintenance_workers = 0`);
    }
    await client.query(
      `SELECT request_log_make_day(($1::timestamptz AT TIME ZONE 'UTC')::date - d) FROM generate_series(0, ${keptLogDays}) d`,
      [now],
    );
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(laterIndexes, [
      grownTables.map(({ name }) => name),
    ]);
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
    const counts: Record<string, number> = {};
    await shareOut(clients, groupsOf(grownTables), async (each, group) => {
      for (const table of group) {
        const rows = String(rowsOf(table));
        const insert = filled(table.insert, { ...values, rows });
        const { rowCount } = await each.query(
          `WITH series AS (SELECT i FROM generate_series(1, ${rows}) i) INSERT INTO ${insert}`,
        );
        counts[table.name] = rowCount ?? 0;
      }
    });
    await shareOut(clients, indexes, async (each, { definition }) => {
      await each.query(definition);
    });
    await client.query('ANALYZE');
    return counts;
  } finally {
    for (const each of clients) await each.end();
  }
};
