import { readSeedAirports } from '#data/feeds/airports/import.ts';
import { airportWrites } from '#data/postgres/airports/import.ts';
import type { Context } from '#data/context.ts';

/** Stores the named airports of the bundled seed with their runways. */
export const importAirports = async (
  context: Pick<Context, 'postgres' | 'clock'>,
  icaos: readonly string[],
): Promise<void> => {
  const at = context.clock.now();
  const { airports, source } = await readSeedAirports(at);
  const wanted = airports.filter((airport) => icaos.includes(airport.icao));
  if (wanted.length !== icaos.length) throw new Error(`the seed does not contain all of ${icaos.join(', ')}`);
  await context.postgres.transaction((tx) => airportWrites(tx).storeImport(wanted, { source, at }));
};
