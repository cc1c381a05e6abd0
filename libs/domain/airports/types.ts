/** Airports and runways after import. Lengths in metres, elevations in feet, bearings in degrees true, WGS-84. */

export type AirportType = 'large' | 'medium' | 'small' | 'heliport' | 'seaplane' | 'other';
export type Surface = 'paved' | 'unpaved' | 'water' | 'unknown';

/**
 * Source of a declared distance, best first: operator, NOTAM, official publication, derived from length and displaced
 * threshold.
 */
type DistanceSource = 'operator' | 'notam' | 'faa_nasr' | `aixm_${string}` | 'derived';

export interface DeclaredDistance {
  valueM: number;
  source: DistanceSource;
}

export interface DeclaredDistances {
  tora: DeclaredDistance;
  toda: DeclaredDistance;
  asda: DeclaredDistance;
  lda: DeclaredDistance;
  /** Publication date, `YYYY-MM-DD`; null if derived. */
  asOf: string | null;
}

/** Problems found and corrected by the import; shown to administrators. */
export type RunwayFlag =
  /** Coordinates contradict the published length by more than 10 %; no position is derived from them. */
  | 'geometry_unreliable'
  /** The coordinates of both ends were exchanged. */
  | 'geometry_swapped'
  /** Bearing and designator differ by more than 15 degrees. */
  | 'heading_mismatch'
  /** The published "true" bearing was magnetic; the variation was added. */
  | 'heading_magnetic'
  | 'not_reciprocal'
  | 'slope_clamped'
  | 'displacement_rejected'
  /** An official distance was longer than the runway and was ignored. */
  | 'distance_rejected';

export interface Position {
  latitudeDeg: number;
  longitudeDeg: number;
}

/** A runway end. */
export interface RunwayEnd {
  /** Two digits and L, C or R. */
  ident: string;
  /** As spelled by the source. */
  publishedIdent: string;
  reciprocalIdent: string;
  /** The runway of this end, lower designator first: `06L/24R`. */
  runway: string;
  trueBearingDeg: number;
  /** Start of the pavement, not the landing threshold. */
  latitudeDeg: number | null;
  longitudeDeg: number | null;
  thresholdLatitudeDeg: number | null;
  thresholdLongitudeDeg: number | null;
  thresholdElevationFt: number | null;
  displacedThresholdM: number;
  lengthM: number;
  widthM: number | null;
  surface: Surface;
  isLighted: boolean;
  isClosed: boolean;
  /** Uphill positive. */
  slopePercent: number;
  slopeSource: 'published' | 'assumed';
  distances: DeclaredDistances;
  flags: RunwayFlag[];
}

/** `ourairports_seed`: the bundled copy of OurAirports, in use until the first worldwide import. */
export type AirportSource = 'ourairports' | 'faa_nasr' | 'ourairports_seed';

export interface Airport {
  icao: string;
  /** Former codes, in alphabetical order. */
  formerIcaos: string[];
  iata: string | null;
  name: string;
  type: AirportType;
  latitudeDeg: number;
  longitudeDeg: number;
  elevationFt: number | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  municipality: string | null;
  source: AirportSource;
  ends: RunwayEnd[];
}

/** A runway end as published, before the import rules; in feet, null if not given. */
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

/** Why a runway is rejected; counted, never an error. */
export type RunwayReject = 'ident' | 'length' | 'duplicate' | 'orphan';
