/** Several sections of a plan with their payloads. */
import type { FlightDataRow } from '#domain/flight-data/flight-data.ts';
import { jsonText } from '#domain/text/json-text.ts';
import { accessTo } from '../ofp/access.ts';
import type { OfpCall } from '../ofp/access.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';
import { head } from './flight-data.ts';
import type { Stored } from './flight-data.ts';

/** Metadata of a row in an answer, without its payload. */
const rowBytes = 300;

export const sectionRepo = (db: ReadDb) => ({
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
});
