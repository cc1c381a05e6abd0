import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExitComputation } from '#domain/exits/compute.ts';
import { createTestDatabase } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { decimalYear, magneticVariation, modelDaysLeft, wmm2025 } from '#domain/geomagnetism/wmm.ts';
import { findTimeZones } from '#data/feeds/timezones/lookup.ts';
import { airportDerivedRepo, airportDerivedWrites } from './derived.ts';
import { airportOsmRepo, airportOsmWrites } from './osm.ts';
import { airportRepo } from './airports.ts';
import { obstacleRepo, obstacleWrites } from './obstacles.ts';
import { airportTurnWrites } from './rows.ts';
import { createPostgres } from '../pool.ts';
import type { Postgres } from '../pool.ts';
import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

let database: TestDatabase;
let postgres: Postgres;
const at = new Date('2026-08-22T00:00:00Z');

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = createPostgres(
    {
      connectionString: database.url,
      applicationName: 'test',
      max: 3,
      statementTimeoutMs: 60_000,
      waitMs: 60_000,
    },
    pino({ level: 'silent' }),
  );
  await runSql(postgres)`
    INSERT INTO airport (icao, name, type, latitude, longitude, elevation_ft, country, source, updated_at)
    VALUES ('EGLL', 'Heathrow', 'large', 51.4706, -0.461941, 83, 'GB', 'ourairports', now()),
      ('KJFK', 'Kennedy', 'large', 40.639801, -73.7789, 13, 'US', 'ourairports', now()),
      ('YSSY', 'Sydney', 'large', -33.946098, 151.177002, 21, 'AU', 'ourairports', now())`;
  await runSql(postgres)`
    INSERT INTO runway_end
    SELECT icao, '09', '9', '27', '09/27', 90, NULL, NULL, NULL, NULL, NULL, 0, 3000, 45, 'paved',
      true, false, 0, 'assumed', 3000, 'derived', 3000, 'derived', 3000, 'derived', 3000, 'derived', NULL, '{}'
    FROM airport WHERE icao <> 'YSSY'`;
});
afterAll(async () => {
  await postgres.close();
  await database.drop();
});

test('Derived values wait for a running import instead of locking its rows in another order', async () => {
  const events: string[] = [];
  const isWaiting = async () =>
    (
      await postgres.db.any(sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
    ).length === 2;
  let derived: Promise<unknown> | undefined;
  await postgres.transaction(async (tx) => {
    await airportTurnWrites(tx).take();
    const store = async (name: string, work: (own: Tx) => Promise<number>) => {
      await postgres.transaction(work);
      events.push(name);
    };
    derived = Promise.all([
      store('zones', (own) => airportDerivedWrites(own).storeTimeZones([])),
      store('variations', (own) => airportDerivedWrites(own).storeVariations([], 'WMM2025')),
    ]);
    await until('both wait', isWaiting);
    events.push('import');
  });
  await derived;
  expect(events[0]).toBe('import');
  expect(events).toHaveLength(3);
});

test('Time zones are looked up once, and again after the airport has moved', async () => {
  const repo = airportDerivedRepo(postgres.db);
  const zones = findTimeZones(await repo.withoutTimeZone());
  expect(zones.map(({ icao, timeZone }) => [icao, timeZone])).toEqual([
    ['EGLL', 'Europe/London'],
    ['KJFK', 'America/New_York'],
    ['YSSY', 'Australia/Sydney'],
  ]);
  const store = () => postgres.transaction((tx) => airportDerivedWrites(tx).storeTimeZones(zones));
  expect(await store()).toBe(3);
  expect(await store()).toBe(0);
  expect(await repo.withoutTimeZone()).toEqual([]);
  await runSql(postgres)`UPDATE airport SET latitude = 40.64 WHERE icao = 'KJFK'`;
  expect((await repo.withoutTimeZone()).map((airport) => airport.icao)).toEqual(['KJFK']);
  expect((await airportRepo(postgres.db).findByIcao('EGLL'))?.timeZone).toBe('Europe/London');
});

test('Magnetic variation is computed by field elevation and day, and written when it has changed', async () => {
  const repo = airportDerivedRepo(postgres.db);
  const variations = (await repo.magneticTargets()).map((airport) => ({
    icao: airport.icao,
    variationDeg: Math.round(magneticVariation(airport, decimalYear(at)) * 100) / 100,
  }));
  expect(variations).toEqual([
    { icao: 'EGLL', variationDeg: 1.08 },
    { icao: 'KJFK', variationDeg: -12.56 },
    { icao: 'YSSY', variationDeg: 12.84 },
  ]);
  const store = () =>
    postgres.transaction((tx) => airportDerivedWrites(tx).storeVariations(variations, wmm2025.name));
  expect(await store()).toBe(3);
  expect(await store()).toBe(0);
  expect((await airportRepo(postgres.db).findByIcao('KJFK'))?.magneticVariationDeg).toBe(-12.56);
  expect(modelDaysLeft(new Date('2029-12-02T00:00:00Z'))).toBe(30);
});

const computed = (change: Partial<ExitComputation> = {}): ExitComputation => ({
  exits: [
    { ident: '09', name: 'B', side: 'right', distanceM: 1000, angleDeg: 90 },
    { ident: '27', name: 'B', side: 'left', distanceM: 2000, angleDeg: 90 },
  ],
  intersections: [{ ident: '09', name: 'B', entryM: 1000 }],
  idents: ['09', '27'],
  ...change,
});

test('Exits are computed for due airports, not written when unchanged, and the last good ones kept', async () => {
  const repo = airportOsmRepo(postgres.db);
  expect(await repo.due(at, 10)).toEqual(['EGLL', 'KJFK']);
  const store = (result: ExitComputation) =>
    postgres.transaction((tx) => airportOsmWrites(tx).storeExits('EGLL', result, at));
  expect(await store(computed())).toBe(3);
  expect(await store(computed())).toBe(0);
  const airports = airportRepo(postgres.db);
  expect((await airports.known(['EGLL'])).get('EGLL')?.exits).toEqual([
    { ident: '09', name: 'B', source: 'osm', side: 'right', distanceM: 1000, angleDeg: 90 },
    { ident: '27', name: 'B', source: 'osm', side: 'left', distanceM: 2000, angleDeg: 90 },
  ]);
  expect((await airports.known(['EGLL'])).get('EGLL')?.intersections).toEqual([
    { ident: '09', name: 'B', source: 'osm', entryM: 1000 },
  ]);
  expect(await airports.statistics()).toMatchObject({
    totalCalculatedRwyExits: 2,
    totalIntx: 1,
    customRunwayExit: 0,
  });

  const refused = computed({
    exits: [],
    intersections: [],
    idents: [],
  });
  expect(await store(refused)).toBe(0);
  expect((await airports.known(['EGLL'])).get('EGLL')?.exits).toHaveLength(2);
  await postgres.transaction((tx) => airportOsmWrites(tx).storeFailure('KJFK', at));
  expect(await repo.due(at, 10)).toEqual([]);
  expect(await repo.due(new Date(at.getTime() + 1), 1)).toEqual(['EGLL']);
});

test('Only changed obstacle rows are written, and removed ones deleted', async () => {
  const repo = obstacleRepo(postgres.db);
  const obstacle = (id: string, aglFt: number) => ({
    id,
    latitudeDeg: 40,
    longitudeDeg: -73,
    type: 'TOWER',
    aglFt,
    amslFt: null,
  });
  const store = (list: ReturnType<typeof obstacle>[]) =>
    postgres.transaction((tx) => obstacleWrites(tx).store(list));
  expect(await store([obstacle('1', 300), obstacle('2', 500)])).toBe(2);
  expect(await store([obstacle('1', 300), obstacle('2', 500)])).toBe(0);
  expect(await store([obstacle('2', 510), obstacle('3', 100)])).toBe(3);
  expect(await repo.count()).toBe(2);
  const heights = await postgres.db.values(sql`SELECT agl_ft FROM obstacle ORDER BY agl_ft`);
  expect(heights).toEqual([100, 510]);
  expect((await airportRepo(postgres.db).statistics()).totalObstacles).toBe(2);
});
