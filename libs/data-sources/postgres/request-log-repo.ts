import { sql } from './sql.ts';
import type { Db } from './sql.ts';

export interface RequestLogRow {
  id: number;
  requestId: string;
  query: string | null;
  userId: number | null;
  developerKeyId: number | null;
  status: number;
  errorCode: string | null;
  durationMs: number;
  ip: string;
  /** JSON texts, redacted and cut. */
  headers: string | null;
  request: string | null;
  response: string | null;
  isCalculation: boolean;
  createdAt: Date;
}

/** The sequence counts in steps of this size, so one call reserves so many ids. */
export const idBlock = 1_000;

export const requestLogRepo = (db: Db) => ({
  /** First id of a fresh block of `idBlock`. */
  reserve: async (): Promise<number> =>
    (await db.one<{ id: number }>(sql`SELECT nextval('request_log_id') AS id`)).id,

  insert: (rows: readonly RequestLogRow[]): Promise<number> =>
    db.run(sql`
      INSERT INTO request_log (id, request_id, query, user_id, developer_key_id, status, error_code, duration_ms, ip,
        headers, request, response, is_calculation, created_at)
      SELECT * FROM unnest(
        ${rows.map((r) => r.id)}::bigint[], ${rows.map((r) => r.requestId)}::text[], ${rows.map((r) => r.query)}::text[],
        ${rows.map((r) => r.userId)}::int[], ${rows.map((r) => r.developerKeyId)}::int[],
        ${rows.map((r) => r.status)}::int[], ${rows.map((r) => r.errorCode)}::text[],
        ${rows.map((r) => r.durationMs)}::real[], ${rows.map((r) => r.ip)}::text[],
        ${rows.map((r) => r.headers)}::jsonb[], ${rows.map((r) => r.request)}::text[],
        ${rows.map((r) => r.response)}::text[], ${rows.map((r) => r.isCalculation)}::boolean[],
        ${rows.map((r) => r.createdAt)}::timestamptz[])`),

  byId: (id: number) =>
    db.maybe<RequestLogRow>(sql`
      SELECT id, request_id AS "requestId", query, user_id AS "userId", developer_key_id AS "developerKeyId", status,
        error_code AS "errorCode", duration_ms AS "durationMs", ip, headers::text, request, response,
        is_calculation AS "isCalculation", created_at AS "createdAt"
      FROM request_log WHERE id = ${id}`),
});
