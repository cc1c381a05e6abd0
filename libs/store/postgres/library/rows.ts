import { sql } from '../sql.ts';
import type { Sql } from '../sql.ts';

/** Of `library_space s`. */
export const ownerColumns = sql`
  CASE WHEN s.user_id IS NOT NULL THEN 'user' WHEN s.va_id IS NOT NULL THEN 'va' ELSE 'system' END AS owner_type,
  coalesce(s.user_id, s.va_id) AS owner_id`;

/** Of `library_folder f` and its space `s`: a `LibraryFolder`. */
export const folderColumns = sql`f.id, f.parent_id, f.name, ${ownerColumns},
  f.min_product_level, f.sort_order, f.created_at, f.updated_at, f.deleted_at, f.revision`;

/** Of `library_file f` and its space `s`: a `LibraryFile`. */
export const fileColumns = (
  folderId: Sql,
): Sql => sql`f.id, ${folderId} AS folder_id, f.name, f.type, f.mime_type, f.storage_key, f.url, f.file_size,
  f.file_hash, f.version,
  ${ownerColumns}, f.min_product_level, f.created_at, f.updated_at, f.deleted_at, f.revision`;
