/** Spaces of the library and the clock of its changes. */
import { nextSecond } from '#domain/time.ts';
import type { LibraryOwner } from '#domain/library/space.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';

export interface LockedSpace {
  id: number;
  usedBytes: number;
}

/** Condition on `library_space s`. */
export const isOwnedBy = (owner: LibraryOwner): Sql => {
  if (owner.type === 'user') return sql`s.user_id = ${owner.userId}`;
  if (owner.type === 'va') return sql`s.va_id = ${owner.vaId}`;
  return sql`(s.user_id IS NULL AND s.va_id IS NULL)`;
};

/** Null without a space. */
export const usedBytesOf = (owner: LibraryOwner): Sql =>
  sql`(SELECT used_bytes FROM library_space s WHERE ${isOwnedBy(owner)})`;

export const librarySpaceRepo = (db: ReadDb) => ({
  usedBytes: (owner: LibraryOwner): Promise<number> =>
    db.value<number>(sql`SELECT coalesce(${usedBytesOf(owner)}, 0) AS bytes`),

  /** Usage of an airline; null when there is no such airline. */
  ofAirline: (vaId: number): Promise<{ usedBytes: number; quotaMb: number } | null> =>
    db.maybe<{ usedBytes: number; quotaMb: number }>(sql`
      SELECT coalesce(s.used_bytes, 0) AS used_bytes, v.library_quota_mb AS quota_mb
      FROM virtual_airline v LEFT JOIN library_space s ON s.va_id = v.id WHERE v.id = ${vaId}`),
});

export const librarySpaceWrites = (tx: Tx) => ({
  /**
   * Creates the space if there is none, and locks it: changes of one owner take turns. Null if the airline no longer
   * exists; otherwise it cannot be deleted before the end of the transaction.
   */
  lock: (owner: LibraryOwner): Promise<LockedSpace | null> => {
    if (owner.type === 'user')
      return tx.one<LockedSpace>(sql`
        INSERT INTO library_space AS s (user_id) VALUES (${owner.userId})
        ON CONFLICT (user_id) DO UPDATE SET used_bytes = s.used_bytes RETURNING id, used_bytes`);
    if (owner.type === 'va')
      return tx.maybe<LockedSpace>(sql`
        INSERT INTO library_space AS s (va_id)
        SELECT id FROM virtual_airline WHERE id = ${owner.vaId} FOR KEY SHARE
        ON CONFLICT (va_id) DO UPDATE SET used_bytes = s.used_bytes RETURNING id, used_bytes`);
    return tx.one<LockedSpace>(sql`
      SELECT id, used_bytes FROM library_space s WHERE ${isOwnedBy(owner)} FOR UPDATE`);
  },

  /** Deletes everything in a locked space; returns the storage keys of its files. */
  clear: async (spaceId: number, now: Date, stamp: string): Promise<string[]> => {
    const deleted = await tx.any<{ key: string | null }>(sql`
      WITH folders AS (
        UPDATE library_folder SET deleted_at = ${now}, updated_at = ${now}, changed_at = ${stamp}::timestamptz
        WHERE space_id = ${spaceId} AND deleted_at IS NULL
      ), space AS (UPDATE library_space SET used_bytes = 0 WHERE id = ${spaceId})
      UPDATE library_file SET deleted_at = ${now}, updated_at = ${now}, changed_at = ${stamp}::timestamptz
      WHERE space_id = ${spaceId} AND deleted_at IS NULL RETURNING storage_key AS key`);
    return deleted.flatMap(({ key }) => key ?? []);
  },

  /** Adds bytes, or frees them when negative. */
  addBytes: (spaceId: number, bytes: number): Promise<number> =>
    tx.run(sql`UPDATE library_space SET used_bytes = used_bytes + ${bytes} WHERE id = ${spaceId}`),

  /**
   * The stamp of this change as text: a whole second after all committed ones. Locks the clock until the commit, so
   * call it after everything that may wait.
   */
  tick: (now: Date): Promise<string> =>
    tx.value<string>(sql`
        UPDATE library_clock
        SET changed_at = greatest(${nextSecond(now)}, date_trunc('second', changed_at) + interval '1 second')
        RETURNING to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at`),
});
