import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { readBundledFaaNasr } from '../feeds/airports/faa-nasr.ts';
import { readOurAirports } from '../feeds/airports/ourairports.ts';
import type { RawAirport } from '#domain/airports/build.ts';

const worldFolder = join(import.meta.dirname, 'world');

let known: Promise<RawAirport[]> | undefined;

/** Airports of the simulated world: those of the bundled FAA file and some fifty of other countries. */
export const simulatedAirports = (): Promise<RawAirport[]> => {
  known ??= (async () => {
    const [faa, world] = await Promise.all([
      readBundledFaaNasr(),
      readOurAirports({
        airports: createReadStream(join(worldFolder, 'airports.csv')),
        runways: createReadStream(join(worldFolder, 'runways.csv')),
      }),
    ]);
    // The FAA file names a few codes twice.
    return [
      ...new Map([...faa.airports, ...world.airports].map((airport) => [airport.icao, airport])).values(),
    ];
  })();
  return known;
};

/** Stations that report: airports with a code of four letters and a runway that is no strip. */
export const simulatedStations = async (): Promise<RawAirport[]> =>
  (await simulatedAirports()).filter(
    (airport) =>
      /^[A-Z]{4}$/.test(airport.icao) && airport.runways.some((runway) => (runway.lengthFt ?? 0) >= 5_000),
  );
