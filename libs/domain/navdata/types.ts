/** Sources of points, best first: operator, FAA, OurAirports. */
export type NavdataSource =
  | 'xplane_fix'
  | 'xplane_nav'
  | 'xplane_awy'
  | 'faa_fix'
  | 'faa_nav'
  | 'faa_awy'
  | 'ourairports';

/** Files of one family belong together: airways in one refer to fixes in another. */
export type NavdataFamily = 'xplane' | 'faa' | 'ourairports';

export const familyOf = (source: NavdataSource): NavdataFamily =>
  source === 'ourairports' ? source : source.startsWith('faa') ? 'faa' : 'xplane';

/** Two close points with the same ident and band are the same point from two sources. */
export type NavBand = 'vhf' | 'lf' | 'point';

export interface NavPoint {
  /** 1 to 5 letters or digits. */
  ident: string;
  name: string;
  band: NavBand;
  /** MHz, four decimals; null for waypoints. */
  frequencyMhz: number | null;
  latitudeDeg: number;
  longitudeDeg: number;
  /** ICAO region (`K5`) if the source names it. */
  region: string | null;
}

/** A point on an airway, identified by region or position. */
export interface AirwayPoint {
  airway: string;
  ident: string;
  region: string | null;
  latitudeDeg: number | null;
  longitudeDeg: number | null;
}

/** A file of navigation data. */
export interface NavdataSet {
  source: NavdataSource;
  /** AIRAC cycle, null for an undated source. */
  cycle: string | null;
  points: NavPoint[];
  airways: AirwayPoint[];
  rejects: { reason: string; sample: string }[];
  /** Total number, if `rejects` is only a sample. */
  rejected?: number;
}

export const isNavIdent = (text: string): boolean => /^[A-Z0-9]{1,5}$/.test(text);
