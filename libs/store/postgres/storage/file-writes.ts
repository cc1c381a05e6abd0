/** Files that are being written, and that no row refers to yet. */
import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

export const fileWriteWrites = (tx: Tx) => ({
  begin: (key: string, now: Date): Promise<number> =>
    tx.run(sql`INSERT INTO file_write (key, started_at) VALUES (${key}, ${now})`),

  /** From the commit on, a row refers to the file. 0 when the sweep has taken it. */
  end: (key: string): Promise<number> => tx.run(sql`DELETE FROM file_write WHERE key = ${key}`),

  /** Keys of writes that began before that time and never ended; they are forgotten with the commit. */
  takeLost: async (before: Date, limit: number): Promise<string[]> => {
    const lost = await tx.any<{ key: string }>(sql`
      DELETE FROM file_write WHERE key IN (
        SELECT key FROM file_write WHERE started_at < ${before} ORDER BY started_at LIMIT ${limit}
        FOR UPDATE SKIP LOCKED)
      RETURNING key`);
    return lost.map(({ key }) => key);
  },
});
