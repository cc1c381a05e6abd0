/** Airports and runways after import. Lengths in metres, elevations in feet, bearings in degrees true, WGS-84. */

export type AirportType = 'large' | 'medium' | 'small' | 'heliport' | 'seaplane' | 'other';
export type Surface = 'paved' | 'unpaved' | 'water' | 'unknown';

/**
 * Source of a declared distance, best first: the operator's figure, a NOTAM, an official publication, computed from
 * length and displaced threshold.
 */
export type DistanceSource = 'operator' | 'notam' | 'faa_nasr' | `aixm_${string}` | 'derived';

export interface DeclaredDistance {
  valueM: number;
  source: DistanceSource;
}

export interface DeclaredDistances {
  tora: DeclaredDistance;
  toda: DeclaredDistance;
  asda: DeclaredDistance;
  lda: DeclaredDistance;
  /** Date of the publication, `YYYY-MM-DD`; null when derived. */
  asOf: string | null;
}

/** What the importer found wrong and corrected; shown to administrators. */
export type RunwayFlag =
  /** Coordinates disagree with the published length by more than 10 %: no position is derived from them. */
  | 'geometry_unreliable'
  /** The ends carried each other's coordinates and were swapped. */
  | 'geometry_swapped'
  /** Bearing and designator disagree by more than 15 degrees. */
  | 'heading_mismatch'
  /** The bearing published as true is magnetic; the variation was added. */
  | 'heading_magnetic'
  | 'not_reciprocal'
  | 'slope_clamped'
  | 'displacement_rejected'
  /** An official distance was longer than the runway and was not used. */
  | 'distance_rejected';

export interface Position {
  latitudeDeg: number;
  longitudeDeg: number;
}

/** One runway direction. */
export interface RunwayEnd {
  /** Two digits and L, C or R. */
  ident: string;
  /** As the source spells it. */
  publishedIdent: string;
  reciprocalIdent: string;
  /** Both runway ends, the lower first: `06L/24R`. */
  runway: string;
  trueBearingDeg: number;
  bearingSource: 'geometry' | 'published' | 'ident';
  /** Beginning of the runway (not of the landing part). */
  latitudeDeg: number | null;
  longitudeDeg: number | null;
  thresholdLatitudeDeg: number | null;
  thresholdLongitudeDeg: number | null;
  thresholdElevationFt: number | null;
  elevationSource: 'published' | 'airport' | 'unknown';
  displacedThresholdM: number;
  lengthM: number;
  widthM: number | null;
  surface: Surface;
  surfaceText: string;
  isLighted: boolean;
  isClosed: boolean;
  /** Uphill positive. */
  slopePercent: number;
  slopeSource: 'published' | 'assumed';
  distances: DeclaredDistances;
  flags: RunwayFlag[];
}

/** `ourairports_seed`: the copy of OurAirports that comes with the service, until the first import of the world. */
export type AirportSource = 'ourairports' | 'faa_nasr' | 'ourairports_seed';

export interface Airport {
  icao: string;
  /** Codes that it had before, in alphabetical order. */
  formerIcaos: string[];
  iata: string | null;
  name: string;
  type: AirportType;
  latitudeDeg: number;
  longitudeDeg: number;
  elevationFt: number | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  region: string | null;
  municipality: string | null;
  hasScheduledService: boolean;
  source: AirportSource;
  ends: RunwayEnd[];
}

/** A runway as provided by a source, before the rules; feet as published, null = not given. */
export interface RawRunwayEnd {
  ident: string;
  latitudeDeg: number | null;
  longitudeDeg: number | null;
  elevationFt: number | null;
  headingTrueDeg: number | null;
  displacedThresholdFt: number | null;
  official?: OfficialDistances;
}

export interface OfficialDistances {
  source: DistanceSource;
  asOf: string | null;
  toraFt: number | null;
  todaFt: number | null;
  asdaFt: number | null;
  ldaFt: number | null;
}

export interface RawRunway {
  lengthFt: number | null;
  widthFt: number | null;
  surfaceText: string;
  isLighted: boolean;
  isClosed: boolean;
  low: RawRunwayEnd;
  high: RawRunwayEnd;
}

/** Why a runway of the source is not used; counted, never an error. */
export type RunwayReject = 'ident' | 'length' | 'duplicate' | 'orphan';
