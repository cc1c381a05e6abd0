import { joinSql, sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';

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
  /** Instead of `response`; stored once for all rows. */
  sharedResponse?: SharedResponse | null;
  isCalculation: boolean;
  createdAt: Date;
}

const sizes = [128, 32, 8, 1] as const;

const rowValues = (
  r: RequestLogRow,
): Sql => sql`(${r.id}, ${r.requestId}, ${r.query}, ${r.userId}, ${r.developerKeyId},
  ${r.status}, ${r.errorCode}, ${r.durationMs}, ${r.ip}, ${r.headers}, ${r.request}, ${r.response}, ${r.isCalculation},
  ${r.createdAt}, ${r.sharedResponse?.digest ?? null})`;

/** The sequence increments by this size, so one call reserves that many ids. */
export const idBlock = 1_000;

export const requestLogRepo = (db: ReadDb) => ({
  byId: (id: number): Promise<RequestLogRow | null> =>
    db.maybe<RequestLogRow>(sql`
      SELECT id, request_id AS "requestId", query, user_id AS "userId", developer_key_id AS "developerKeyId", status,
        error_code AS "errorCode", duration_ms AS "durationMs", ip, headers::text, request,
        coalesce(response, (SELECT text FROM request_log_text WHERE digest = response_digest)) AS response,
        is_calculation AS "isCalculation", created_at AS "createdAt"
      FROM request_log WHERE id = ${id}`),
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
   * Writes rows in statements of a few fixed sizes: each is prepared once, and plain parameters need none of
   * the quoting that arrays of JSON texts would. Safe to repeat: existing rows are left unchanged. Returns the
   * number of rows stored; a different row with the same id keeps it.
   */
  insert: async (rows: readonly RequestLogRow[]): Promise<number> => {
    let inserted = 0;
    await shareTexts(tx, rows);
    for (let at = 0; at < rows.length;) {
      const size = sizes.find((candidate) => candidate <= rows.length - at) ?? 1;
      const values = rows.slice(at, at + size).map(rowValues);
      inserted += await tx.run(sql`
        INSERT INTO request_log (id, request_id, query, user_id, developer_key_id, status, error_code, duration_ms, ip,
          headers, request, response, is_calculation, created_at, response_digest)
        VALUES ${joinSql(values, ', ')}
        ON CONFLICT DO NOTHING`);
      at += size;
    }
    if (inserted === rows.length) return inserted;
    const { stored } = await tx.one<{ stored: number }>(sql`
      SELECT count(*) AS stored
      FROM request_log
      JOIN unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ requestId }) => requestId)}::text[])
        AS given (id, request_id) USING (id, request_id)`);
    return stored;
  },
});
