/** Import of all airports: reading the files, the first store, an unchanged store. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readSeedAirports, readWorldAirports } from '#data/feeds/airports/import.ts';
import { createLogger } from '#data/log.ts';
import { airportRepo } from '#data/postgres/airports/airports.ts';
import { airportWrites } from '#data/postgres/airports/import.ts';
import { createPostgres } from '#data/postgres/pool.ts';
import { createStand, median } from './support/servers.ts';

const targetS = 10;
const lookups = 500;
const folder = join(process.env.SHARED_DATA ?? '../shared/data', 'airports/ourairports');
const file = (name: string) => gunzipSync(readFileSync(join(folder, name)));

/** The worldwide set if its files exist, else the seed of the package. */
const read = (at: Date) =>
  existsSync(folder)
    ? readWorldAirports(
        { airports: file('airports-2026-08-07.csv.gz'), runways: file('runways-2026-08-22.csv.gz') },
        at,
      )
    : readSeedAirports(at);

const seconds = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const start = performance.now();
  const result = await work();
  return [result, (performance.now() - start) / 1000];
};

export const run = async (): Promise<void> => {
  const stand = await createStand();
  const postgres = createPostgres(
    { connectionString: stand.databaseUrl, applicationName: 'bench', max: 2, statementTimeoutMs: 60_000 },
    createLogger('bench', 'silent'),
  );
  try {
    const at = new Date('2026-09-16T04:30:00Z');
    const [world, reading] = await seconds(() => read(at));
    const ends = world.airports.reduce((sum, airport) => sum + airport.ends.length, 0);
    const store = () =>
      postgres.transaction((tx) =>
        airportWrites(tx).storeImport(world.airports, { source: world.source, at }),
      );
    const [, first] = await seconds(store);
    const [same, second] = await seconds(store);
    console.log(
      `  import             ${world.airports.length} airports, ${ends} directions: read ${reading.toFixed(1)} s, stored ${first.toFixed(1)} s, together ${(reading + first).toFixed(1)} s (bar ${targetS})`,
    );
    console.log(
      `  unchanged import   ${second.toFixed(1)} s, ${same.runwaysChanged + same.airportsChanged + same.changelog} rows written (bar 0)`,
    );
    const repo = airportRepo(postgres.db);
    const codes = world.airports.filter((airport) => airport.ends.length > 0).map((airport) => airport.icao);
    const times: number[] = [];
    for (let i = 0; i < lookups; i += 1) {
      const [, took] = await seconds(() => repo.findByIcao(codes[(i * 37) % codes.length] ?? ''));
      times.push(took * 1000);
    }
    const lists: number[] = [];
    for (let i = 0; i < 20; i += 1) lists.push((await seconds(() => repo.availableAirports()))[1] * 1000);
    console.log(`  availableAirports  median ${median(lists).toFixed(1)} ms`);
    const counts: number[] = [];
    for (let i = 0; i < 20; i += 1) counts.push((await seconds(() => repo.statistics()))[1] * 1000);
    console.log(`  statistics         median ${median(counts).toFixed(1)} ms`);
    console.log(`  findByIcao         median ${median(times).toFixed(2)} ms`);
  } finally {
    await postgres.close();
    await stand.close();
  }
};
