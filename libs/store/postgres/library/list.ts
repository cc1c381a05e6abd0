import type { LibraryOwner } from '#domain/library/space.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';
import { isOwnedBy } from './spaces.ts';

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
