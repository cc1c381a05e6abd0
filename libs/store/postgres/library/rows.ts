import { sql } from '../sql.ts';
import type { Sql } from '../sql.ts';

/** Of `library_space s`. */
export const ownerColumns = sql`
  CASE WHEN s.user_id IS NOT NULL THEN 'user' WHEN s.va_id IS NOT NULL THEN 'va' ELSE 'system' END AS "ownerType",
  coalesce(s.user_id, s.va_id) AS "ownerId"`;

/** Of `library_folder f` and its space `s`: a `LibraryFolder`. */
export const folderColumns = sql`f.id, f.parent_id AS "parentId", f.name, ${ownerColumns},
  f.min_product_level AS "minProductLevel", f.sort_order AS "sortOrder", f.created_at AS "createdAt",
  f.updated_at AS "updatedAt", f.deleted_at AS "deletedAt", f.revision`;

/** Of `library_file f` and its space `s`: a `LibraryFile`. */
export const fileColumns = (
  folderId: Sql,
): Sql => sql`f.id, ${folderId} AS "folderId", f.name, f.type, f.mime_type AS "mimeType",
  f.storage_key AS "storageKey", f.url, f.file_size AS "fileSize", f.file_hash AS "fileHash", f.version,
  ${ownerColumns}, f.min_product_level AS "minProductLevel", f.created_at AS "createdAt", f.updated_at AS "updatedAt",
  f.deleted_at AS "deletedAt", f.revision`;
