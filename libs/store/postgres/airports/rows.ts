/**
 * Rows of `airport` and `runway_end`: with the names of the domain when read, those of the tables when written.
 */
import type { Airport, DeclaredDistances, DistanceSource, RunwayEnd } from '#domain/airports/types.ts';
import { recordOf, sql } from '../sql.ts';

/** An airport without its runway ends. */
export type AirportRow = Omit<Airport, 'ends'>;

/** Of `airport a`. */
export const airportColumns = sql`a.icao, a.former_icaos, a.iata, a.name, a.type, a.latitude AS latitude_deg,
  a.longitude AS longitude_deg, a.elevation_ft, a.country, a.region, a.municipality, a.has_scheduled_service,
  a.source`;

/** A direction whose declared distances are separate columns. */
export interface RunwayEndRow extends Omit<RunwayEnd, 'distances'> {
  icao: string;
  toraM: number;
  toraSource: DistanceSource;
  todaM: number;
  todaSource: DistanceSource;
  asdaM: number;
  asdaSource: DistanceSource;
  ldaM: number;
  ldaSource: DistanceSource;
  distancesAsOf: string | null;
}

/** Columns of `runway_end e`; operator data can replace the others, which are `importedColumns`. */
export const fixedColumns = sql`e.icao, e.ident, e.published_ident, e.reciprocal_ident, e.runway,
  e.true_bearing_deg, e.bearing_source, e.latitude AS latitude_deg, e.longitude AS longitude_deg,
  e.threshold_latitude AS threshold_latitude_deg, e.threshold_longitude AS threshold_longitude_deg,
  e.threshold_elevation_ft, e.elevation_source, e.displaced_threshold_m, e.length_m, e.width_m, e.surface,
  e.surface_text, e.is_lighted, e.slope_percent, e.slope_source, e.distances_as_of, e.flags`;

export const importedColumns = sql`e.is_closed, e.tora_m, e.tora_source, e.toda_m, e.toda_source, e.asda_m,
  e.asda_source, e.lda_m, e.lda_source`;

/** Groups the distances; the rest of the row is unchanged. */
export const toRunwayEnd = <Row extends RunwayEndRow>(row: Row) => {
  const { icao: _, toraM, toraSource, todaM, todaSource, asdaM, asdaSource, ldaM, ldaSource, ...rest } = row;
  const { distancesAsOf, ...end } = rest;
  const distances: DeclaredDistances = {
    tora: { valueM: toraM, source: toraSource },
    toda: { valueM: todaM, source: todaSource },
    asda: { valueM: asdaM, source: asdaSource },
    lda: { valueM: ldaM, source: ldaSource },
    asOf: distancesAsOf,
  };
  return { ...end, distances };
};

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
