import type { TafRecord } from '#domain/weather/types.ts';
import { replacesTaf } from '#domain/weather/selection.ts';
import { isoText, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** The last known TAF of a station, regardless of its age. */
export const tafRepo = (db: ReadDb) => {
  /** TAFs of these stations; unknown stations are omitted. */
  const ofStations = (icaos: readonly string[]): Promise<TafRecord[]> =>
    db.any<TafRecord>(sql`
      SELECT icao, ${isoText(sql`issued_at`)} AS issued_at, ${isoText(sql`valid_from`)} AS valid_from,
        ${isoText(sql`valid_to`)} AS valid_to, raw, source
      FROM taf WHERE icao = ANY(${icaos})`);
  return {
    ofStations,
    ofStation: async (icao: string): Promise<TafRecord | null> => (await ofStations([icao]))[0] ?? null,
  };
};

export const tafWrites = (tx: Tx) => ({
  /** Keeps the newer or amended forecast per station. Returns the number of changed rows. */
  store: async (records: readonly TafRecord[], receivedAt: Date): Promise<number> => {
    const known = await tafRepo(tx).ofStations(records.map((record) => record.icao));
    const stored = new Map(known.map((record) => [record.icao, record]));
    const better = records.filter((record) => {
      const old = stored.get(record.icao);
      return !old || replacesTaf(record, old, receivedAt);
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
      WHERE excluded.issued_at >= taf.issued_at OR taf.issued_at > ${receivedAt}`);
  },
});
