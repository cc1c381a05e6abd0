/** Uploads in parts: their owner, their target, and the parts received. */
import { addSeconds } from '#domain/time.ts';
import { insertOf, sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';

/** Hours until an unfinished upload is deleted, and during which the last call of a finished one can be repeated. */
const hours = { unfinished: 24, finished: 1 } as const;

interface ResumableUpload {
  id: string;
  name: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

export interface ArrivedUpload extends ResumableUpload {
  /** Storage keys of the pieces, in order. */
  keys: string[];
  /** Bytes received. */
  offset: number;
}

const arrivedBytes = sql`(SELECT coalesce(sum(piece), 0)::bigint FROM unnest(piece_bytes) piece)`;
const columns: Sql = sql`id, name, bytes, sha256, piece_keys AS keys, ${arrivedBytes} AS "offset"`;

export const resumableUploadRepo = (db: ReadDb) => ({
  byId: (id: string): Promise<ArrivedUpload | null> =>
    db.maybe<ArrivedUpload>(sql`SELECT ${columns} FROM resumable_upload WHERE id = ${id}`),

  /** Null also for another user's upload. */
  find: (id: string, userId: number): Promise<ArrivedUpload | null> =>
    db.maybe<ArrivedUpload>(
      sql`SELECT ${columns} FROM resumable_upload WHERE id = ${id} AND user_id = ${userId}`,
    ),

  /** Unfinished uploads. */
  open: (userId: number): Promise<{ count: number; bytes: number }> =>
    db.one<{ count: number; bytes: number }>(sql`
      SELECT count(*)::int AS count, coalesce(sum(bytes), 0)::bigint AS bytes FROM resumable_upload
      WHERE user_id = ${userId} AND finished_at IS NULL`),
});

export const resumableUploadWrites = (tx: Tx) => ({
  begin: (upload: ResumableUpload, userId: number, now: Date): Promise<number> =>
    tx.run(insertOf('resumable_upload', { ...upload, userId, createdAt: now })),

  /** False: another piece has been received at this offset. */
  arrived: async (id: string, offset: number, piece: { key: string; bytes: number }): Promise<boolean> =>
    (await tx.run(sql`
      UPDATE resumable_upload
      SET piece_keys = piece_keys || ${piece.key}::text, piece_bytes = piece_bytes || ${piece.bytes}::integer
      WHERE id = ${id} AND ${arrivedBytes} = ${offset}`)) > 0,

  finish: (id: string, now: Date): Promise<number> =>
    tx.run(sql`UPDATE resumable_upload SET finished_at = ${now} WHERE id = ${id}`),

  /** Null if it has become a document. */
  end: (id: string, userId: number): Promise<{ keys: string[] } | null> =>
    tx.maybe<{ keys: string[] }>(sql`
      DELETE FROM resumable_upload WHERE id = ${id} AND user_id = ${userId} AND finished_at IS NULL
      RETURNING piece_keys AS keys`),

  /** Uploads whose pieces are to be removed, a bounded number. */
  sweep: (now: Date): Promise<{ keys: string[] }[]> =>
    tx.any<{ keys: string[] }>(sql`
      DELETE FROM resumable_upload WHERE id IN (
        SELECT id FROM resumable_upload
        WHERE created_at < ${addSeconds(now, -hours.unfinished * 3_600)}
          OR finished_at < ${addSeconds(now, -hours.finished * 3_600)}
        ORDER BY created_at LIMIT 500 FOR UPDATE SKIP LOCKED)
      RETURNING piece_keys AS keys`),
});
