import { closedByNotam } from '#domain/notam/airport.ts';
import { airportRepo } from '../airports/airports.ts';
import type { ReadDb, Tx } from '../sql.ts';
import type { NumberedNotam } from '#domain/notam/apply.ts';
import type { Notam } from '#domain/notam/types.ts';
import { columnOf, sql } from '../sql.ts';
import { parserVersion } from '#domain/notam/interpret.ts';

/** Fields with their own column; the rest of a NOTAM is in `items`. */
const columns = [
  'key',
  'number',
  'type',
  'replacesKey',
  'airports',
  'qCode',
  'isEstimated',
  'raw',
  'effects',
  'flags',
  'runways',
] as const satisfies (keyof Notam)[];
type Columns = (typeof columns)[number];
type Times = 'fromUtc' | 'toUtc';

interface NotamRow extends Pick<NumberedNotam, Columns | 'id'> {
  fromAt: Date;
  toAt: Date | null;
  items: Omit<Notam, Columns | Times>;
}

const toNotam = ({ items, fromAt, toAt, ...row }: NotamRow): NumberedNotam => ({
  ...items,
  ...row,
  fromUtc: fromAt.toISOString(),
  toUtc: toAt?.toISOString() ?? null,
});

const facts = sql`key, number, type, replaces_key, airports, q_code, from_at, to_at, is_estimated, raw, effects, flags, runways, items`;
const notamColumns = sql`id, ${facts}`;

export const notamRepo = (db: ReadDb) => ({
  /**
   * NOTAM of these aerodromes that have not been cancelled, including past and future ones (`isValidAt`); oldest
   * first.
   */
  ofAirports: async (icaos: readonly string[]): Promise<NumberedNotam[]> => {
    const rows = await db.any<NotamRow>(sql`
      SELECT ${notamColumns} FROM notam
      WHERE airports && ${icaos}::text[] AND cancelled_at IS NULL AND type <> 'C' ORDER BY from_at, key`);
    return rows.map(toNotam);
  },

  /**
   * Inside their validity with an effect that can close a runway, for the count of closed runway ends. An estimated end
   * is not final until a month has passed.
   */
  withClosures: async (now: Date): Promise<NumberedNotam[]> => {
    const rows = await db.any<NotamRow>(sql`
      SELECT ${notamColumns} FROM notam
      WHERE effects <> '[]' AND cancelled_at IS NULL AND type <> 'C' AND from_at <= ${now}
        AND (to_at IS NULL OR to_at > ${now} OR (is_estimated AND to_at > ${now}::timestamptz - interval '32 days'))
        AND effects @? '$[*] ? (@.kind == "closed" || @.kind == "allRunwaysClosed" || @.kind == "aerodromeClosed")'
      ORDER BY from_at, key`);
    return rows.map(toNotam);
  },

  /** NOTAM of one source that have not been cancelled, for the guard of complete sets. */
  count: (source: string): Promise<number> =>
    db.value<number>(
      sql`SELECT count(*) AS count FROM notam WHERE source = ${source} AND cancelled_at IS NULL`,
    ),
});

const batchSize = 2_000;

const rowOf = ({ fromUtc, toUtc, ...notam }: Notam) => ({
  from_at: fromUtc,
  to_at: toUtc,
  parser_version: parserVersion,
  ...Object.fromEntries(columns.map((key) => [columnOf(key), notam[key]])),
  items: Object.fromEntries(Object.entries(notam).filter(([key]) => !columns.some((own) => own === key))),
});

/** Columns that do not follow from the NOTAM. */
const ours = sql`'{id,source,received_at,cancelled_at,cancelled_by}'::text[]`;

const upsert = async (tx: Tx, records: readonly Notam[], source: string, now: Date): Promise<number> => {
  const incoming = sql`
    jsonb_populate_recordset(NULL::notam, ${JSON.stringify(records.map(rowOf)).replaceAll('\\u0000', '')}::jsonb) n`;
  // Two statements instead of ON CONFLICT: an unchanged NOTAM must not use up an id.
  const updated = await tx.run(sql`
    UPDATE notam o SET (source, received_at, parser_version, ${facts}) =
        (SELECT ${source}, ${now}::timestamptz, parser_version, ${facts} FROM (SELECT n.*) same),
      cancelled_at = CASE WHEN o.cancelled_by = 'source' THEN NULL ELSE o.cancelled_at END,
      cancelled_by = CASE WHEN o.cancelled_by = 'source' THEN NULL ELSE o.cancelled_by END
    FROM ${incoming}
    WHERE o.key = n.key
      AND (o.cancelled_by = 'source' OR to_jsonb(o) - ${ours} IS DISTINCT FROM to_jsonb(n) - ${ours})`);
  const inserted = await tx.run(sql`
    INSERT INTO notam (source, received_at, parser_version, ${facts})
    SELECT ${source}, ${now}, parser_version, ${facts} FROM ${incoming}
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
  prune: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM notam WHERE id IN (
        SELECT id FROM notam WHERE received_at < ${before} AND cancelled_at < ${before}
        UNION ALL
        SELECT id FROM notam WHERE received_at < ${before} AND to_at < ${before}::timestamptz - interval '32 days'
        LIMIT ${batchSize})`),

  /**
   * At most `limit` stored NOTAM whose texts an older version of the readers interpreted, locked; those that another process has locked are left
   * to it.
   */
  takeOutdated: async (limit: number): Promise<NumberedNotam[]> => {
    const rows = await tx.any<NotamRow>(sql`
      SELECT ${notamColumns} FROM notam WHERE parser_version < ${parserVersion} AND cancelled_at IS NULL
      ORDER BY parser_version LIMIT ${limit} FOR UPDATE SKIP LOCKED`);
    return rows.map(toNotam);
  },

  /** Replaces schedule, effects, named runways and flags of stored NOTAM. Returns the number of rows. */
  replace: (notams: readonly NumberedNotam[]): Promise<number> =>
    tx.run(sql`
      UPDATE notam o SET effects = n.effects, flags = n.flags, runways = n.runways,
        items = o.items || jsonb_build_object('schedule', n.schedule), parser_version = ${parserVersion}
      FROM jsonb_to_recordset(${JSON.stringify(notams)}::jsonb) AS n (
        id bigint, schedule jsonb, effects jsonb, flags text[], runways text[])
      WHERE o.id = n.id`),
});

/** Runways under the NOTAM in force. */
export const closedRunwayRepo = (db: ReadDb) => ({
  /**
   * Runway ends closed for landing and take-off by a NOTAM in force, by airport; those closed by publication are not
   * counted again. Reads only airports with such a NOTAM.
   */
  byAirport: async (now: Date): Promise<ReadonlyMap<string, string[]>> => {
    const notams = await notamRepo(db).withClosures(now);
    const icaos = new Set(notams.flatMap((notam) => notam.airports));
    const airports = await airportRepo(db).findByIcaos([...icaos]);
    const closed = airports.map((airport): [string, string[]] => {
      const own = notams.filter((notam) => notam.airports.includes(airport.icao));
      return [airport.icao, closedByNotam(airport, own, now)];
    });
    return new Map(closed.filter(([, idents]) => idents.length > 0));
  },
});
