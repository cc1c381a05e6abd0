import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

export interface NewFolder {
  spaceId: number;
  parentId: number | null;
  name: string;
  minProductLevel: number;
  /** True where the level limits who sees it: not in the space of a user. */
  isLimited: boolean;
}

export interface DeletedTree {
  folderIds: number[];
  keys: string[];
  freedBytes: number;
}

/** Changes inside one space, which is locked; `stamp` is that of `librarySpaceWrites.tick`. */
export const libraryFolderWrites = (tx: Tx) => ({
  /** The new id; behind its siblings. */
  create: async (
    { spaceId, parentId, name, minProductLevel, isLimited }: NewFolder,
    now: Date,
    stamp: string,
  ): Promise<number> => {
    const needed = isLimited ? minProductLevel : 0;
    const { id } = await tx.one<{ id: number }>(sql`
      INSERT INTO library_folder
        (space_id, parent_id, name, min_product_level, needed_level, sort_order, created_at, updated_at, changed_at)
      SELECT ${spaceId}, ${parentId}::int, ${name}, ${minProductLevel}::int,
        greatest(${needed}::int, (SELECT needed_level FROM library_folder WHERE id = ${parentId}::int)),
        (SELECT count(*) FROM library_folder
          WHERE space_id = ${spaceId} AND parent_id IS NOT DISTINCT FROM ${parentId}::int AND deleted_at IS NULL),
        ${now}, ${now}, ${stamp}::timestamptz
      RETURNING id`);
    return id;
  },

  /** 0 when the space has no such folder. */
  rename: (id: number, spaceId: number, name: string, now: Date, stamp: string): Promise<number> =>
    tx.run(sql`
      UPDATE library_folder SET name = ${name}, updated_at = ${now}, changed_at = ${stamp}::timestamptz
      WHERE id = ${id} AND space_id = ${spaceId} AND deleted_at IS NULL`),

  /** Deletes a folder with everything below it, to any depth, in one statement. No folder ids: there is none. */
  deleteTree: async (id: number, spaceId: number, now: Date, stamp: string): Promise<DeletedTree> => {
    const { folderIds, keys, freedBytes } = await tx.one<{
      folderIds: number[] | null;
      keys: string[] | null;
      freedBytes: number;
    }>(sql`
      WITH RECURSIVE tree AS (
        SELECT id, 0 AS depth FROM library_folder WHERE id = ${id} AND space_id = ${spaceId} AND deleted_at IS NULL
        UNION ALL
        SELECT f.id, t.depth + 1 FROM library_folder f JOIN tree t ON f.parent_id = t.id
        WHERE f.space_id = ${spaceId} AND f.deleted_at IS NULL
      ), folders AS (
        UPDATE library_folder SET deleted_at = ${now}, updated_at = ${now}, changed_at = ${stamp}::timestamptz
        WHERE id IN (SELECT id FROM tree)
      ), files AS (
        UPDATE library_file SET deleted_at = ${now}, updated_at = ${now}, changed_at = ${stamp}::timestamptz
        WHERE folder_id IN (SELECT id FROM tree) AND space_id = ${spaceId} AND deleted_at IS NULL
        RETURNING storage_key, file_size
      )
      SELECT (SELECT array_agg(id ORDER BY depth, id) FROM tree) AS "folderIds",
        (SELECT array_agg(storage_key) FILTER (WHERE storage_key IS NOT NULL) FROM files) AS keys,
        (SELECT coalesce(sum(file_size), 0)::bigint FROM files) AS "freedBytes"`);
    return { folderIds: folderIds ?? [], keys: keys ?? [], freedBytes };
  },
});
