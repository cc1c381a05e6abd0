import type { Logger } from 'pino';
import { OutcomeUnknownError } from '#domain/errors.ts';
import type { FileStorage } from '#domain/ports.ts';
import type { Clock } from '#domain/time.ts';
import type { Postgres } from '../postgres/pool.ts';
import type { Tx } from '../postgres/sql.ts';
import { sql } from '../postgres/sql.ts';

export const fileWriteWrites = (tx: Tx) => ({
  begin: (key: string, now: Date): Promise<number> =>
    tx.run(sql`INSERT INTO file_write (key, started_at) VALUES (${key}, ${now})`),

  /** Called with the commit of the row that refers to the file. 0 when the sweep has deleted the file. */
  end: (key: string): Promise<number> => tx.run(sql`DELETE FROM file_write WHERE key = ${key}`),

  /** Keys of writes that began before that time and never ended; their records are deleted with the commit. */
  takeLost: (before: Date, limit: number): Promise<string[]> =>
    tx.values<string>(sql`
      DELETE FROM file_write WHERE key IN (
        SELECT key FROM file_write WHERE started_at < ${before} ORDER BY started_at LIMIT ${limit}
        FOR UPDATE SKIP LOCKED)
      RETURNING key`),
});

export interface FileWriting extends Pick<Postgres, 'transaction'> {
  /** Records the write outside the caller's transaction. */
  prepare: Pick<Postgres, 'single'>;
  storage: Pick<FileStorage, 'delete'>;
  clock: Clock;
  log: Logger;
}

interface NewFile<Written, Result> {
  /** Never used before, so that no reader sees another file under it. */
  key: string;
  /** Writes the whole file under the key. */
  put: () => Promise<Written>;
  /** Writes the row that refers to the file; runs again when the server has rolled the transaction back as a deadlock. */
  refer: (tx: Tx, written: Written) => Promise<Result>;
}

/**
 * Stores a file and the row that refers to it as one: a failure or a kill at any step leaves both unchanged, or both
 * new. The key is recorded before the first byte is written and cleared in the row's transaction, so the sweep
 * finds every file without a row. `refer` enqueues `fileDelete` for the file that the row referred to before.
 */
export const withNewFile = async <Written, Result>(
  { prepare, transaction, storage, clock, log }: FileWriting,
  { key, put, refer }: NewFile<Written, Result>,
): Promise<Result> => {
  await prepare.single((tx) => fileWriteWrites(tx).begin(key, clock.now()));
  try {
    const written = await put();
    return await transaction(async (tx) => {
      if ((await fileWriteWrites(tx).end(key)) === 0)
        throw new Error(`the write of ${key} took so long that the sweep has ended it`);
      return refer(tx, written);
    });
  } catch (error) {
    // The row may have been committed; the sweep decides.
    if (error instanceof OutcomeUnknownError) throw error;
    // Keep the record: an unanswered put may still complete.
    await storage.delete(key).catch((reason: unknown) => {
      log.warn({ err: reason, key }, 'file of a failed write is left to the sweep');
    });
    throw error;
  }
};
