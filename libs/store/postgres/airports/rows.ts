/**
 * Rows of `airport` and `runway_end`, with the domain's names when read and the tables' names when written.
 */
import type { Airport, RunwayEnd } from '#domain/airports/types.ts';
import { recordOf, sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

/** An airport without its runway ends. */
export type AirportRow = Omit<Airport, 'ends'>;

/** Columns of `airport a`. */
export const airportColumns = sql`a.icao, a.former_icaos, a.iata, a.name, a.type, a.latitude AS latitude_deg,
  a.longitude AS longitude_deg, a.elevation_ft, a.country, a.municipality,
  a.source`;

/** A runway end with its airport. */
export type RunwayEndRow = RunwayEnd & { icao: string };

/** Columns of `runway_end e`; operator data can replace the others, which are `importedColumns`. */
export const fixedColumns = sql`e.icao, e.ident, e.published_ident, e.reciprocal_ident, e.runway,
  e.true_bearing_deg, e.latitude AS latitude_deg, e.longitude AS longitude_deg,
  e.threshold_latitude AS threshold_latitude_deg, e.threshold_longitude AS threshold_longitude_deg,
  e.threshold_elevation_ft, e.displaced_threshold_m, e.length_m, e.width_m, e.surface,
  e.is_lighted, e.slope_percent, e.slope_source, e.flags`;

export const importedColumns = sql`e.is_closed, jsonb_build_object('asOf', e.distances_as_of,
  'tora', jsonb_build_object('valueM', e.tora_m, 'source', e.tora_source),
  'toda', jsonb_build_object('valueM', e.toda_m, 'source', e.toda_source),
  'asda', jsonb_build_object('valueM', e.asda_m, 'source', e.asda_source),
  'lda', jsonb_build_object('valueM', e.lda_m, 'source', e.lda_source)) AS distances`;

/** For `jsonb_populate_recordset(NULL::airport, …)`. */
export const airportRecord = (airport: Airport) => {
  const { ends: _, latitudeDeg: latitude, longitudeDeg: longitude, ...rest } = airport;
  return recordOf({ ...rest, latitude, longitude });
};

/** For `jsonb_populate_recordset(NULL::runway_end, …)`. */
export const runwayEndRecord = (icao: string, { distances, ...end }: RunwayEnd) => {
  const { tora, toda, asda, lda, asOf } = distances;
  return recordOf({
    ...end,
    icao,
    latitude: end.latitudeDeg,
    longitude: end.longitudeDeg,
    thresholdLatitude: end.thresholdLatitudeDeg,
    thresholdLongitude: end.thresholdLongitudeDeg,
    toraM: tora.valueM,
    toraSource: tora.source,
    todaM: toda.valueM,
    todaSource: toda.source,
    asdaM: asda.valueM,
    asdaSource: asda.source,
    ldaM: lda.valueM,
    ldaSource: lda.source,
    distancesAsOf: asOf,
  });
};

/** Longer than an import of the whole world takes. */
const waitLimit = '50s';

/** Writes of many airports take turns: two at once would lock the same rows in different orders. */
export const airportTurnWrites = (tx: Tx) => ({
  /**
   * Waits until no other transaction writes many airports, until the end of this one. The usual lock timeout is
   * shorter than an import, so the transaction has a longer one from here on.
   */
  take: async (): Promise<void> => {
    await tx.run(sql`SELECT set_config('lock_timeout', ${waitLimit}, true)`);
    await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('airport import'))`);
  },
});
