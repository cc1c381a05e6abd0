/** What a user takes of the disk of the database: rows, indexes, and the texts of plans. */
import { Client } from 'pg';
import { fillGrown } from '#test/support/growth/fill.ts';

/** Ids of the accounts that come with the fill begin behind it. */
const from = 10_000;
/** So many that tables which everybody shares do not count. */
const users = 3_000;

export const userRows = async (databaseUrl: string): Promise<{ kb: number; rows: number }> => {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const bytes = async (): Promise<number> => {
      const { rows } = await client.query<{ n: string }>('SELECT pg_database_size(current_database()) AS n');
      return Number(rows[0]?.n);
    };
    const before = await bytes();
    const counts = await fillGrown(databaseUrl, { from, users, now: new Date(), whole: users });
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return { kb: ((await bytes()) - before) / users / 1_000, rows: rows / users };
  } finally {
    await client.end();
  }
};
