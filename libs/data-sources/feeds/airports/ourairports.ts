/** OurAirports CSV files (public domain, daily): https://ourairports.com/help/data-dictionary.html */
import type { RawAirport } from '#domain/airports/build.ts';
import { isIcaoCode } from '#domain/airports/ident.ts';
import type { AirportType, RawRunway, RawRunwayEnd } from '#domain/airports/types.ts';
import { numberOf, positionOf, readCsv, textOf } from '../csv.ts';
import type { CsvRow } from '../csv.ts';

export interface OurAirportsFiles {
  airports: Uint8Array;
  runways: Uint8Array;
}

interface OurAirports {
  airports: RawAirport[];
  runwayRows: number;
  /** ICAO rows that could not be used, with reasons. */
  rejects: { reason: string; raw: string }[];
  /** Runways whose airport is missing in the airports file (files from different days). */
  orphanRunways: number;
}

const types: Readonly<Record<string, AirportType>> = {
  large_airport: 'large',
  medium_airport: 'medium',
  small_airport: 'small',
  heliport: 'heliport',
  seaplane_base: 'seaplane',
};

export const airportTypeOf = (text: string): AirportType => types[text] ?? 'other';

/**
 * Former codes of an airport: its identifier, and four-letter keywords in capitals. As these may also be
 * abbreviations, only codes with the region's first letter count.
 */
export const formerIcaosOf = (icao: string, ident: string, keywords: string): string[] => {
  const ofRegion = keywords.split(',').map((word) => word.trim());
  const found = [ident, ...ofRegion.filter((word) => word.startsWith(icao.charAt(0)))];
  return [...new Set(found.filter((code) => /^[A-Z]{4}$/.test(code) && code !== icao))].sort();
};

/** ICAO code from its newer column; older dumps with 18 columns have it in `gps_code` or `ident`. */
const icaoOf = (row: CsvRow): string | null => {
  if ('icao_code' in row) return textOf(row['icao_code'])?.toUpperCase() ?? null;
  const code = textOf(row['gps_code']) ?? textOf(row['ident']);
  return code && /^[A-Z]{4}$/.test(code) ? code : null;
};

const airportOf = (row: CsvRow, icao: string): RawAirport | string => {
  if (!isIcaoCode(icao)) return `${icao} is not an ICAO code`;
  const position = positionOf(row['latitude_deg'], row['longitude_deg']);
  if (!position) return 'no position';
  const name = textOf(row['name']);
  if (!name) return 'no name';
  const iata = textOf(row['iata_code'])?.toUpperCase() ?? null;
  return {
    icao,
    formerIcaos: formerIcaosOf(icao, textOf(row['ident']) ?? '', row['keywords'] ?? ''),
    iata: iata && /^[A-Z0-9]{3}$/.test(iata) ? iata : null,
    name,
    type: airportTypeOf(row['type'] ?? ''),
    ...position,
    elevationFt: numberOf(row['elevation_ft']),
    country: textOf(row['iso_country']) ?? '',
    municipality: textOf(row['municipality']),
    source: 'ourairports',
    runways: [],
  };
};

const endOf = (row: CsvRow, side: 'le' | 'he'): RawRunwayEnd => {
  const position = positionOf(row[`${side}_latitude_deg`], row[`${side}_longitude_deg`]);
  return {
    ident: row[`${side}_ident`] ?? '',
    latitudeDeg: position?.latitudeDeg ?? null,
    longitudeDeg: position?.longitudeDeg ?? null,
    elevationFt: numberOf(row[`${side}_elevation_ft`]),
    headingTrueDeg: numberOf(row[`${side}_heading_degT`]),
    displacedThresholdFt: numberOf(row[`${side}_displaced_threshold_ft`]),
  };
};

const runwayOf = (row: CsvRow): RawRunway => ({
  lengthFt: numberOf(row['length_ft']),
  widthFt: numberOf(row['width_ft']),
  surfaceText: row['surface'] ?? '',
  isLighted: row['lighted'] === '1',
  isClosed: row['closed'] === '1',
  low: endOf(row, 'le'),
  high: endOf(row, 'he'),
});

const airportColumns = ['id', 'ident', 'type', 'name', 'latitude_deg', 'longitude_deg', 'iso_country'];
const runwayColumns = ['airport_ref', 'length_ft', 'closed', 'le_ident', 'he_ident'];

/**
 * Airports that have an ICAO code, each with its runways as published. Throws SourceError for an invalid
 * file.
 */
export const readOurAirports = (files: OurAirportsFiles): OurAirports => {
  const byId = new Map<string, RawAirport>();
  const known = new Set<string>();
  const rejects: OurAirports['rejects'] = [];
  for (const row of readCsv(files.airports, { required: airportColumns, what: 'airports.csv' })) {
    known.add(row['id'] ?? '');
    const icao = icaoOf(row);
    if (!icao || row['type'] === 'closed') continue;
    const airport = airportOf(row, icao);
    if (typeof airport === 'string') rejects.push({ reason: airport, raw: JSON.stringify(row) });
    else byId.set(row['id'] ?? '', airport);
  }
  const rows = readCsv(files.runways, { required: runwayColumns, what: 'runways.csv' });
  let orphanRunways = 0;
  for (const row of rows) {
    const reference = row['airport_ref'] ?? '';
    const airport = byId.get(reference);
    if (airport) airport.runways.push(runwayOf(row));
    else if (!known.has(reference)) orphanRunways += 1;
  }
  return { airports: [...byId.values()], runwayRows: rows.length, rejects, orphanRunways };
};
