/** Origin of a report; `source` on the wire. `FILE`: a manually supplied list that does not name its source. */
export type WeatherSource = 'AWC' | 'NOAA' | 'VATSIM' | 'IVAO' | 'FILE' | 'SIMULATED' | (string & {});

export interface MetarRecord {
  /** Station id in upper case: four characters, with digits at small stations. */
  icao: string;
  /** ISO 8601, UTC. */
  observedAt: string;
  /** The report on one line, with its type word when the source has one. */
  raw: string;
  source: WeatherSource;
}

/** An airport with a METAR. */
export interface ReportingStation {
  icao: string;
  name: string;
  latitudeDeg: number;
  longitudeDeg: number;
  /** Observation time of its newest METAR. */
  observedAt: Date;
}

export interface TafRecord {
  icao: string;
  /** ISO 8601, UTC. */
  issuedAt: string;
  /** ISO 8601, UTC; null when neither the source nor the report gives one (CNL). */
  validFrom: string | null;
  validTo: string | null;
  raw: string;
  source: WeatherSource;
}

/** One record of a feed that could not be read; the batch continues without it. */
export interface Reject {
  reason: string;
  /** The beginning of the rejected record. */
  sample: string;
}

export interface ParseResult<T> {
  records: T[];
  rejects: Reject[];
}
