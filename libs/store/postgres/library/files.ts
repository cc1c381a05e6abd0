import type { EntryType } from '#domain/library/objects.ts';
import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

/** What a file consists of: stored bytes, or a link. */
export interface FileContent {
  type: EntryType;
  mimeType: string | null;
  storageKey: string | null;
  url: string | null;
  fileSize: number;
  fileHash: string | null;
}

interface FilePlace {
  name: string;
  folderId: number | null;
  minProductLevel: number;
}

export interface StoredContent extends FilePlace {
  id: number;
  version: number;
  type: EntryType;
  storageKey: string | null;
  fileSize: number;
}

/** Changes inside one space, which is locked; `stamp` is that of `librarySpaceWrites.tick`. */
export const libraryFileWrites = (tx: Tx) => ({
  /** Null when the space has no such file. */
  find: (id: number, spaceId: number): Promise<StoredContent | null> =>
    tx.maybe<StoredContent>(sql`
      SELECT id, version, type, name, folder_id, min_product_level, storage_key,
        file_size
      FROM library_file WHERE id = ${id} AND space_id = ${spaceId} AND deleted_at IS NULL`),

  create: async (
    { spaceId, isLimited, ...file }: FileContent & FilePlace & { spaceId: number; isLimited: boolean },
    now: Date,
    stamp: string,
  ): Promise<{ id: number; revision: number }> => {
    const needed = isLimited ? file.minProductLevel : 0;
    return tx.one<{ id: number; revision: number }>(sql`
      INSERT INTO library_file (space_id, folder_id, name, type, mime_type, storage_key, url, file_size, file_hash,
        min_product_level, needed_level, created_at, updated_at, changed_at)
      VALUES (${spaceId}, ${file.folderId}, ${file.name}, ${file.type}, ${file.mimeType}, ${file.storageKey},
        ${file.url}, ${file.fileSize}, ${file.fileHash}, ${file.minProductLevel},
        CASE WHEN ${isLimited}::boolean
          THEN greatest(${needed}::int, (SELECT needed_level FROM library_folder WHERE id = ${file.folderId}::int))
          ELSE 0 END,
        ${now}, ${now}, ${stamp}::timestamptz)
      RETURNING id, revision`);
  },

  /** The new version and revision. */
  replace: async (
    { id, isLimited, ...file }: FileContent & FilePlace & { id: number; isLimited: boolean },
    now: Date,
    stamp: string,
  ): Promise<{ version: number; revision: number }> => {
    const needed = isLimited ? file.minProductLevel : 0;
    return tx.one<{ version: number; revision: number }>(sql`
      UPDATE library_file SET folder_id = ${file.folderId}, name = ${file.name}, type = ${file.type},
        mime_type = ${file.mimeType}, storage_key = ${file.storageKey}, url = ${file.url},
        file_size = ${file.fileSize}, file_hash = ${file.fileHash}, version = version + 1,
        min_product_level = ${file.minProductLevel},
        needed_level = CASE WHEN ${isLimited}::boolean
          THEN greatest(${needed}::int, (SELECT needed_level FROM library_folder WHERE id = ${file.folderId}::int))
          ELSE 0 END,
        updated_at = ${now}, changed_at = ${stamp}::timestamptz
      WHERE id = ${id} RETURNING version, revision`);
  },

  /** The revision. Null when the space has no such file. */
  rename: (
    id: number,
    spaceId: number,
    name: string,
    now: Date,
    stamp: string,
  ): Promise<{ revision: number } | null> =>
    tx.maybe<{ revision: number }>(sql`
      UPDATE library_file SET name = ${name}, updated_at = ${now}, changed_at = ${stamp}::timestamptz
      WHERE id = ${id} AND space_id = ${spaceId} AND deleted_at IS NULL RETURNING revision`),

  /** The revision. */
  move: (id: number, folderId: number | null, now: Date, stamp: string): Promise<{ revision: number }> =>
    tx.one<{ revision: number }>(sql`
      UPDATE library_file SET folder_id = ${folderId}, updated_at = ${now}, changed_at = ${stamp}::timestamptz
      WHERE id = ${id} RETURNING revision`),

  /** The row remains as a tombstone. */
  delete: (id: number, now: Date, stamp: string): Promise<number> =>
    tx.run(sql`
      UPDATE library_file SET deleted_at = ${now}, updated_at = ${now}, changed_at = ${stamp}::timestamptz
      WHERE id = ${id}`),
});
