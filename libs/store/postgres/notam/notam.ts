import { parserVersion } from '#domain/notam/interpret.ts';
import type { Notam } from '#domain/notam/types.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export interface StoredNotam extends Notam {
  /** Number of the runway variant, `07L.N<id>`. */
  id: number;
  source: string;
  receivedAt: Date;
}

type Items = Omit<
  Notam,
  | 'key'
  | 'number'
  | 'type'
  | 'replacesKey'
  | 'airports'
  | 'qCode'
  | 'fromUtc'
  | 'toUtc'
  | 'isEstimated'
  | 'raw'
  | 'effects'
  | 'flags'
  | 'runways'
>;

export interface NotamRow {
  id: number;
  key: string;
  source: string;
  number: string;
  type: Notam['type'];
  replacesKey: string | null;
  airports: string[];
  qCode: string | null;
  from: Date;
  to: Date | null;
  isEstimated: boolean;
  raw: string;
  effects: Notam['effects'];
  flags: string[];
  runways: string[];
  items: Items;
  receivedAt: Date;
}

export const toNotam = ({ items, from, to, ...row }: NotamRow): StoredNotam => ({
  ...items,
  ...row,
  fromUtc: from.toISOString(),
  toUtc: to?.toISOString() ?? null,
});

export const notamColumns = sql`id, key, source, number, type, replaces_key, airports, q_code,
  from_at AS "from", to_at AS "to", is_estimated, raw, effects, flags, runways, items, received_at`;

/** Begun and not over; an estimated end is not final, but counts after a month. */
const valid = (now: Date) => sql`cancelled_at IS NULL AND type <> 'C' AND from_at <= ${now}
  AND (to_at IS NULL OR to_at > ${now} OR (is_estimated AND to_at > ${now}::timestamptz - interval '32 days'))`;

export const notamRepo = (db: ReadDb) => ({
  ofAirport: (icao: string): Promise<StoredNotam[]> => notamRepo(db).ofAirports([icao]),

  /**
   * NOTAM of these aerodromes that have not been cancelled, including past and future ones (`isValidAt`); oldest
   * first.
   */
  ofAirports: async (icaos: readonly string[]): Promise<StoredNotam[]> => {
    const rows = await db.any<NotamRow>(sql`
      SELECT ${notamColumns} FROM notam
      WHERE airports && ${icaos}::text[] AND cancelled_at IS NULL AND type <> 'C' ORDER BY from_at, key`);
    return rows.map(toNotam);
  },

  /** Inside their validity with an effect that can close a runway, for the count of closed runway ends. */
  withClosures: async (now: Date): Promise<StoredNotam[]> => {
    const rows = await db.any<NotamRow>(sql`
      SELECT ${notamColumns} FROM notam
      WHERE effects <> '[]' AND ${valid(now)}
        AND effects @? '$[*] ? (@.kind == "closed" || @.kind == "allRunwaysClosed" || @.kind == "aerodromeClosed")'
      ORDER BY from_at, key`);
    return rows.map(toNotam);
  },

  byId: async (id: number): Promise<StoredNotam | null> => {
    const row = await db.maybe<NotamRow>(sql`SELECT ${notamColumns} FROM notam WHERE id = ${id}`);
    return row && toNotam(row);
  },

  /** NOTAM of one source that have not been cancelled, for the guard of complete sets. */
  count: async (source: string): Promise<number> =>
    (
      await db.one<{ count: number }>(
        sql`SELECT count(*) AS count FROM notam WHERE source = ${source} AND cancelled_at IS NULL`,
      )
    ).count,
});

const batchSize = 2_000;

const rowOf = (notam: Notam) => {
  const {
    key,
    number,
    type,
    replacesKey,
    airports,
    qCode,
    fromUtc,
    toUtc,
    isEstimated,
    raw,
    effects,
    flags,
    runways,
    ...items
  } = notam;
  return {
    key,
    number,
    type,
    replaces_key: replacesKey,
    airports,
    q_code: qCode,
    from_at: fromUtc,
    to_at: toUtc,
    is_estimated: isEstimated,
    raw,
    effects,
    flags,
    runways,
    parser_version: parserVersion,
    items,
  };
};

const incoming = (records: readonly Notam[]) => sql`
  jsonb_to_recordset(${JSON.stringify(records.map(rowOf)).replaceAll('\\u0000', '')}::jsonb) AS n (
    key text, number text, type text, replaces_key text, airports text[], q_code text, from_at timestamptz,
    to_at timestamptz, is_estimated boolean, raw text, effects jsonb, flags text[], runways text[],
    parser_version integer, items jsonb)`;

const upsert = async (tx: Tx, records: readonly Notam[], source: string, now: Date): Promise<number> => {
  // Two statements instead of ON CONFLICT: an unchanged NOTAM must not use up an id.
  const updated = await tx.run(sql`
    UPDATE notam o SET source = ${source}, number = n.number, type = n.type, replaces_key = n.replaces_key,
      airports = n.airports, q_code = n.q_code, from_at = n.from_at, to_at = n.to_at, is_estimated = n.is_estimated,
      raw = n.raw, effects = n.effects, flags = n.flags, runways = n.runways, parser_version = n.parser_version,
      items = n.items, received_at = ${now},
      cancelled_at = CASE WHEN o.cancelled_by = 'source' THEN NULL ELSE o.cancelled_at END,
      cancelled_by = CASE WHEN o.cancelled_by = 'source' THEN NULL ELSE o.cancelled_by END
    FROM ${incoming(records)}
    WHERE o.key = n.key AND (o.cancelled_by = 'source'
      OR (o.type, o.replaces_key, o.airports, o.q_code, o.from_at, o.to_at, o.is_estimated, o.raw, o.effects, o.flags, o.runways,
        o.parser_version, o.items)
        IS DISTINCT FROM
        (n.type, n.replaces_key, n.airports, n.q_code, n.from_at, n.to_at, n.is_estimated, n.raw, n.effects, n.flags, n.runways,
        n.parser_version, n.items))`);
  const inserted = await tx.run(sql`
    INSERT INTO notam (key, source, number, type, replaces_key, airports, q_code, from_at, to_at, is_estimated, raw,
      effects, flags, runways, parser_version, items, received_at)
    SELECT n.key, ${source}, n.number, n.type, n.replaces_key, n.airports, n.q_code, n.from_at, n.to_at,
      n.is_estimated, n.raw, n.effects, n.flags, n.runways, n.parser_version, n.items, ${now}
    FROM ${incoming(records)}
    WHERE NOT EXISTS (SELECT 1 FROM notam o WHERE o.key = n.key)`);
  return updated + inserted;
};

export const notamWrites = (tx: Tx) => ({
  /**
   * Stores a batch: new and changed NOTAM are written, unchanged ones are not touched. A NOTAMC or NOTAMR
   * cancels the NOTAM it names once its own validity has begun. With `isComplete` the batch is everything the
   * source has: its other NOTAM are cancelled, unless they are over. Returns how many rows were written.
   */
  store: async (
    records: readonly Notam[],
    options: { source: string; now: Date; isComplete: boolean },
  ): Promise<number> => {
    const { source, now, isComplete } = options;
    let written = 0;
    for (let at = 0; at < records.length; at += batchSize)
      written += await upsert(tx, records.slice(at, at + batchSize), source, now);
    written += await tx.run(sql`
      UPDATE notam o SET cancelled_at = ${now}, cancelled_by = n.key FROM notam n
      WHERE n.replaces_key = split_part(o.key, '#', 1) AND n.key <> o.key AND n.from_at <= ${now}
        AND o.cancelled_at IS NULL`);
    if (isComplete)
      written += await tx.run(sql`
        UPDATE notam SET cancelled_at = ${now}, cancelled_by = 'source'
        WHERE source = ${source} AND cancelled_at IS NULL AND (to_at IS NULL OR to_at > ${now})
          AND key <> ALL (${records.map((r) => r.key)}::text[])`);
    return written;
  },

  /**
   * Deletes what ended or was cancelled before; at most one batch. Returns the number of rows. NOTAM received
   * since then are kept: otherwise every run would rewrite the old NOTAM that a source still sends.
   */
  prune: (before: Date, limit = 2_000): Promise<number> =>
    tx.run(sql`
      DELETE FROM notam WHERE id IN (
        SELECT id FROM notam WHERE received_at < ${before} AND cancelled_at < ${before}
        UNION ALL
        SELECT id FROM notam WHERE received_at < ${before} AND to_at < ${before}::timestamptz - interval '32 days'
        LIMIT ${limit})`),
});
