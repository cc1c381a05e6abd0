import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export const storageIdentityRepo = (db: ReadDb) => ({
  /** The id of the file storage that belongs to this database; null before the first start. */
  find: async (): Promise<string | null> =>
    (await db.maybe<{ id: string }>(sql`SELECT id FROM storage_identity`))?.id ?? null,
});

export const storageIdentityWrites = (tx: Tx) => ({
  /** True when it is the first id, and stored. While one is being stored the next caller waits. */
  claim: async (id: string): Promise<boolean> =>
    (await tx.run(sql`INSERT INTO storage_identity (id) VALUES (${id}) ON CONFLICT DO NOTHING`)) === 1,
});
