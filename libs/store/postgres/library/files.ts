import { randomUUID } from 'node:crypto';
import { isMediaType, mediaTypes } from '#domain/library/media-types.ts';
import type { LibraryFile } from '#domain/library/objects.ts';
import type { VideoLink } from '#domain/library/video-links.ts';
import { insertOf, setOf, sql } from '../sql.ts';
import type { Sql, Tx } from '../sql.ts';

/** What a file consists of: stored bytes, or a link. */
export type FileContent = Pick<
  LibraryFile,
  'type' | 'mimeType' | 'storageKey' | 'url' | 'fileSize' | 'fileHash'
>;

/** Storage of a received file, under a key that was never used before. */
export const storedContent = ({ type, bytes, sha256 }: { type: string; bytes: number; sha256: string }) => {
  if (!isMediaType(type)) throw new Error(`the library stores no ${type}`);
  const { kind, extensions } = mediaTypes[type];
  return {
    type: kind,
    mimeType: type,
    storageKey: `library/${randomUUID()}.${extensions[0]}`,
    url: null,
    fileSize: bytes,
    fileHash: sha256,
  } satisfies FileContent;
};

export const linkedContent = ({ url }: VideoLink): FileContent => ({
  type: 'video_url',
  mimeType: null,
  storageKey: null,
  url,
  fileSize: 0,
  fileHash: null,
});

interface FilePlace {
  name: string;
  folderId: number | null;
  minProductLevel: number;
}

export type StoredContent = FilePlace &
  Pick<LibraryFile, 'id' | 'version' | 'type' | 'storageKey' | 'fileSize'>;

/** The level of the file or, if that is higher, of its folder; 0 in the space of a user. */
const neededLevel = ({ folderId, minProductLevel }: FilePlace, isLimited: boolean): Sql =>
  isLimited
    ? sql`greatest(${minProductLevel}::int, (SELECT needed_level FROM library_folder WHERE id = ${folderId}::int))`
    : sql`0`;

const changed = (now: Date, stamp: string) => ({ updatedAt: now, changedAt: sql`${stamp}::timestamptz` });

/** Changes inside one locked space; `stamp` comes from `librarySpaceWrites.tick`. */
export const libraryFileWrites = (tx: Tx) => ({
  /** Null when the space has no such file. */
  find: (id: number, spaceId: number): Promise<StoredContent | null> =>
    tx.maybe<StoredContent>(sql`
      SELECT id, version, type, name, folder_id, min_product_level, storage_key,
        file_size
      FROM library_file WHERE id = ${id} AND space_id = ${spaceId} AND deleted_at IS NULL`),

  create: (
    { isLimited, ...file }: FileContent & FilePlace & { spaceId: number; isLimited: boolean },
    now: Date,
    stamp: string,
  ): Promise<{ id: number; revision: number }> => {
    const row = {
      ...file,
      neededLevel: neededLevel(file, isLimited),
      createdAt: now,
      ...changed(now, stamp),
    };
    return tx.one<{ id: number; revision: number }>(
      sql`${insertOf('library_file', row)} RETURNING id, revision`,
    );
  },

  /** The new version and revision. */
  replace: (
    { id, isLimited, ...file }: FileContent & FilePlace & { id: number; isLimited: boolean },
    now: Date,
    stamp: string,
  ): Promise<{ version: number; revision: number }> => {
    const row = { ...file, neededLevel: neededLevel(file, isLimited), ...changed(now, stamp) };
    return tx.one<{ version: number; revision: number }>(sql`
      UPDATE library_file SET ${setOf(row)}, version = version + 1 WHERE id = ${id} RETURNING version, revision`);
  },

  /** Renames or moves it; returns the revision. */
  change: (
    id: number,
    values: Partial<Pick<FilePlace, 'name' | 'folderId'>>,
    now: Date,
    stamp: string,
  ): Promise<number> =>
    tx.value<number>(sql`
      UPDATE library_file SET ${setOf({ ...values, ...changed(now, stamp) })} WHERE id = ${id} RETURNING revision`),

  /** The row remains as a tombstone. */
  delete: (id: number, now: Date, stamp: string): Promise<number> =>
    tx.run(sql`
      UPDATE library_file SET deleted_at = ${now}, updated_at = ${now}, changed_at = ${stamp}::timestamptz
      WHERE id = ${id}`),
});
