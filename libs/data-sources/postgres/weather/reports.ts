import type { MetarRecord, TafRecord } from '#domain/weather/types.ts';
import { replacesMetar, replacesTaf } from '#domain/weather/selection.ts';
import { sql } from '../sql.ts';
import type { Db, Tx } from '../sql.ts';

const metarColumns = sql`icao, observed_at, raw, source`;

interface MetarRow {
  icao: string;
  observed_at: Date;
  raw: string;
  source: string;
}

const metarOf = (row: MetarRow): MetarRecord => ({
  icao: row.icao,
  observedAt: row.observed_at.toISOString(),
  raw: row.raw,
  source: row.source,
});

/** Last known METARs of these stations, whatever their age; absent stations are absent. */
export const readMetars = async (db: Db, icaos: readonly string[]): Promise<MetarRecord[]> => {
  const rows = await db.any<MetarRow>(sql`SELECT ${metarColumns} FROM metar WHERE icao = ANY(${icaos})`);
  return rows.map(metarOf);
};

export const readMetar = async (db: Db, icao: string): Promise<MetarRecord | null> =>
  (await readMetars(db, [icao]))[0] ?? null;

/** Keeps per station the report that replaces the other (newer; corrected). Returns how many rows changed. */
export const storeMetars = async (
  tx: Tx,
  records: readonly MetarRecord[],
  receivedAt: Date,
): Promise<number> => {
  const stored = new Map(
    (
      await readMetars(
        tx,
        records.map((r) => r.icao),
      )
    ).map((r) => [r.icao, r]),
  );
  const better = records.filter((record) => {
    const old = stored.get(record.icao);
    return !old || replacesMetar(record, old);
  });
  return tx.run(sql`INSERT INTO metar (icao, observed_at, raw, source, received_at)
    SELECT u.icao, u.observed_at, u.raw, u.source, ${receivedAt}
    FROM unnest(${better.map((r) => r.icao)}::text[], ${better.map((r) => r.observedAt)}::timestamptz[],
      ${better.map((r) => r.raw)}::text[], ${better.map((r) => r.source)}::text[])
      AS u (icao, observed_at, raw, source)
    ON CONFLICT (icao) DO UPDATE SET observed_at = excluded.observed_at, raw = excluded.raw,
      source = excluded.source, received_at = excluded.received_at
    WHERE excluded.observed_at >= metar.observed_at`);
};

interface TafRow {
  icao: string;
  issued_at: Date;
  valid_from: Date | null;
  valid_to: Date | null;
  raw: string;
  source: string;
}

const tafOf = (row: TafRow): TafRecord => ({
  icao: row.icao,
  issuedAt: row.issued_at.toISOString(),
  validFrom: row.valid_from?.toISOString() ?? null,
  validTo: row.valid_to?.toISOString() ?? null,
  raw: row.raw,
  source: row.source,
});

export const readTafs = async (db: Db, icaos: readonly string[]): Promise<TafRecord[]> => {
  const rows = await db.any<TafRow>(
    sql`SELECT icao, issued_at, valid_from, valid_to, raw, source FROM taf WHERE icao = ANY(${icaos})`,
  );
  return rows.map(tafOf);
};

export const readTaf = async (db: Db, icao: string): Promise<TafRecord | null> =>
  (await readTafs(db, [icao]))[0] ?? null;

/** Keeps per station the forecast that replaces the other (newer issue; amended). Returns how many rows changed. */
export const storeTafs = async (tx: Tx, records: readonly TafRecord[], receivedAt: Date): Promise<number> => {
  const stored = new Map(
    (
      await readTafs(
        tx,
        records.map((r) => r.icao),
      )
    ).map((r) => [r.icao, r]),
  );
  const better = records.filter((record) => {
    const old = stored.get(record.icao);
    return !old || replacesTaf(record, old);
  });
  return tx.run(sql`INSERT INTO taf (icao, issued_at, valid_from, valid_to, raw, source, received_at)
    SELECT u.icao, u.issued_at, u.valid_from, u.valid_to, u.raw, u.source, ${receivedAt}
    FROM unnest(${better.map((r) => r.icao)}::text[], ${better.map((r) => r.issuedAt)}::timestamptz[],
      ${better.map((r) => r.validFrom)}::timestamptz[], ${better.map((r) => r.validTo)}::timestamptz[],
      ${better.map((r) => r.raw)}::text[], ${better.map((r) => r.source)}::text[])
      AS u (icao, issued_at, valid_from, valid_to, raw, source)
    ON CONFLICT (icao) DO UPDATE SET issued_at = excluded.issued_at, valid_from = excluded.valid_from,
      valid_to = excluded.valid_to, raw = excluded.raw, source = excluded.source,
      received_at = excluded.received_at
    WHERE excluded.issued_at >= taf.issued_at`);
};
