import { readBundledFaaNasr } from '#data/feeds/airports/faa-nasr.ts';
import type { FaaNasr } from '#data/feeds/airports/faa-nasr.ts';
import type { AirportImport } from '#data/feeds/airports/import.ts';
import { buildAirports } from '#domain/airports/build.ts';
import { airportWrites } from '#store/postgres/airports/import.ts';
import type { Context } from '#data/context.ts';

let bundled: Promise<FaaNasr> | undefined;

/** Read once for all test files that share modules. */
const readBundled = (): Promise<FaaNasr> => (bundled ??= readBundledFaaNasr());

/** Only the ICAO airports in the bundled FAA file. */
export const readFaaAirports = async (at: Date): Promise<AirportImport> => {
  const faa = await readBundled();
  const built = buildAirports(faa.airports, faa.officialEnds, at);
  const runwayRows = faa.airports.reduce((sum, airport) => sum + airport.runways.length, 0);
  return { ...built, source: 'faa_nasr', runwayRows, rejectedRows: [] };
};

/** Stores the named airports of the bundled FAA file with their runways. */
export const importAirports = async (
  context: Pick<Context, 'postgres' | 'clock'>,
  icaos: readonly string[],
): Promise<void> => {
  const at = context.clock.now();
  const faa = await readBundled();
  const wanted = faa.airports.filter(({ icao }) => icaos.includes(icao));
  // Only these, since computing the variation at every American airport takes long.
  const { airports } = buildAirports(wanted, faa.officialEnds, at);
  if (airports.length !== icaos.length)
    throw new Error(`the FAA file does not contain all of ${icaos.join(', ')}`);
  await context.postgres.transaction((tx) =>
    airportWrites(tx).storeImport(airports, { source: 'faa_nasr', at }),
  );
};
