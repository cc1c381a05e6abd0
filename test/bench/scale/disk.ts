/** Database disk space per user: rows, indexes and plan texts. */
import { Client } from 'pg';
import { fillGrown } from '#test/support/growth/fill.ts';

/** Ids of generated accounts begin after this one. */
const from = 10_000;
/** Enough that tables shared by everybody do not matter. */
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
