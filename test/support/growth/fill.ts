/** Fills a database with the rows of many users, table by table. */
import { Client, escapeLiteral } from 'pg';
import { parserVersion } from '#domain/notam/interpret.ts';
import { documentOf } from '../checklists.ts';
import { grownTables } from './tables.ts';
import type { GrownTable } from './tables.ts';

export interface Growth {
  /** Their ids begin behind it. Accounts up to it exist, one of them with a plan: password and documents are theirs. */
  from: number;
  users: number;
  now: Date;
  /** The first of them, whose plans have whole documents. */
  whole?: number;
  /** Rows of a table; by default those of its users. */
  rowsOf?: (table: GrownTable) => number;
}

const keptLogDays = 30;

const filled = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\$(\w+)/g, (whole, name: string) => values[name] ?? whole);

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
  const client = new Client({ connectionString: databaseUrl, application_name: 'fill' });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica; SET synchronous_commit = off');
    await client.query(
      `SELECT request_log_make_day(($1::timestamptz AT TIME ZONE 'UTC')::date - d) FROM generate_series(0, ${keptLogDays}) d`,
      [now],
    );
    const counts: Record<string, number> = {};
    for (const table of grownTables) {
      const rows = String(rowsOf(table));
      const insert = filled(table.insert, { ...values, rows });
      const { rowCount } = await client.query(
        `WITH series AS (SELECT i FROM generate_series(1, ${rows}) i) INSERT INTO ${insert}`,
      );
      counts[table.name] = rowCount ?? 0;
    }
    // Entries that an index of trigrams has not sorted in yet are read one by one.
    await client.query('VACUUM app_user, subscription');
    await client.query('ANALYZE');
    return counts;
  } finally {
    await client.end();
  }
};
