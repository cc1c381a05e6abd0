/** Single folders and files, as a user sees them. */
import type { LibraryFile, LibraryFolder } from '#domain/library/objects.ts';
import type { LibraryOwner, LibraryView } from '#domain/library/space.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql } from '../sql.ts';
import { isOwnedBy } from './spaces.ts';

/** Of `library_space s`. */
export const ownerColumns = sql`
  CASE WHEN s.user_id IS NOT NULL THEN 'user' WHEN s.va_id IS NOT NULL THEN 'va' ELSE 'system' END AS owner_type,
  coalesce(s.user_id, s.va_id) AS owner_id`;

/** Columns of `library_folder f` and its space `s`: a `LibraryFolder`. */
const folderColumns = sql`f.id, f.parent_id, f.name, ${ownerColumns},
  f.min_product_level, f.sort_order, f.created_at, f.updated_at, f.deleted_at, f.revision`;

/** Columns of `library_file f` and its space `s`: a `LibraryFile`. */
const fileColumns = (
  folderId: Sql,
): Sql => sql`f.id, ${folderId} AS folder_id, f.name, f.type, f.mime_type, f.storage_key, f.url, f.file_size,
  f.file_hash, f.version,
  ${ownerColumns}, f.min_product_level, f.created_at, f.updated_at, f.deleted_at, f.revision`;

/** Condition on an entry `f` and its space `s`: the user's own, the system's, or an airline's, up to the level. */
export const isVisible = (userId: number, { level, vaIds }: LibraryView): Sql => sql`(s.user_id = ${userId}
  OR (s.user_id IS NULL AND (s.va_id IS NULL OR s.va_id = ANY(${[...vaIds]}::int[])) AND f.needed_level <= ${level}))`;

/**
 * The folder of a file `f` that the user sees. A user's file may be in a system folder above the user's
 * level, which is then shown as none.
 */
export const shownFolderId = ({ level }: Pick<LibraryView, 'level'>): Sql => sql`
  CASE WHEN EXISTS (SELECT FROM library_folder p
    WHERE p.id = f.folder_id AND p.space_id <> f.space_id AND p.needed_level > ${level}) THEN NULL ELSE f.folder_id END`;

export const libraryEntryRepo = (db: ReadDb) => ({
  /** Null if the user does not see it, or if it was deleted. */
  folder: (id: number, userId: number, view: LibraryView): Promise<LibraryFolder | null> =>
    db.maybe<LibraryFolder>(sql`
      SELECT ${folderColumns} FROM library_folder f JOIN library_space s ON s.id = f.space_id
      WHERE f.id = ${id} AND f.deleted_at IS NULL AND ${isVisible(userId, view)}`),

  /** Those of these files that the user sees and that have a content. */
  downloads: (
    ids: readonly number[],
    userId: number,
    view: LibraryView,
  ): Promise<{ id: number; version: number }[]> =>
    db.any<{ id: number; version: number }>(sql`
      SELECT f.id, f.version FROM library_file f JOIN library_space s ON s.id = f.space_id
      WHERE f.id = ANY(${[...ids]}::int[]) AND f.deleted_at IS NULL AND f.storage_key IS NOT NULL AND ${isVisible(userId, view)}
      ORDER BY f.id`),

  file: (id: number, userId: number, view: LibraryView): Promise<LibraryFile | null> =>
    db.maybe<LibraryFile>(sql`
      SELECT ${fileColumns(shownFolderId(view))} FROM library_file f JOIN library_space s ON s.id = f.space_id
      WHERE f.id = ${id} AND f.deleted_at IS NULL AND ${isVisible(userId, view)}`),

  /** The most recent file of this owner with this name in this folder (null: the root). */
  fileByName: (owner: LibraryOwner, folderId: number | null, name: string): Promise<LibraryFile | null> =>
    db.maybe<LibraryFile>(sql`
      SELECT ${fileColumns(sql`f.folder_id`)} FROM library_file f JOIN library_space s ON s.id = f.space_id
      WHERE ${isOwnedBy(owner)} AND f.folder_id IS NOT DISTINCT FROM ${folderId}::int AND f.name = ${name}
        AND f.deleted_at IS NULL
      ORDER BY f.id DESC LIMIT 1`),

  /** The folder of this owner with this name in this folder; the oldest of several. */
  folderByName: (owner: LibraryOwner, parentId: number | null, name: string): Promise<LibraryFolder | null> =>
    db.maybe<LibraryFolder>(sql`
      SELECT ${folderColumns} FROM library_folder f JOIN library_space s ON s.id = f.space_id
      WHERE ${isOwnedBy(owner)} AND f.parent_id IS NOT DISTINCT FROM ${parentId}::int AND f.name = ${name}
        AND f.deleted_at IS NULL
      ORDER BY f.id LIMIT 1`),

  isFolderPresent: (id: number): Promise<boolean> =>
    db.exists(sql`SELECT 1 AS found FROM library_folder WHERE id = ${id} AND deleted_at IS NULL`),

  isFolderEmpty: async (id: number): Promise<boolean> =>
    !(await db.exists(sql`
      SELECT 1 AS found FROM library_file WHERE folder_id = ${id} AND deleted_at IS NULL
      UNION ALL SELECT 1 FROM library_folder WHERE parent_id = ${id} AND deleted_at IS NULL LIMIT 1`)),

  /** Number of folders in a space that are not deleted. */
  folders: (spaceId: number): Promise<number> =>
    db.value<number>(
      sql`SELECT count(*) FROM library_folder WHERE space_id = ${spaceId} AND deleted_at IS NULL`,
    ),

  /** Number of files and links in a space that are not deleted. */
  files: (spaceId: number): Promise<number> =>
    db.value<number>(
      sql`SELECT count(*) FROM library_file WHERE space_id = ${spaceId} AND deleted_at IS NULL`,
    ),
});

interface ListedDocument {
  id: number;
  /** Folders from the root and the name, separated by slashes. */
  path: string;
  type: string;
  bytes: number;
  version: number;
  minLevel: number;
}

export const libraryListRepo = (db: ReadDb) => ({
  /** Documents of an owner, by path; `minLevel` counts the folders above. */
  documents: (owner: LibraryOwner): Promise<ListedDocument[]> =>
    db.any<ListedDocument>(sql`
      WITH RECURSIVE tree AS (
        SELECT f.id, f.name AS path FROM library_folder f JOIN library_space s ON s.id = f.space_id
        WHERE ${isOwnedBy(owner)} AND f.parent_id IS NULL
        UNION ALL
        SELECT f.id, t.path || '/' || f.name FROM library_folder f JOIN tree t ON f.parent_id = t.id
      )
      SELECT f.id, concat_ws('/', t.path, f.name) AS path, coalesce(f.mime_type, f.type) AS type,
        f.file_size AS bytes, f.version, f.needed_level AS min_level
      FROM library_file f JOIN library_space s ON s.id = f.space_id LEFT JOIN tree t ON t.id = f.folder_id
      WHERE ${isOwnedBy(owner)} AND f.deleted_at IS NULL ORDER BY 2, 1`),
});
