import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** A backup that was restored on trial. */
interface GoodBackup {
  /** Its name in BACKUP_URL, or its path. */
  file: string;
  takenAt: Date;
  bytes: number;
}

export const backupRepo = (db: ReadDb) => ({
  last: (): Promise<GoodBackup | null> =>
    db.maybe<GoodBackup>(
      sql`SELECT file, taken_at, bytes::float8 AS bytes FROM backup ORDER BY taken_at DESC LIMIT 1`,
    ),
  /** Start of the data that exist in no backup: time of the last backup, otherwise creation of the database. */
  coveredTo: (): Promise<Date> =>
    db.value<Date>(
      sql`SELECT coalesce((SELECT max(taken_at) FROM backup), (SELECT min(ran_at) FROM migration)) AS at`,
    ),
});

export const backupWrites = (tx: Tx) => ({
  /** Only the last one is stored. */
  add: async ({ file, takenAt, bytes }: GoodBackup): Promise<void> => {
    await tx.run(sql`DELETE FROM backup WHERE taken_at <= ${takenAt}`);
    await tx.run(sql`INSERT INTO backup (file, taken_at, bytes) VALUES (${file}, ${takenAt}, ${bytes})`);
  },
});
