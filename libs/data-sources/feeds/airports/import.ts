import { buildAirports } from '#domain/airports/build.ts';
import type { BuildResult, RawAirport } from '#domain/airports/build.ts';
import type { Airport, RawRunway } from '#domain/airports/types.ts';
import { readBundled } from './bundled.ts';
import { readBundledFaaNasr } from './faa-nasr.ts';
import { readOurAirports } from './ourairports.ts';
import type { OurAirportsFiles } from './ourairports.ts';

export interface AirportImport extends BuildResult {
  source: 'ourairports' | 'faa_nasr';
  /** Runway rows of the source for airports with and without an ICAO code. */
  runwayRows: number;
  rejectedRows: { reason: string; raw: string }[];
}

/** Whether a runway has the same number as another, or had it before renumbering. */
const isSameOrOld = (old: RawRunway, present: RawRunway): boolean => {
  const numberOf = ({ low }: RawRunway): number => Number.parseInt(low.ident, 10);
  const apart = Math.abs(numberOf(old) - numberOf(present));
  const [oldFt, presentFt] = [old.lengthFt ?? 0, present.lengthFt ?? 0];
  return apart === 0 || ([1, 35].includes(apart) && Math.abs(oldFt - presentFt) <= presentFt * 0.02);
};

/**
 * US runways come from the FAA, since names and lengths in OurAirports are older; only its permanently closed runways
 * are added. For other countries the FAA file is older than OurAirports.
 */
const withFaaRunways = (world: RawAirport, faa: RawAirport | undefined): RawAirport => {
  if (!faa || faa.country !== 'US' || faa.runways.length === 0) return world;
  const closed = world.runways.filter(
    (runway) => runway.isClosed && !faa.runways.some((present) => isSameOrOld(runway, present)),
  );
  return { ...world, runways: [...faa.runways, ...closed] };
};

/** Airports worldwide: OurAirports with the FAA's runways and declared distances. */
export const readWorldAirports = async (files: OurAirportsFiles, at: Date): Promise<AirportImport> => {
  const world = readOurAirports(files);
  const faa = await readBundledFaaNasr();
  const ofFaa = new Map(faa.airports.map((airport) => [airport.icao, airport]));
  const airports = world.airports.map((airport) => withFaaRunways(airport, ofFaa.get(airport.icao)));
  const built = buildAirports(airports, faa.officialEnds, at);
  built.rejects.orphan = world.orphanRunways;
  return { ...built, source: 'ourairports', runwayRows: world.runwayRows, rejectedRows: world.rejects };
};

/** Seed airports, stored source by source. */
export interface SeedAirports {
  /** Date of the bundled OurAirports copy, `YYYY-MM-DD`. */
  date: string;
  bySource: { source: 'ourairports_seed' | 'faa_nasr'; airports: Airport[] }[];
}

/** The FAA has better runways, surfaces and distances; OurAirports has better codes, sizes and names. */
const withCodes = (faa: RawAirport, world: RawAirport | undefined): RawAirport =>
  world
    ? {
        ...faa,
        formerIcaos: world.formerIcaos,
        iata: world.iata,
        type: world.type,
        name: world.name,
        municipality: world.municipality,
      }
    : faa;

/**
 * Airports bundled for a machine without a network: those of the FAA, and the rest from OurAirports. Only airports with
 * a usable runway.
 */
export const readSeedAirports = async (at: Date): Promise<SeedAirports> => {
  const faa = await readBundledFaaNasr();
  const world = await readBundled('ourairports');
  const byCode = new Map(world.airports.map((airport) => [airport.icao, airport]));
  const ofFaa = new Set(faa.airports.filter(({ runways }) => runways.length > 0).map(({ icao }) => icao));
  const built = (airports: Iterable<RawAirport>) =>
    buildAirports(airports, faa.officialEnds, at).airports.filter(({ ends }) => ends.length > 0);
  const raw = faa.airports.map((airport) => withCodes(airport, byCode.get(airport.icao)));
  return {
    date: world.date,
    bySource: [
      { source: 'faa_nasr', airports: built(raw) },
      {
        source: 'ourairports_seed',
        airports: built(world.airports.filter(({ icao }) => !ofFaa.has(icao))),
      },
    ],
  };
};
