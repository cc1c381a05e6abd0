import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readBundledFaaNasr } from '#data/feeds/airports/faa-nasr.ts';
import { readOurAirports } from '#data/feeds/airports/ourairports.ts';
import { readCsv } from '#data/feeds/csv.ts';
import type { RawAirport } from '#domain/airports/build.ts';

const worldFolder = join(import.meta.dirname, 'world');

const scheduledRowSchema = z.object({
  icao_code: z.string(),
  iata_code: z.string(),
  type: z.enum(['large_airport', 'medium_airport', 'small_airport', 'seaplane_base']),
});

type Scheduled = Pick<RawAirport, 'iata' | 'type'>;

const typeOf = {
  large_airport: 'large',
  medium_airport: 'medium',
  small_airport: 'small',
  seaplane_base: 'seaplane',
} as const;

/** OurAirports data for FAA airports with airline service: the FAA data lack IATA codes and sizes. */
const readScheduled = async (): Promise<ReadonlyMap<string, Scheduled>> => {
  const found = new Map<string, Scheduled>();
  const bytes = await readFile(join(worldFolder, 'scheduled.csv'));
  for (const row of readCsv(bytes, {
    required: ['icao_code', 'iata_code', 'type'],
    what: 'scheduled.csv',
  })) {
    const { icao_code: icao, iata_code: iata, type } = scheduledRowSchema.parse(row);
    found.set(icao, { iata: iata || null, type: typeOf[type] });
  }
  return found;
};

/** Without airline service, the longest runway decides the size, roughly as in OurAirports. */
const mediumFromFt = 7_000;

const withSize = (airport: RawAirport, scheduled: ReadonlyMap<string, Scheduled>): RawAirport => {
  const known = scheduled.get(airport.icao);
  if (known) return { ...airport, ...known };
  if (airport.type !== 'other') return airport;
  const longest = Math.max(0, ...airport.runways.map((runway) => runway.lengthFt ?? 0));
  return { ...airport, type: longest >= mediumFromFt ? 'medium' : 'small' };
};

let known: Promise<RawAirport[]> | undefined;

/** Airports of the simulated world: the bundled FAA file and some fifty in other countries. */
export const simulatedAirports = (): Promise<RawAirport[]> => {
  known ??= (async () => {
    const faa = await readBundledFaaNasr();
    const scheduled = await readScheduled();
    const world = readOurAirports({
      airports: await readFile(join(worldFolder, 'airports.csv')),
      runways: await readFile(join(worldFolder, 'runways.csv')),
    });
    // The FAA file has some duplicate codes.
    return [
      ...new Map(
        [...faa.airports.map((airport) => withSize(airport, scheduled)), ...world.airports].map((airport) => [
          airport.icao,
          airport,
        ]),
      ).values(),
    ];
  })();
  return known;
};

/** Reporting stations: airports with a four-letter code and a full-size runway. */
export const simulatedStations = async (): Promise<RawAirport[]> =>
  (await simulatedAirports()).filter(
    (airport) =>
      /^[A-Z]{4}$/.test(airport.icao) && airport.runways.some((runway) => (runway.lengthFt ?? 0) >= 5_000),
  );
