/** What a user sees of the library, or its changes. */
import type { LibraryFile, LibraryFolder } from '#domain/library/objects.ts';
import { maxId } from '#domain/fields/index.ts';
import { isSameView } from '#domain/library/space.ts';
import type { LibraryView } from '#domain/library/space.ts';
import type { SyncPlace } from '#domain/library/sync-page.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';
import { isVisible, shownFolderId, ownerColumns } from './entries.ts';

interface Synced {
  /** Stamp of the last change that it contains, `YYYY-MM-DD HH:MM:SS`. */
  syncedAt: string;
  folders: LibraryFolder[];
  files: LibraryFile[];
  /** The last entry of the page if more entries follow, else null. */
  last: SyncPlace | null;
}

interface SyncPage {
  /** Maximum number of entries; null: all. */
  limit: number | null;
  after: SyncPlace | null;
}

/** What a client has stored: everything up to `since` that the user's `view` at that time showed; null: only their own entries. */
interface Known {
  since: string;
  view: LibraryView | null;
}

const noView: LibraryView = { level: -1, vaIds: [] };

type Row = LibraryFolder & LibraryFile & { kind: 'clock' | 'folder' | 'file' };

const stampText = sql`to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

/**
 * Conditions on an entry `f` and its space `s`: it has changed (found by an index), or a change of the user's view shows
 * or hides it. The view never affects the user's own entries.
 */
const changedSince = (userId: number, view: LibraryView, { since, view: before }: Known): Sql[] => {
  const hasChanged = sql`f.changed_at > ${since}::timestamptz`;
  const sees = isVisible(userId, view);
  if (before && isSameView(view, before)) return [sql`${hasChanged} AND ${sees}`];
  const saw = isVisible(userId, before ?? noView);
  return [
    sql`${hasChanged} AND (${sees} OR ${saw})`,
    sql`f.deleted_at IS NULL AND f.changed_at <= ${since}::timestamptz AND s.user_id IS NULL
      AND (${sees} IS TRUE) <> (${saw} IS TRUE)`,
  ];
};

/** Condition on a file `f` of the user: a change of the view shows or hides the folder that contains it. */
const movedSince = (userId: number, view: LibraryView, { since, view: before }: Known): Sql[] =>
  before && isSameView(view, before)
    ? []
    : [
        sql`f.deleted_at IS NULL AND f.changed_at <= ${since}::timestamptz AND s.user_id = ${userId}
          AND ${shownFolderId(view)} IS DISTINCT FROM ${shownFolderId(before ?? noView)}`,
      ];

export const librarySyncRepo = (db: ReadDb) => ({
  /** A sync from before this stamp could miss deletions: deleted entries are retained for a limited time. */
  sweptTo: (): Promise<string> =>
    db.value<string>(sql`
        SELECT to_char(swept_to AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at FROM library_clock`),

  /** The view that was in force at this stamp; null before the first sync. */
  viewAt: (userId: number, stamp: string): Promise<LibraryView | null> =>
    db.maybe<LibraryView>(sql`
      SELECT level, va_ids FROM library_view
      WHERE user_id = ${userId} AND seen_from <= ${stamp}::timestamptz ORDER BY seen_from DESC LIMIT 1`),

  /** The user's most recent stored view. */
  latestView: (userId: number): Promise<LibraryView | null> =>
    db.maybe<LibraryView>(sql`
      SELECT level, va_ids FROM library_view
      WHERE user_id = ${userId} ORDER BY seen_from DESC LIMIT 1`),

  /**
   * Without `known`, all entries that exist; otherwise those that were created, changed or deleted, that have become
   * visible, or that are no longer visible (these with `deletedAt`). A single statement, so that the result is consistent.
   */
  read: async (
    userId: number,
    view: LibraryView,
    known: Known | null,
    now: Date,
    { limit, after }: SyncPage,
  ): Promise<Synced> => {
    const wanted = known
      ? changedSince(userId, view, known)
      : [sql`f.deleted_at IS NULL AND ${isVisible(userId, view)}`];
    const removed = known
      ? sql`CASE WHEN ${isVisible(userId, view)} THEN f.deleted_at ELSE coalesce(f.deleted_at, ${now}) END`
      : sql`f.deleted_at`;
    const folderAfter = after?.kind === 'file' ? maxId : (after?.id ?? 0);
    const fileAfter = after?.kind === 'file' ? after.id : 0;
    const foldersOf = (isWanted: Sql) => sql`
      UNION ALL
      SELECT 'folder', f.id, f.name, ${ownerColumns}, f.min_product_level, f.created_at, f.updated_at, ${removed},
        f.parent_id, NULL, f.sort_order, NULL, NULL, NULL, NULL, 0, NULL, 0, f.revision
      FROM library_folder f JOIN library_space s ON s.id = f.space_id
      WHERE ${isWanted} AND f.id > ${folderAfter}`;
    const filesOf = (isWanted: Sql) => sql`
      UNION ALL
      SELECT 'file', f.id, f.name, ${ownerColumns}, f.min_product_level, f.created_at, f.updated_at, ${removed},
        NULL, ${shownFolderId(view)}, 0, f.type, f.mime_type, f.storage_key, f.url, f.file_size, f.file_hash, f.version, f.revision
      FROM library_file f JOIN library_space s ON s.id = f.space_id
      WHERE ${isWanted} AND f.id > ${fileAfter}`;
    const moved = known ? movedSince(userId, view, known) : [];
    const entries = [...wanted.map(foldersOf), ...[...wanted, ...moved].map(filesOf)];
    // OFFSET stops the planner from scanning all rows in order of id to find the user's.
    const pageOf = (all: Sql) =>
      limit === null
        ? all
        : sql`SELECT * FROM (${all} OFFSET 0) entry ORDER BY kind <> 'clock', kind DESC, id LIMIT ${limit + 2}`;
    const rows = await db.any<Row>(
      pageOf(sql`
      SELECT 'clock' AS kind, 0 AS id, ${stampText} AS name, 'system' AS owner_type, NULL::int AS owner_id,
        0 AS min_product_level, changed_at AS created_at, changed_at AS updated_at, NULL::timestamptz AS deleted_at,
        NULL::int AS parent_id, NULL::int AS folder_id, 0 AS sort_order, NULL AS type, NULL AS mime_type, NULL AS storage_key, NULL AS url,
        0::bigint AS file_size, NULL AS file_hash, 0 AS version, 0::bigint AS revision
      FROM library_clock
      ${entries.reduce((all, more) => sql`${all} ${more}`)}`),
    );
    const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind).sort((a, b) => a.id - b.id);
    const syncedAt = after?.syncedAt ?? of('clock')[0]?.name ?? '';
    const found = [...of('folder'), ...of('file')];
    const page = limit === null ? found : found.slice(0, limit);
    const last = page.length < found.length ? page.at(-1) : undefined;
    return {
      syncedAt,
      folders: page.filter(({ kind }) => kind === 'folder'),
      files: page.filter(({ kind }) => kind === 'file'),
      last: last ? { syncedAt, kind: last.kind === 'folder' ? 'folder' : 'file', id: last.id } : null,
    };
  },
});

export const librarySyncWrites = (tx: Tx) => ({
  /** Stores the user's view from this stamp on, and deletes views that ended before `before`. */
  noteView: async (
    userId: number,
    { level, vaIds }: LibraryView,
    { stamp, before }: { stamp: string; before: Date },
  ): Promise<void> => {
    await tx.run(sql`
      INSERT INTO library_view (user_id, seen_from, level, va_ids)
      VALUES (${userId}, ${stamp}::timestamptz, ${level}, ${[...vaIds]}::int[])`);
    await tx.run(sql`
      WITH next AS (
        SELECT max(seen_from) AS seen_from FROM library_view WHERE user_id = ${userId} AND seen_from < ${before}),
      gone AS (
        DELETE FROM library_view v USING next WHERE v.user_id = ${userId} AND v.seen_from < next.seen_from RETURNING 1)
      UPDATE library_clock SET swept_to = greatest(swept_to, (SELECT seen_from FROM next))
      WHERE EXISTS (SELECT 1 FROM gone)`);
  },
});
