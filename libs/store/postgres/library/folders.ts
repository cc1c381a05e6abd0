import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

interface NewFolder {
  spaceId: number;
  parentId: number | null;
  name: string;
  minProductLevel: number;
  /** True where the level limits visibility: not in the space of a user. */
  isLimited: boolean;
}

interface DeletedTree {
  folderIds: number[];
  keys: string[];
  freedBytes: number;
}

/** Files per statement, so that each ends in time, however many files a folder has. */
const filesAtOnce = 2_000;

/** Changes inside one locked space; `stamp` comes from `librarySpaceWrites.tick`. */
export const libraryFolderWrites = (tx: Tx) => ({
  /** Placed after its siblings. */
  create: async (
    { spaceId, parentId, name, minProductLevel, isLimited }: NewFolder,
    now: Date,
    stamp: string,
  ): Promise<{ id: number; revision: number }> => {
    const needed = isLimited ? minProductLevel : 0;
    return tx.one<{ id: number; revision: number }>(sql`
      INSERT INTO library_folder
        (space_id, parent_id, name, min_product_level, needed_level, sort_order, created_at, updated_at, changed_at)
      SELECT ${spaceId}, ${parentId}::int, ${name}, ${minProductLevel}::int,
        greatest(${needed}::int, (SELECT needed_level FROM library_folder WHERE id = ${parentId}::int)),
        (SELECT count(*) FROM library_folder
          WHERE space_id = ${spaceId} AND parent_id IS NOT DISTINCT FROM ${parentId}::int AND deleted_at IS NULL),
        ${now}, ${now}, ${stamp}::timestamptz
      RETURNING id, revision`);
  },

  /** The revision. */
  rename: (id: number, name: string, now: Date, stamp: string): Promise<number> =>
    tx.value<number>(sql`
      UPDATE library_folder SET name = ${name}, updated_at = ${now}, changed_at = ${stamp}::timestamptz
      WHERE id = ${id} RETURNING revision`),

  /** Deletes a folder with everything below it, to any depth. Without folder ids it did not exist. */
  deleteTree: async (id: number, spaceId: number, now: Date, stamp: string): Promise<DeletedTree> => {
    const folderIds = await tx.value<number[] | null>(sql`
      WITH RECURSIVE tree AS (
        SELECT id, 0 AS depth FROM library_folder WHERE id = ${id} AND space_id = ${spaceId} AND deleted_at IS NULL
        UNION ALL
        SELECT f.id, t.depth + 1 FROM library_folder f JOIN tree t ON f.parent_id = t.id
        WHERE f.space_id = ${spaceId} AND f.deleted_at IS NULL
      ), folders AS (
        UPDATE library_folder SET deleted_at = ${now}, updated_at = ${now}, changed_at = ${stamp}::timestamptz
        WHERE id IN (SELECT id FROM tree)
      )
      SELECT array_agg(id ORDER BY depth, id) AS folder_ids FROM tree`);
    const deleted: DeletedTree = { folderIds: folderIds ?? [], keys: [], freedBytes: 0 };
    for (let found = filesAtOnce; found === filesAtOnce && folderIds;) {
      const files = await tx.any<{ key: string | null; bytes: number | null }>(sql`
        UPDATE library_file SET deleted_at = ${now}, updated_at = ${now}, changed_at = ${stamp}::timestamptz
        WHERE ctid = ANY(ARRAY(
          SELECT ctid FROM library_file
          WHERE folder_id = ANY(${folderIds}::int[]) AND space_id = ${spaceId} AND deleted_at IS NULL LIMIT ${filesAtOnce}))
        RETURNING storage_key AS key, file_size AS bytes`);
      for (const { key, bytes } of files) {
        if (key !== null) deleted.keys.push(key);
        deleted.freedBytes += bytes ?? 0;
      }
      found = files.length;
    }
    return deleted;
  },
});
