import type { MetarRecord, ReportingStation, TafRecord } from '#domain/weather/types.ts';
import { replacesMetar, replacesTaf } from '#domain/weather/selection.ts';
import { isoText, recordOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import type { StationPlace } from '#domain/weather/stations.ts';

const columns = sql`icao, ${isoText(sql`observed_at`)} AS observed_at, raw, source`;

/** The last known METAR of a station, regardless of its age. */
export const metarRepo = (db: ReadDb) => ({
  /** Texts of the reports observed since then. */
  since: (from: Date): Promise<{ icao: string; raw: string }[]> =>
    db.any<{ icao: string; raw: string }>(
      sql`SELECT icao, raw FROM metar WHERE observed_at >= ${from} ORDER BY icao`,
    ),

  /** METARs of these stations; unknown stations are omitted. */
  ofStations: (icaos: readonly string[]): Promise<MetarRecord[]> =>
    db.any<MetarRecord>(sql`SELECT ${columns} FROM metar WHERE icao = ANY(${icaos})`),

  /** All reports of these stations observed since then, the latest first. */
  history: (icaos: readonly string[], from: Date, to: Date): Promise<MetarRecord[]> =>
    db.any<MetarRecord>(sql`
      SELECT ${columns} FROM metar_history
      WHERE icao = ANY(${icaos}) AND observed_at >= ${from} AND observed_at <= ${to}
      ORDER BY metar_history.observed_at DESC, icao`),

  /** Airports in service that have a METAR of any age. */
  stations: (): Promise<ReportingStation[]> =>
    db.any<ReportingStation>(sql`
      SELECT m.icao, a.name, a.latitude AS latitude_deg, a.longitude AS longitude_deg,
        m.observed_at
      FROM metar m JOIN airport a ON a.icao = m.icao AND a.removed_at IS NULL ORDER BY m.icao`),
});

/** Reports of stations that have none, or one that the new one replaces. */
const betterThan = <Report extends { icao: string }>(
  known: readonly Report[],
  records: readonly Report[],
  replaces: (record: Report, old: Report) => boolean,
): Report[] => {
  const stored = new Map(known.map((record) => [record.icao, record]));
  return records.filter((record) => {
    const old = stored.get(record.icao);
    return !old || replaces(record, old);
  });
};

export const metarWrites = (tx: Tx) => ({
  /** Keeps the newer or corrected report per station. Returns the number of changed rows. */
  store: async (records: readonly MetarRecord[], receivedAt: Date): Promise<number> => {
    const known = await metarRepo(tx).ofStations(records.map((record) => record.icao));
    const better = betterThan(known, records, (record, old) => replacesMetar(record, old, receivedAt));
    const given = sql`jsonb_populate_recordset(NULL::metar, ${JSON.stringify(better.map(recordOf))}::jsonb) u`;
    // A corrected report replaces the one of its time.
    await tx.run(sql`INSERT INTO metar_history (icao, observed_at, raw, source)
      SELECT DISTINCT ON (u.icao, u.observed_at) u.icao, u.observed_at, u.raw, u.source FROM ${given}
      ORDER BY u.icao, u.observed_at, length(u.raw) DESC
      ON CONFLICT (icao, observed_at) DO UPDATE SET raw = excluded.raw, source = excluded.source`);
    return tx.run(sql`INSERT INTO metar (icao, observed_at, raw, source)
      SELECT u.icao, u.observed_at, u.raw, u.source FROM ${given}
      ON CONFLICT (icao) DO UPDATE SET observed_at = excluded.observed_at, raw = excluded.raw, source = excluded.source
      WHERE excluded.observed_at >= metar.observed_at OR metar.observed_at > ${receivedAt}`);
  },
});

export const stationRepo = (db: ReadDb) => ({
  /** Every airport in service, whether or not it reports. */
  places: (): Promise<StationPlace[]> =>
    db.any<StationPlace>(
      sql`SELECT icao, latitude, longitude FROM airport WHERE removed_at IS NULL ORDER BY icao`,
    ),
});

/** The last known TAF of a station, regardless of its age. */
export const tafRepo = (db: ReadDb) => ({
  /** TAFs of these stations; unknown stations are omitted. */
  ofStations: (icaos: readonly string[]): Promise<TafRecord[]> =>
    db.any<TafRecord>(sql`
      SELECT icao, ${isoText(sql`issued_at`)} AS issued_at, ${isoText(sql`valid_from`)} AS valid_from,
        ${isoText(sql`valid_to`)} AS valid_to, raw, source
      FROM taf WHERE icao = ANY(${icaos})`),
});

export const tafWrites = (tx: Tx) => ({
  /** Keeps the newer or amended forecast per station. Returns the number of changed rows. */
  store: async (records: readonly TafRecord[], receivedAt: Date): Promise<number> => {
    const known = await tafRepo(tx).ofStations(records.map((record) => record.icao));
    const better = betterThan(known, records, (record, old) => replacesTaf(record, old, receivedAt));
    return tx.run(sql`INSERT INTO taf (icao, issued_at, valid_from, valid_to, raw, source)
      SELECT icao, issued_at, valid_from, valid_to, raw, source
      FROM jsonb_populate_recordset(NULL::taf, ${JSON.stringify(better.map(recordOf))}::jsonb)
      ON CONFLICT (icao) DO UPDATE SET issued_at = excluded.issued_at, valid_from = excluded.valid_from,
        valid_to = excluded.valid_to, raw = excluded.raw, source = excluded.source
      WHERE excluded.issued_at >= taf.issued_at OR taf.issued_at > ${receivedAt}`);
  },
});
