import { maxSnapshotBytes } from '#domain/flight-data/flight-data.ts';
import type {
  DeletedSection,
  FlightDataChange,
  FlightDataHead,
  FlightDataRow,
} from '#domain/flight-data/flight-data.ts';
import type { Deletion } from '#domain/fields/deletion.ts';
import { maxSections } from '#domain/flight-data/fields.ts';
import { leastEntryBytes } from '#domain/users/storage.ts';
import type { StorageQuota } from '#domain/users/storage.ts';
import { quotaBytes } from '#domain/library/space.ts';
import { jsonText } from '#domain/text/json-text.ts';
import type { JsonText } from '#domain/text/json-text.ts';
import { accessTo } from '../ofp/access.ts';
import type { OfpCall } from '../ofp/access.ts';
import { storedBytesOf } from '../users/storage.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

const maxVersion = 2_147_483_647;

/** A row of a plan, and a user whose permission has yet to be checked. */
interface FlightDataCall extends OfpCall {
  dataKey: string;
}

export interface NewFlightData extends FlightDataCall {
  payload: JsonText;
  /** Undefined: no check; 0: there must be no row (A-02). */
  expectedVersion?: number | undefined;
  lastDownloadedAt: Date | null;
  /** Refuses to recreate a deleted section. */
  isRefusedIfDeleted?: boolean;
  /** Quota of the plan's owner; a row of another owner is not written. */
  quota: StorageQuota;
}

type Stored = Omit<FlightDataRow, 'ofpId' | 'payload'> & { isRecreated?: boolean };

/** Columns of `flight_data f`. */
const head = sql`f.data_key, f.version, f.created_at, f.updated_at, f.created_by AS created_by_user_id,
  f.updated_by AS updated_by_user_id`;

/** Condition that `flight_data f`, joined with `accessTo` as `a`, is the row of this key. */
const ofKey = ({ ofpId, dataKey }: FlightDataCall) =>
  sql`f.owner_id = a.owner_id AND f.ofp_id = ${ofpId} AND f.data_key = ${dataKey}`;

/** Metadata of a row in an answer, without its payload. */
const rowBytes = 300;

/** Reads access and rows in one statement; null for users without access to the plan. */
export const flightDataRepo = (db: ReadDb) => ({
  /** The rows of a plan by key. */
  list: async (call: OfpCall): Promise<FlightDataHead[] | null> => {
    const rows = await db.any<FlightDataHead | { dataKey: null }>(sql`
      SELECT ${head}, f.payload_bytes
      FROM ${accessTo(call)} a
      LEFT JOIN flight_data f ON f.owner_id = a.owner_id AND f.ofp_id = ${call.ofpId} AND NOT f.is_deleted
      ORDER BY f.data_key`);
    return rows.length === 0 ? null : rows.filter((row) => row.dataKey !== null);
  },

  /** Sections that were deleted since then, by key. */
  deleted: (call: OfpCall, since: Date): Promise<DeletedSection[]> =>
    db.any<DeletedSection>(sql`
      SELECT f.data_key, f.version, f.updated_at AS deleted_at, f.updated_by AS deleted_by_user_id
      FROM ${accessTo(call)} a JOIN flight_data f ON f.owner_id = a.owner_id AND f.ofp_id = ${call.ofpId}
      WHERE f.is_deleted AND f.updated_at >= ${since} ORDER BY f.data_key`),

  /** The last deletion of a section before this version of it; null when there was none. */
  lastDeletion: (call: FlightDataCall, beforeVersion = maxVersion): Promise<Deletion | null> =>
    db.maybe<Deletion>(sql`
      SELECT c.changed_at AS deleted_at, c.changed_by AS deleted_by_user_id
      FROM ${accessTo(call)} a JOIN flight_data f ON ${ofKey(call)}
      JOIN flight_data_change c ON c.flight_data_id = f.id AND c.change_type = 'delete' AND c.version < ${beforeVersion}::int
      ORDER BY c.id DESC LIMIT 1`),

  /** Sections, deleted ones included. */
  sections: (ownerId: number, ofpId: string): Promise<number> =>
    db.value<number>(sql`
        SELECT count(*) AS count FROM flight_data f WHERE f.owner_id = ${ownerId} AND f.ofp_id = ${ofpId}`),

  count: (ownerId: number, ofpId: string): Promise<number> =>
    db.value<number>(sql`
        SELECT count(*) AS count FROM flight_data f
        WHERE f.owner_id = ${ownerId} AND f.ofp_id = ${ofpId} AND NOT f.is_deleted`),

  /**
   * Sections of a plan by key, all or those with these keys, with payloads as far as they fit, but at least one;
   * `left`: keys of the remaining ones. Null for users without access.
   */
  several: async (
    call: OfpCall,
    dataKeys: readonly string[] | null,
    { maxBytes, isFirst }: { maxBytes: number; isFirst: boolean },
  ): Promise<{ rows: FlightDataRow[]; bytes: number; left: string[] } | null> => {
    const found = await db.any<
      (Stored & { json: string | null; bytes: number }) | { dataKey: null; json: null; bytes: null }
    >(sql`
      SELECT ${head}, c.payload AS json, f.payload_bytes AS bytes
      FROM ${accessTo(call)} a
      LEFT JOIN LATERAL (
        SELECT *, sum(payload_bytes + ${rowBytes}::int) OVER (ORDER BY data_key) AS so_far,
          row_number() OVER (ORDER BY data_key) AS place
        FROM flight_data d
        WHERE d.owner_id = a.owner_id AND d.ofp_id = ${call.ofpId} AND NOT d.is_deleted
          AND coalesce(d.data_key = ANY(${dataKeys && [...dataKeys]}::text[]), true)) f ON true
      LEFT JOIN flight_data_change c ON c.flight_data_id = f.id AND c.version = f.version AND c.change_type <> 'delete'
        AND (f.so_far <= ${maxBytes}::bigint OR (${isFirst}::boolean AND f.place = 1))
      ORDER BY f.data_key`);
    if (found.length === 0) return null;
    const rows: FlightDataRow[] = [];
    const left: string[] = [];
    let bytes = 0;
    for (const row of found) {
      if (row.dataKey === null) continue;
      const { json, bytes: payloadBytes, ...stored } = row;
      if (json === null) left.push(stored.dataKey);
      else {
        rows.push({ ...stored, ofpId: call.ofpId, payload: jsonText(json, payloadBytes) });
        bytes += payloadBytes + rowBytes;
      }
    }
    return { rows, bytes, left };
  },

  get: async (call: FlightDataCall): Promise<{ row: FlightDataRow | null } | null> => {
    const found = await flightDataRepo(db).several(call, [call.dataKey], { maxBytes: 0, isFirst: true });
    return found && { row: found.rows[0] ?? null };
  },

  /** The payload of one version, null when the history has none; null when there never was a row. */
  version: async (call: FlightDataCall, version: number): Promise<{ payload: JsonText | null } | null> => {
    const found = await db.maybe<{ json: string | null; bytes: number }>(sql`
      SELECT c.payload AS json, coalesce(c.payload_bytes, 0) AS bytes
      FROM ${accessTo(call)} a JOIN flight_data f ON ${ofKey(call)}
      LEFT JOIN flight_data_change c ON c.flight_data_id = f.id AND c.version = ${version} AND c.change_type <> 'delete'`);
    if (!found) return null;
    return { payload: found.json === null ? null : jsonText(found.json, found.bytes) };
  },

  /**
   * Changes older than the change `before`, newest first. With payloads (a deletion has the one that it deleted), until they
   * reach `maxSnapshotBytes` in total.
   */
  history: async (
    call: FlightDataCall,
    { limit, before, isWithPayload }: { limit: number; before: number | null; isWithPayload: boolean },
  ): Promise<FlightDataChange[] | null> => {
    const columns = sql`c.id, c.version, c.change_type, c.payload_bytes, c.changed_at,
      c.changed_by AS changed_by_user_id`;
    const rows = await db.any<
      (Omit<FlightDataChange, 'payload'> & { json: string | null }) | { id: null }
    >(sql`
      SELECT ${columns}, s.payload AS json
      FROM ${accessTo(call)} a LEFT JOIN flight_data f ON ${ofKey(call)}
      LEFT JOIN LATERAL (
        SELECT c.*, sum(payload_bytes) OVER (ORDER BY id DESC) AS bytes_so_far FROM (
          SELECT c.* FROM flight_data_change c
          WHERE c.flight_data_id = f.id AND c.id < coalesce(${before}::bigint, 9223372036854775807)
          ORDER BY c.id DESC LIMIT ${limit}) c) c ON true
      LEFT JOIN flight_data_change s ON ${isWithPayload}::boolean AND s.flight_data_id = f.id
        AND s.version = coalesce(c.deleted_version, c.version) AND s.change_type <> 'delete'
        AND c.bytes_so_far <= ${maxSnapshotBytes}
      ORDER BY c.id DESC`);
    if (rows.length === 0) return null;
    return rows.flatMap((row) => {
      if (row.id === null) return [];
      const { json, ...change } = row;
      return [{ ...change, payload: json === null ? null : jsonText(json, change.payloadBytes) }];
    });
  },
});

/** Bytes that an entry of the history counts towards the quota. */
export const entryBytes = ({ bytes }: JsonText): number => Math.max(leastEntryBytes, bytes);

export const flightDataWrites = (tx: Tx) => ({
  /**
   * Creates or replaces the row and adds to its history, in one statement, so that of several saves with the same
   * `expectedVersion` one succeeds. Null when the caller may not write, or another version is stored.
   */
  save: async ({
    dataKey,
    payload,
    expectedVersion,
    lastDownloadedAt,
    quota,
    isRefusedIfDeleted = false,
    ...call
  }: NewFlightData) => {
    const bytes = entryBytes(payload);
    const stored = await tx.maybe<Stored>(sql`
      WITH saved AS (
        INSERT INTO flight_data AS known
          (owner_id, ofp_id, data_key, version, payload_bytes, created_at, updated_at, created_by, updated_by,
          stored_bytes)
        SELECT a.owner_id, ${call.ofpId}, ${dataKey}, 1, ${payload.bytes}, ${call.now}, ${call.now}, ${call.userId}, ${call.userId},
          ${bytes}
        FROM ${accessTo(call)} a WHERE a.access <> 'view' AND a.owner_id = ${quota.userId}
          AND ${storedBytesOf(sql`a.owner_id`)} + ${bytes} <= ${quotaBytes(quota.quotaMb)}::bigint
          AND (SELECT count(*) FILTER (WHERE s.data_key <> ${dataKey}) FROM flight_data s
            WHERE s.owner_id = a.owner_id AND s.ofp_id = ${call.ofpId}) < ${maxSections}
        ON CONFLICT ON CONSTRAINT flight_data_key DO UPDATE SET
          version = known.version + 1, payload_bytes = excluded.payload_bytes, is_deleted = false,
          stored_bytes = known.stored_bytes + excluded.stored_bytes,
          first_version = CASE WHEN known.is_deleted THEN known.version + 1 ELSE known.first_version END,
          created_at = CASE WHEN known.is_deleted THEN excluded.created_at ELSE known.created_at END,
          created_by = CASE WHEN known.is_deleted THEN excluded.created_by ELSE known.created_by END,
          updated_at = greatest(excluded.updated_at, known.updated_at), updated_by = excluded.updated_by
        WHERE (known.is_deleted AND NOT ${isRefusedIfDeleted}::boolean)
          OR (NOT known.is_deleted AND coalesce(${expectedVersion ?? null}::int, known.version) = known.version
            AND coalesce(${lastDownloadedAt}::timestamptz, known.updated_at) >= known.updated_at)
        RETURNING *),
      stored AS (
        INSERT INTO flight_data_change
          (flight_data_id, version, change_type, payload, payload_bytes, changed_at, changed_by)
        SELECT id, version, CASE WHEN version = first_version THEN 'insert' ELSE 'update' END, ${payload.text},
          payload_bytes, updated_at, updated_by
        FROM saved)
      SELECT ${head}, f.version > 1 AND f.version = f.first_version AS is_recreated FROM saved f`);
    return stored && { ...stored, ofpId: call.ofpId, payload };
  },

  /** Marks the row as deleted, with the next version; its history remains. False without write access, row or this version. */
  delete: async ({
    dataKey,
    expectedVersion,
    ...call
  }: OfpCall & { dataKey: string; expectedVersion?: number | undefined }): Promise<boolean> =>
    (await tx.run(sql`
      WITH deleted AS (
        UPDATE flight_data f SET is_deleted = true, version = f.version + 1, stored_bytes = f.stored_bytes + ${leastEntryBytes}, updated_at = greatest(${call.now}, f.updated_at),
          updated_by = ${call.userId}
        FROM ${accessTo(call)} a
        WHERE f.owner_id = a.owner_id AND a.access <> 'view' AND f.ofp_id = ${call.ofpId} AND f.data_key = ${dataKey}
          AND NOT f.is_deleted AND coalesce(${expectedVersion ?? null}::bigint, f.version) = f.version
        RETURNING f.*)
      INSERT INTO flight_data_change
        (flight_data_id, version, deleted_version, change_type, payload_bytes, changed_at, changed_by)
      SELECT id, version, version - 1, 'delete', payload_bytes, updated_at, updated_by FROM deleted`)) === 1,
});
