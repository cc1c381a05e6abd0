import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** A response that many rows have in common. */
export interface SharedResponse {
  /** SHA-256 of the text. */
  digest: Buffer;
  /** JSON, redacted and truncated. */
  text: string;
}

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
  /** JSON texts, redacted and truncated. */
  headers: string | null;
  request: string | null;
  response: string | null;
  /** Instead of `response`, or with it: then its members follow. Stored once for all rows. */
  sharedResponse?: SharedResponse | null;
  isCalculation: boolean;
  createdAt: Date;
}

/** A row as the statement reads it from JSON. */
const record = ({ sharedResponse, ...row }: RequestLogRow): Record<string, unknown> => ({
  ...row,
  digest: sharedResponse?.digest.toString('hex') ?? null,
});

/** The sequence increments by this size, so one call reserves that many ids. */
export const idBlock = 1_000;

export const requestLogRepo = (db: ReadDb) => ({
  byId: (id: number): Promise<RequestLogRow | null> =>
    db.maybe<RequestLogRow>(sql`
      SELECT id, request_id AS "requestId", query, user_id AS "userId", developer_key_id AS "developerKeyId", status,
        error_code AS "errorCode", duration_ms AS "durationMs", ip, headers::text, request,
        CASE
          WHEN response IS NULL THEN shared.text
          WHEN shared.text IS NULL THEN response
          -- Two objects: the members of the second follow those of the first.
          ELSE left(response, -1) || ',' || substr(shared.text, 2)
        END AS response,
        is_calculation AS "isCalculation", created_at AS "createdAt"
      FROM request_log LEFT JOIN request_log_text shared ON shared.digest = response_digest WHERE id = ${id}`),
});

/** Stores what is not there; what was not used for an hour is marked, so that the sweep leaves it. */
const shareTexts = async (tx: Tx, rows: readonly RequestLogRow[]): Promise<void> => {
  const texts = new Map<string, SharedResponse & { usedAt: Date }>();
  for (const { sharedResponse, createdAt } of rows)
    if (sharedResponse)
      texts.set(sharedResponse.digest.toString('hex'), { ...sharedResponse, usedAt: createdAt });
  if (texts.size === 0) return;
  const digests = [...texts.values()].map(({ digest }) => digest);
  const usedAt = new Date(Math.max(...[...texts.values()].map((text) => text.usedAt.getTime())));
  const current = await tx.any<{ digest: Buffer }>(sql`
    SELECT digest FROM request_log_text
    WHERE digest = ANY(${digests}::bytea[]) AND used_at > ${usedAt}::timestamptz - interval '1 hour'`);
  for (const { digest } of current) texts.delete(digest.toString('hex'));
  // In one order everywhere, so that two processes cannot wait for each other.
  const missing = [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  if (missing.length === 0) return;
  await tx.run(sql`
    INSERT INTO request_log_text (digest, text, used_at)
    SELECT digest, text, ${usedAt}
    FROM unnest(${missing.map(({ digest }) => digest)}::bytea[], ${missing.map(({ text }) => text)}::text[])
      AS t (digest, text)
    ON CONFLICT (digest) DO UPDATE SET used_at = greatest(request_log_text.used_at, excluded.used_at)`);
};

export const requestLogWrites = (tx: Tx) => ({
  /** First id of a new block of `idBlock`. */
  reserve: async (): Promise<number> =>
    (await tx.one<{ id: number }>(sql`SELECT nextval('request_log_id') AS id`)).id,

  /**
   * Writes rows in one statement with one parameter, which costs the least of this process's time. Safe to repeat:
   * existing rows are left unchanged. Returns the number of rows stored; a different row with the same id keeps it.
   */
  insert: async (rows: readonly RequestLogRow[]): Promise<number> => {
    await shareTexts(tx, rows);
    const inserted = await tx.run(sql`
      INSERT INTO request_log (id, request_id, query, user_id, developer_key_id, status, error_code, duration_ms, ip,
        headers, request, response, is_calculation, created_at, response_digest)
      SELECT id, "requestId", query, "userId", "developerKeyId", status, "errorCode", "durationMs", ip, headers::jsonb,
        request, response, "isCalculation", "createdAt", decode(digest, 'hex')
      FROM json_to_recordset(${JSON.stringify(rows.map(record))}::json) AS r (id bigint, "requestId" text, query text,
        "userId" integer, "developerKeyId" integer, status integer, "errorCode" text, "durationMs" real, ip text,
        headers text, request text, response text, "isCalculation" boolean, "createdAt" timestamptz, digest text)
      ON CONFLICT DO NOTHING`);
    if (inserted === rows.length) return inserted;
    const { stored } = await tx.one<{ stored: number }>(sql`
      SELECT count(*) AS stored
      FROM request_log
      JOIN unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ requestId }) => requestId)}::text[])
        AS given (id, request_id) USING (id, request_id)`);
    return stored;
  },
});
