import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { DatabaseError } from 'pg';
import { insertOf, recordOf, sql } from '../sql.ts';
import type { ReadDb, Tx, Sql } from '../sql.ts';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

type Entry = [headers: number | null, request: number | null, response: number | null];

/** JSON texts, redacted and truncated. */
interface Bodies {
  headers: string | null;
  request: string | null;
  response: string | null;
}

const sizeOf = (text: string | null): number | null => (text === null ? null : Buffer.byteLength(text));

const entryOf = ({ headers, request, response }: RequestLogRow): Entry => [
  sizeOf(headers),
  sizeOf(request),
  sizeOf(response),
];

/**
 * Headers, requests and responses of many rows in one compressed text: calls of the same time resemble each other, and
 * compressed one by one they take ten times as much. Its first line is a JSON list with the lengths in bytes, or null,
 * of the headers, request and response of each row; their texts follow.
 */
export const packBodies = (rows: readonly RequestLogRow[]): Promise<Buffer> => {
  let text = `${JSON.stringify(rows.map(entryOf))}\n`;
  for (const { headers, request, response } of rows)
    text += (headers ?? '') + (request ?? '') + (response ?? '');
  return compress(text);
};

export const unpackBodies = async (content: Buffer): Promise<Bodies[]> => {
  const bytes = await decompress(content);
  const firstLine = bytes.indexOf('\n');
  const entries = JSON.parse(bytes.toString('utf8', 0, firstLine)) as Entry[];
  let at = firstLine + 1;
  const next = (size: number | null): string | null => {
    if (size === null) return null;
    at += size;
    return bytes.toString('utf8', at - size, at);
  };
  return entries.map(([headers, request, response]) => ({
    headers: next(headers),
    request: next(request),
    response: next(response),
  }));
};

export interface RequestLogRow extends Bodies {
  id: number;
  requestId: string;
  query: string | null;
  userId: number | null;
  developerKeyId: number | null;
  status: number;
  errorCode: string | null;
  durationMs: number;
  ip: string;
  isCalculation: boolean;
  createdAt: Date;
}

/** The rows of one day and kind: a partition. */
export interface LogDay {
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  isCalculation: boolean;
}

/** Rows of reports per call. */
const keptAtOnce = 100;
const keptBatch = 2_000;

/** True when an insert failed because the partition of its day is missing; a constraint would have a name. */
export const isMissingLogDay = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  error.code === '23514' &&
  error.constraint === undefined &&
  (error.table?.startsWith('request_log') ?? false);

export const logDayRepo = (db: ReadDb) => ({
  /** Days with partitions, oldest first. */
  all: (): Promise<LogDay[]> =>
    db.any<LogDay>(sql`
      SELECT name[2]::date::text AS day, name[1] = 'calculations' AS is_calculation
      FROM (SELECT regexp_match(relname, '^request_log_(calls|calculations)_([0-9]{8})$') AS name
        FROM pg_partition_tree('request_log') JOIN pg_class ON oid = relid WHERE isleaf) AS leaves
      WHERE name IS NOT NULL
      ORDER BY 1, 2`),

  /** Ids of rows of this day with an open report, that are not kept yet. */
  reported: ({ day, isCalculation }: LogDay): Promise<number[]> =>
    db.values<number>(sql`
      SELECT DISTINCT l.id FROM problem_report p JOIN request_log l ON l.id = p.log_id
      WHERE p.closed_at IS NULL AND l.is_calculation = ${isCalculation}
        AND l.created_at >= ${day}::date::timestamp AT TIME ZONE 'UTC'
        AND l.created_at < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC'
        AND NOT EXISTS (SELECT 1 FROM request_log_kept k WHERE k.id = p.log_id)
      LIMIT ${keptAtOnce}`),
});

export const logDayWrites = (tx: Tx) => ({
  /** Creates the partitions of a day, unless they exist. Blocks no insert. */
  make: async (day: string): Promise<void> => {
    await tx.one(sql`SELECT request_log_make_day(${day}::date)`);
  },

  /**
   * Drops a day with all its rows. False while a row with an open report is not kept. Fails with 55P03 when a lock is
   * not free at once, so that inserts never wait for a reader.
   */
  drop: ({ day, isCalculation }: LogDay): Promise<boolean> =>
    tx.value<boolean>(sql`SELECT request_log_drop_day(${day}::date, ${isCalculation}) AS dropped`),

  /** Deletes at most one batch of kept rows that no open report refers to; returns their number. */
  deleteKept: async (): Promise<number> => {
    // A report that is being written is waited for, so that its row is not deleted; a later one waits for this.
    await tx.run(sql`LOCK TABLE problem_report IN SHARE MODE`);
    return tx.run(sql`
      DELETE FROM request_log_kept WHERE id IN (
        SELECT k.id FROM request_log_kept k
        WHERE NOT EXISTS (SELECT 1 FROM problem_report p WHERE p.log_id = k.id AND p.closed_at IS NULL)
        LIMIT ${keptBatch})`);
  },
});

/** The sequence increments by this size, so one call reserves that many ids. */
export const idBlock = 1_000;
/** The first id of the next block. */
const blockAfter = (id: number): number => Math.ceil(id / idBlock) * idBlock + 1;

/** No call takes this long. */
const longestCallMs = 3_600_000;

/** Rows of one partition, their bodies compressed. */
interface PackedRows extends LogDay {
  rows: readonly RequestLogRow[];
  bodies: Buffer;
}

/** Rows by day and kind. Compresses outside the thread and before a transaction. */
export const packRows = (rows: readonly RequestLogRow[]): Promise<PackedRows[]> => {
  const groups = new Map<string, LogDay & { rows: RequestLogRow[] }>();
  for (const row of rows) {
    const day = row.createdAt.toISOString().slice(0, 10);
    const key = `${day} ${row.isCalculation}`;
    const group = groups.get(key);
    if (group) group.rows.push(row);
    else groups.set(key, { day, isCalculation: row.isCalculation, rows: [row] });
  }
  return Promise.all(
    [...groups.values()].map(async (group) => ({ ...group, bodies: await packBodies(group.rows) })),
  );
};

/** A row for `json_populate_recordset(NULL::request_log, …)`, without its bodies. */
const record = (given: RequestLogRow, bodySlot: number) => {
  const { headers: _, request: __, response: ___, ...row } = given;
  return recordOf({ ...row, bodySlot });
};

type Columns = Omit<RequestLogRow, 'headers' | 'request' | 'response'>;

const columns = sql`l.id, l.request_id, l.query, l.user_id, l.developer_key_id, l.status, l.error_code,
  l.duration_ms, l.ip, l.is_calculation, l.created_at`;

export const requestLogRepo = (db: ReadDb) => {
  const withBodies = async (which: Sql): Promise<RequestLogRow[]> => {
    const found = await db.any<Columns & { slot: number; entries: Buffer }>(sql`
      SELECT ${columns}, l.body_slot AS slot, b.entries
      FROM request_log l
      JOIN request_log_body b ON b.id = l.body_id AND b.is_calculation = l.is_calculation
        AND b.created_at = date_trunc('day', l.created_at, 'UTC')
      WHERE ${which} ORDER BY l.created_at, l.id`);
    const rows: RequestLogRow[] = [];
    for (const { slot, entries, ...row } of found) {
      const bodies = (await unpackBodies(entries))[slot];
      if (!bodies) throw new Error(`request log: row ${row.id} has no entry ${slot} in its body`);
      rows.push({ ...row, ...bodies });
    }
    return rows;
  };

  return {
    /** True for a stored call of this user. */
    isOf: (id: number, userId: number): Promise<boolean> =>
      db.value<boolean>(sql`
          SELECT EXISTS (SELECT 1 FROM request_log WHERE id = ${id} AND user_id = ${userId})
            OR EXISTS (SELECT 1 FROM request_log_kept WHERE id = ${id} AND user_id = ${userId}) AS found`),

    /**
     * True while a row with this id may still be written: the id was handed out to a process, and none of the ids that
     * the process has used after it is old.
     */
    mayFollow: (id: number, now: Date): Promise<boolean> =>
      db.value<boolean>(sql`
          SELECT ${id}::bigint < (SELECT last_value FROM request_log_id) + ${idBlock}::int AND NOT EXISTS (
            SELECT 1 FROM request_log WHERE id > ${id} AND id < ${blockAfter(id)}
              AND created_at < ${new Date(now.getTime() - longestCallMs)}) AS may_follow`),

    /** From the partition of its day, or the copy retained for a report. */
    byId: async (id: number): Promise<RequestLogRow | null> =>
      (await withBodies(sql`l.id = ${id}`))[0] ??
      db.maybe<RequestLogRow>(
        sql`SELECT ${columns}, headers, request, response FROM request_log_kept l WHERE id = ${id}`,
      ),
  };
};

export const requestLogWrites = (tx: Tx) => ({
  /** First id of a new block of `idBlock`. */
  reserve: (): Promise<number> => tx.value<number>(sql`SELECT nextval('request_log_id') AS id`),

  /**
   * Writes the rows of one day in one statement with their bodies. Safe to repeat: existing rows are left unchanged,
   * with the body that they have. Returns the number of rows stored; a different row with the same id keeps it.
   */
  insert: async ({ day, isCalculation, rows, bodies }: PackedRows): Promise<number> => {
    const inserted = await tx.run(sql`
      WITH body AS (
        INSERT INTO request_log_body (id, created_at, is_calculation, entries)
        VALUES (nextval('request_log_body_id'), ${day}::date::timestamp AT TIME ZONE 'UTC', ${isCalculation}, ${bodies})
        RETURNING id)
      INSERT INTO request_log (id, created_at, body_id, body_slot, duration_ms, user_id, developer_key_id, status,
        is_calculation, request_id, query, error_code, ip)
      SELECT r.id, r.created_at, body.id, r.body_slot, r.duration_ms, r.user_id, r.developer_key_id, r.status,
        r.is_calculation, r.request_id, r.query, r.error_code, r.ip
      FROM json_populate_recordset(NULL::request_log, ${JSON.stringify(rows.map(record))}::json) r
      CROSS JOIN body
      ON CONFLICT DO NOTHING`);
    if (inserted === rows.length) return inserted;
    return tx.value<number>(sql`
      SELECT count(*) AS stored
      FROM request_log
      JOIN unnest(${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ requestId }) => requestId)}::text[],
        ${rows.map(({ createdAt }) => createdAt)}::timestamptz[])
        AS given (id, request_id, created_at) USING (id, request_id, created_at)
      WHERE is_calculation = ${isCalculation}`);
  },

  /** Copies a row as `byId` returns it for a report, so that it outlives its day. */
  keep: (row: RequestLogRow): Promise<number> =>
    tx.run(sql`${insertOf('request_log_kept', row)} ON CONFLICT DO NOTHING`),
});

interface DayOfCalls {
  day: string;
  calls: number;
  failed: number;
  /** 95th percentile of the durations. */
  p95Ms: number;
}

interface CallsByCode {
  /** Null: the call succeeded. */
  errorCode: string | null;
  query: string | null;
  calls: number;
  lastAt: Date;
}

type LoggedCall = Pick<RequestLogRow, 'id' | 'createdAt' | 'query' | 'status' | 'errorCode' | 'durationMs'>;

/** A summary reads this many of the last calls only, so that it does not slow others down. */
export const summarisedCalls = 10_000;

const latest = (developerKeyId: number, limit: number) => sql`
  SELECT id, created_at, query, status, error_code, duration_ms FROM request_log
  WHERE developer_key_id = ${developerKeyId} ORDER BY created_at DESC LIMIT ${limit}`;

export const usageRepo = (db: ReadDb) => ({
  /** Newest day first. */
  days: (developerKeyId: number): Promise<DayOfCalls[]> =>
    db.any<DayOfCalls>(sql`
      SELECT (created_at AT TIME ZONE 'UTC')::date::text AS day, count(*)::int AS calls,
        count(*) FILTER (WHERE error_code IS NOT NULL)::int AS failed,
        percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS p95_ms
      FROM (${latest(developerKeyId, summarisedCalls)}) l GROUP BY 1 ORDER BY 1 DESC`),

  /** Errors by code and query, the most frequent first. */
  errors: (developerKeyId: number): Promise<CallsByCode[]> =>
    db.any<CallsByCode>(sql`
      SELECT error_code, query, count(*)::int AS calls, max(created_at) AS last_at
      FROM (${latest(developerKeyId, summarisedCalls)}) l WHERE error_code IS NOT NULL
      GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT 50`),

  /** The last 100. */
  calls: (developerKeyId: number): Promise<LoggedCall[]> =>
    db.any<LoggedCall>(sql`
      SELECT id, created_at, query, status, error_code, duration_ms
      FROM (${latest(developerKeyId, 100)}) l ORDER BY created_at DESC, id DESC`),
});
