/** Rows of `airport` and `runway_end`, and the way between them and the domain's records. */
import type {
  Airport,
  AirportSource,
  AirportType,
  DistanceSource,
  RunwayEnd,
  RunwayFlag,
  Surface,
} from '#domain/airports/types.ts';

export interface RunwayEndRow {
  icao: string;
  ident: string;
  published_ident: string;
  reciprocal_ident: string;
  runway: string;
  true_bearing_deg: number;
  bearing_source: string;
  latitude: number | null;
  longitude: number | null;
  threshold_latitude: number | null;
  threshold_longitude: number | null;
  threshold_elevation_ft: number | null;
  elevation_source: string;
  displaced_threshold_m: number;
  length_m: number;
  width_m: number | null;
  surface: string;
  surface_text: string;
  is_lighted: boolean;
  is_closed: boolean;
  slope_percent: number;
  slope_source: string;
  tora_m: number;
  tora_source: string;
  toda_m: number;
  toda_source: string;
  asda_m: number;
  asda_source: string;
  lda_m: number;
  lda_source: string;
  distances_as_of: string | null;
  flags: string[];
}

export interface AirportRow {
  icao: string;
  iata: string | null;
  name: string;
  type: string;
  latitude: number;
  longitude: number;
  elevation_ft: number | null;
  country: string;
  region: string | null;
  municipality: string | null;
  has_scheduled_service: boolean;
  source: string;
}

/** Keys are the columns, in the table's order: rows of equal content have equal JSON. */
export const endToRow = (icao: string, end: RunwayEnd): RunwayEndRow => ({
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

export const endFromRow = (row: RunwayEndRow): RunwayEnd => ({
  ident: row.ident,
  publishedIdent: row.published_ident,
  reciprocalIdent: row.reciprocal_ident,
  runway: row.runway,
  trueBearingDeg: row.true_bearing_deg,
  bearingSource: row.bearing_source as RunwayEnd['bearingSource'],
  latitudeDeg: row.latitude,
  longitudeDeg: row.longitude,
  thresholdLatitudeDeg: row.threshold_latitude,
  thresholdLongitudeDeg: row.threshold_longitude,
  thresholdElevationFt: row.threshold_elevation_ft,
  elevationSource: row.elevation_source as RunwayEnd['elevationSource'],
  displacedThresholdM: row.displaced_threshold_m,
  lengthM: row.length_m,
  widthM: row.width_m,
  surface: row.surface as Surface,
  surfaceText: row.surface_text,
  isLighted: row.is_lighted,
  isClosed: row.is_closed,
  slopePercent: row.slope_percent,
  slopeSource: row.slope_source as RunwayEnd['slopeSource'],
  distances: {
    tora: { valueM: row.tora_m, source: row.tora_source as DistanceSource },
    toda: { valueM: row.toda_m, source: row.toda_source as DistanceSource },
    asda: { valueM: row.asda_m, source: row.asda_source as DistanceSource },
    lda: { valueM: row.lda_m, source: row.lda_source as DistanceSource },
    asOf: row.distances_as_of,
  },
  flags: row.flags as RunwayFlag[],
});

export const airportToRow = (airport: Airport): AirportRow => ({
  icao: airport.icao,
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

export const airportFromRow = (row: AirportRow, ends: RunwayEnd[]): Airport => ({
  icao: row.icao,
  iata: row.iata,
  name: row.name,
  type: row.type as AirportType,
  latitudeDeg: row.latitude,
  longitudeDeg: row.longitude,
  elevationFt: row.elevation_ft,
  country: row.country,
  region: row.region,
  municipality: row.municipality,
  hasScheduledService: row.has_scheduled_service,
  source: row.source as AirportSource,
  ends,
});
