/** Import of all airports: reading the files, the first store, an unchanged store; their time zones. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { readWorldAirports } from '#data/feeds/airports/import.ts';
import { createLogger } from '#platform/log/log.ts';
import { airportRepo } from '#data/postgres/airports/airports.ts';
import { airportWrites } from '#data/postgres/airports/import.ts';
import { createPostgres } from '#data/postgres/pool.ts';
import { findTimeZones } from '#data/feeds/timezones/lookup.ts';
import type { TimeZoneTarget } from '#data/feeds/timezones/lookup.ts';
import { familyMb } from './support/memory.ts';
import { createStand, median } from './support/servers.ts';
import { readFaaAirports } from '../support/airports.ts';

const targetS = 10;
const zonesMb = 100;
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
    : readFaaAirports(at);

const seconds = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const start = performance.now();
  const result = await work();
  return [result, (performance.now() - start) / 1000];
};

/** Highest memory of this process and its children above that before the work, sampled. Linux only. */
const timeZoneMemory = async (airports: readonly TimeZoneTarget[]) => {
  const before = await familyMb(process.pid);
  let peak = before;
  let isRunning = true;
  const sampling = (async () => {
    while (isRunning) peak = Math.max(peak, await familyMb(process.pid));
  })();
  const [, took] = await seconds(() => findTimeZones(airports));
  isRunning = false;
  await sampling;
  const after = await familyMb(process.pid);
  console.log(
    `  time zones         ${airports.length} airports in ${took.toFixed(1)} s, ${(peak - before).toFixed(0)} MB more at most (bar ${zonesMb}), ${(after - before).toFixed(0)} MB afterwards`,
  );
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
    await timeZoneMemory(world.airports);
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
