/**
 * Rows of `airport` and `runway_end`: with the names of the domain when read, those of the tables when written.
 */
import type { Airport, DeclaredDistances, DistanceSource, RunwayEnd } from '#domain/airports/types.ts';
import { sql } from '../sql.ts';

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
export const airportRecord = (airport: Airport) => ({
  icao: airport.icao,
  former_icaos: airport.formerIcaos,
  iata: airport.iata,
  name: airport.name,
  type: airport.type,
  latitude: airport.latitudeDeg,
  longitude: airport.longitudeDeg,
  elevation_ft: airport.elevationFt,
  country: airport.country,
  region: airport.region,
  municipality: airport.municipality,
  has_scheduled_service: airport.hasScheduledService,
  source: airport.source,
});

/** For `jsonb_populate_recordset(NULL::runway_end, …)`. */
export const runwayEndRecord = (icao: string, end: RunwayEnd) => ({
  icao,
  ident: end.ident,
  published_ident: end.publishedIdent,
  reciprocal_ident: end.reciprocalIdent,
  runway: end.runway,
  true_bearing_deg: end.trueBearingDeg,
  bearing_source: end.bearingSource,
  latitude: end.latitudeDeg,
  longitude: end.longitudeDeg,
  threshold_latitude: end.thresholdLatitudeDeg,
  threshold_longitude: end.thresholdLongitudeDeg,
  threshold_elevation_ft: end.thresholdElevationFt,
  elevation_source: end.elevationSource,
  displaced_threshold_m: end.displacedThresholdM,
  length_m: end.lengthM,
  width_m: end.widthM,
  surface: end.surface,
  surface_text: end.surfaceText,
  is_lighted: end.isLighted,
  is_closed: end.isClosed,
  slope_percent: end.slopePercent,
  slope_source: end.slopeSource,
  tora_m: end.distances.tora.valueM,
  tora_source: end.distances.tora.source,
  toda_m: end.distances.toda.valueM,
  toda_source: end.distances.toda.source,
  asda_m: end.distances.asda.valueM,
  asda_source: end.distances.asda.source,
  lda_m: end.distances.lda.valueM,
  lda_source: end.distances.lda.source,
  distances_as_of: end.distances.asOf,
  flags: end.flags,
});
