import { buildAirports } from '#domain/airports/build.ts';
import type { BuildResult } from '#domain/airports/build.ts';
import { readBundledFaaNasr } from './faa-nasr.ts';
import { readOurAirports } from './ourairports.ts';
import type { OurAirportsFiles } from './ourairports.ts';

export interface AirportImport extends BuildResult {
  source: 'ourairports' | 'faa_nasr';
  /** Runway rows of the source for airports with and without an ICAO code. */
  runwayRows: number;
  rejectedRows: { reason: string; raw: string }[];
}

/** The worldwide set: OurAirports, with FAA declared distances and thresholds merged over it. */
export const readWorldAirports = async (files: OurAirportsFiles, at: Date): Promise<AirportImport> => {
  const world = await readOurAirports(files);
  const faa = await readBundledFaaNasr();
  const built = buildAirports(world.airports, faa.officialEnds, at);
  built.rejects.orphan = world.orphanRunways;
  return { ...built, source: 'ourairports', runwayRows: world.runwayRows, rejectedRows: world.rejects };
};

/** The seed for a machine without a network: the ICAO airports of the FAA. */
export const readSeedAirports = async (at: Date): Promise<AirportImport> => {
  const faa = await readBundledFaaNasr();
  const built = buildAirports(faa.airports, faa.officialEnds, at);
  const runwayRows = faa.airports.reduce((sum, airport) => sum + airport.runways.length, 0);
  return { ...built, source: 'faa_nasr', runwayRows, rejectedRows: [] };
};
