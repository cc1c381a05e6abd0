import type { TafRecord } from '#domain/weather/types.ts';
import { replacesTaf } from '#domain/weather/selection.ts';
import { isoText, recordOf, sql } from '../sql.ts';
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
    return tx.run(sql`INSERT INTO taf (icao, issued_at, valid_from, valid_to, raw, source)
      SELECT icao, issued_at, valid_from, valid_to, raw, source
      FROM jsonb_populate_recordset(NULL::taf, ${JSON.stringify(better.map(recordOf))}::jsonb)
      ON CONFLICT (icao) DO UPDATE SET issued_at = excluded.issued_at, valid_from = excluded.valid_from,
        valid_to = excluded.valid_to, raw = excluded.raw, source = excluded.source
      WHERE excluded.issued_at >= taf.issued_at OR taf.issued_at > ${receivedAt}`);
  },
});
