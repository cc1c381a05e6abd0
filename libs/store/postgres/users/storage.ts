import { leastEntryBytes } from '#domain/users/storage.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql } from '../sql.ts';

/** Bytes that a user stores besides the library. */
export const storedBytesOf = (userId: Sql): Sql => sql`((
    SELECT coalesce(sum(s.stored_bytes), 0) FROM flight_data s WHERE s.owner_id = ${userId}) + (
    SELECT coalesce(sum(greatest(${leastEntryBytes}::int,
      octet_length(r.normalized) + octet_length(r.original) + coalesce(octet_length(r.planned), 0))), 0)
    FROM ofp_revision r JOIN ofp s ON s.id = r.ofp_id WHERE s.user_id = ${userId}) + (
    SELECT coalesce(sum(s.stored_bytes), 0) FROM checklist s WHERE s.user_id = ${userId}) + (
    SELECT coalesce(sum(s.stored_bytes), 0) FROM fleet_profile s WHERE s.user_id = ${userId}))::bigint`;

export const storageRepo = (db: ReadDb) => ({
  usedBytes: (userId: number): Promise<number> =>
    db.value<number>(sql`SELECT ${storedBytesOf(sql`${userId}::int`)} AS bytes`),
});
