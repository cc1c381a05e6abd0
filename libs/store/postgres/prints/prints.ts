import type { PrintContent } from '#domain/prints/content.ts';
import { maxPrints, shownBy } from '#domain/prints/files.ts';
import type { PrintFile } from '#domain/prints/files.ts';
import { mayRead } from '../ofp/access.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** A file of a print, requested or not. */
export interface PrintedFile {
  printId: string;
  file: PrintFile;
  /** Number of requests; 0: never. */
  asks: number;
  askedAt: Date | null;
  /** Storage key and ETag; null until it is drawn. */
  path: string | null;
  etag: string | null;
}

/** Dedupe key of the drawing job that was requested last. */
export const printJobKey = ({
  printId,
  file,
  asks,
}: Pick<PrintedFile, 'printId' | 'file' | 'asks'>): string => `${printId}/${file}#${asks}`;

export const printRepo = (db: ReadDb) => ({
  content: (id: string): Promise<PrintContent | null> =>
    db.valueOrNull<PrintContent>(sql`SELECT content FROM print WHERE id = ${id}`),

  /**
   * Null if there is no such print, if it has no content for the file, or if its user may no longer read the
   * plan.
   */
  file: (printId: string, file: PrintFile, now: Date): Promise<PrintedFile | null> =>
    db.maybe<PrintedFile>(sql`
      SELECT p.id AS print_id, ${file}::text AS file, coalesce(f.asks, 0) AS asks, f.asked_at, f.path, f.etag
      FROM print p LEFT JOIN print_file f ON f.print_id = p.id AND f.name = ${file}
      WHERE p.id = ${printId}
        AND jsonb_typeof(p.content -> ${shownBy[file]}) = 'object'
        AND (p.content ->> 'ofpId' IS NULL
          OR ${mayRead(sql`p.content ->> 'ofpId'`, sql`p.user_id`, now)})`),
});

export const printWrites = (tx: Tx) => ({
  /** Only the latest prints of a user are retained. */
  add: async (print: { id: string; userId: number; content: PrintContent }, now: Date): Promise<void> => {
    const { id, userId, content } = print;
    await tx.run(sql`
      INSERT INTO print (id, user_id, content, created_at)
      VALUES (${id}, ${userId}, ${JSON.stringify(content)}::jsonb, ${now})`);
    await tx.run(sql`
      DELETE FROM print WHERE id = ANY (ARRAY(
        SELECT id FROM print WHERE user_id = ${userId} ORDER BY id = ${id} DESC, created_at DESC, id LIMIT 100 OFFSET ${maxPrints}))`);
  },

  /** Requests a file if it is still in the state that the caller saw. Returns the new number of requests, else null. */
  ask: (seen: PrintedFile, now: Date): Promise<number | null> =>
    tx.valueOrNull<number>(sql`
      INSERT INTO print_file (print_id, name, asks, asked_at)
      SELECT id, ${seen.file}, 1, ${now} FROM print WHERE id = ${seen.printId}
      ON CONFLICT (print_id, name) DO UPDATE SET
        asks = print_file.asks + 1, asked_at = excluded.asked_at, path = NULL, etag = NULL, drawn_at = NULL
      WHERE print_file.asks = ${seen.asks} AND print_file.path IS NOT DISTINCT FROM ${seen.path}
      RETURNING asks`),

  /** Records a drawn file; false if it is no longer needed. */
  keep: async (
    { printId, file }: Pick<PrintedFile, 'printId' | 'file'>,
    drawn: { path: string; etag: string; drawnAt: Date },
  ): Promise<boolean> => {
    const kept = await tx.run(sql`
      UPDATE print_file SET path = ${drawn.path}, etag = ${drawn.etag}, drawn_at = ${drawn.drawnAt}
      WHERE print_id = ${printId} AND name = ${file} AND drawn_at IS NULL`);
    return kept > 0;
  },
});
