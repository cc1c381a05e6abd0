import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { makeHour, testCycleMs } from '#test/support/grib/gfs.ts';
import { overpassQuery } from '#data/feeds/osm/overpass.ts';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { mapFileKey, mapFileRepo } from '#store/postgres/airports/map-file.ts';
import { navdataRepo } from '#store/postgres/navdata/navdata.ts';
import { sql } from '#store/postgres/sql.ts';
import { windCycleRepo } from '#store/postgres/winds/cycles.ts';
import { obstacleDat, overpassAnswer } from '#simulated/aerodromes.ts';
import { awcTafs } from '#simulated/formats.ts';
import { ivaoAtis, ivaoWhazzup, vatsimData } from '#simulated/networks.ts';
import { simulatedAirports, simulatedStations } from '#simulated/stations.ts';
import { forecastHours } from '#domain/winds/snapshot.ts';
import { testContext, testFolder } from '#test/harness.ts';
import { importAirports, readFaaAirports } from '#test/support/airports.ts';
import { runSql } from '#test/support/sql.ts';
import type { Feed } from './define-feed.ts';
import datis from './feeds/datis.ts';
import map from './feeds/map.ts';
import magvar from './feeds/magvar.ts';
import navdata from './feeds/navdata.ts';
import notam from './feeds/notam.ts';
import obstacles from './feeds/obstacles.ts';
import osm from './feeds/osm.ts';
import taf from './feeds/taf.ts';
import timezones from './feeds/timezones.ts';
import winds from './feeds/winds.ts';
import { runFeed } from './runner.ts';
import { zipOfOne } from '#test/support/zip.ts';
import { storedDatis, storedTaf } from '#test/support/stored-weather.ts';

const t = await testContext();
afterAll(() => t.close());
const { db } = t.postgres;
const stations = (await simulatedStations()).slice(0, 120);
const now = t.clock.now();

const ingest = (feed: Feed, path: string, force = false) =>
  runFeed(t, feed, {
    slot: now,
    signal: new AbortController().signal,
    override: pathToFileURL(path).href,
    force,
  });

/** A folder with these files. */
const folderOf = async (files: Record<string, string | Buffer>): Promise<string> => {
  const folder = await testFolder();
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
};

test('TAF are read from a plain or compressed file', async () => {
  const xml = awcTafs(stations, now, null);
  const folder = await folderOf({ plain: xml, 'tafs.xml.gz': gzipSync(xml) });
  expect(await ingest(taf, join(folder, 'plain'))).toMatchObject({ kind: 'stored', stored: 120 });
  expect(await storedTaf(db, stations[0]?.icao ?? '')).toMatchObject({ source: 'AWC' });
  expect(await ingest(taf, join(folder, 'tafs.xml.gz'))).toMatchObject({
    kind: 'stored',
    received: 120,
    stored: 0,
  });
});

describe('datis', () => {
  test('A folder with both networks, with one, and a single file are read, and the other network is unchanged', async () => {
    const all = await folderOf({
      'vatsim-data.json': vatsimData(stations, now, null),
      'ivao-whazzup.json.gz': gzipSync(ivaoWhazzup(stations, now, null)),
      'ivao-atis.json': ivaoAtis(stations, now, null),
    });
    expect(await ingest(datis, all)).toMatchObject({ kind: 'stored', received: 120 });
    const [first, last] = [stations[0]?.icao ?? '', stations[99]?.icao ?? ''];
    expect((await storedDatis(db, first, now)).networkA).toMatchObject([{ frequency: '118.000', order: 0 }]);
    expect((await storedDatis(db, last, now)).networkB).toMatchObject([{ atisCode: 'M', order: 0 }]);
    const one = await folderOf({ 'ivao-atis.json': ivaoAtis(stations.slice(1, 60), now, null) });
    expect(await ingest(datis, one)).toMatchObject({ kind: 'stored', received: 59 });
    // The controller left, the frequency is not known from the list alone, the second network was not read.
    expect((await storedDatis(db, first, now)).networkA).toBeNull();
    expect((await storedDatis(db, stations[1]?.icao ?? '', now)).networkA).toMatchObject([
      { frequency: null },
    ]);
    expect((await storedDatis(db, last, now)).networkB).toHaveLength(1);
    const single = await folderOf({ anything: vatsimData(stations.slice(0, 99), now, null) });
    expect(await ingest(datis, join(single, 'anything'))).toMatchObject({ kind: 'stored' });
    expect((await storedDatis(db, last, now)).networkB).toBeNull();
  });

  test('Less than half of the data is refused without force; invalid files and empty folders are refused even with it', async () => {
    const few = await folderOf({ 'vatsim-data.json': vatsimData(stations.slice(0, 45), now, null) });
    expect(await ingest(datis, few)).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/5 ATIS, less than half of the last 59/) as string,
    });
    expect(await ingest(datis, few, true)).toMatchObject({ kind: 'stored', received: 5 });
    expect(await ingest(datis, await folderOf({ 'other.json': '{}' }), true)).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/other\.json is not an ATIS file of a known network/) as string,
    });
    const broken = await folderOf({
      'vatsim-data.json': '{"general":',
      'ivao-atis.json': ivaoAtis(stations, now, null),
    });
    expect(await ingest(datis, broken, true)).toMatchObject({ kind: 'failed' });
  });
});

describe('winds', () => {
  const levelsHpa = [200, 300, 500];
  const hours = (cycleMs: number, only: readonly number[] = forecastHours) =>
    Object.fromEntries(
      only.map((hour) => [`any-${100 - hour}`, makeHour({ cycleMs, levelsHpa, stepDeg: 90 }, hour).grib]),
    );
  const active = async () => (await windCycleRepo(db).active())?.cycle.getTime();

  test('A folder or a file with the hours of a cycle is read, and an older cycle needs force', async () => {
    expect(await ingest(winds, await folderOf({ ...hours(testCycleMs), 'read.me': 'text' }))).toMatchObject({
      kind: 'stored',
      received: 27,
    });
    expect(await active()).toBe(testCycleMs);
    const older = testCycleMs - 6 * 3_600_000;
    const one = await folderOf({ 'one.grib2.gz': gzipSync(Buffer.concat(Object.values(hours(older)))) });
    expect(await ingest(winds, join(one, 'one.grib2.gz'))).toMatchObject({
      kind: 'failed',
      isGuarded: true,
      error: expect.stringMatching(/^the cycle of \S+ is older than that of \S+ already stored/) as string,
    });
    expect(await active()).toBe(testCycleMs);
    expect(await ingest(winds, join(one, 'one.grib2.gz'), true)).toMatchObject({
      kind: 'stored',
      overridden: [expect.stringMatching(/older than/)],
    });
    expect(await active()).toBe(older);
  });

  test('Missing hours need force, and a folder without GRIB is refused', async () => {
    const some = await folderOf(hours(testCycleMs, [0, 6, 12]));
    expect(await ingest(winds, some)).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/lacks the hours 18, 24, 30, 36, 42, 48/) as string,
    });
    expect(await ingest(winds, some, true)).toMatchObject({ kind: 'stored', received: 9 });
    expect(await ingest(winds, await folderOf({ a: 'text' }), true)).toMatchObject({ kind: 'failed' });
  });
});

describe('notam', () => {
  const text = (number: string, runway: string) =>
    `${number} NOTAMN\nQ) KZNY/QMRLC/IV/NBO/A/000/999/4038N07346W005\nA) KJFK B) 2609010000 C) 2612280000\nE) RWY ${runway} CLSD\n`;
  const numbers = async () =>
    (
      await db.any<{ number: string }>(sql`SELECT number FROM notam WHERE cancelled_at IS NULL ORDER BY key`)
    ).map((row) => row.number);

  test('Files of several formats in a folder are read, and earlier data remain', async () => {
    const geojson = JSON.stringify({
      features: [
        {
          properties: {
            coreNOTAMData: {
              notam: {
                id: 'X',
                series: 'B',
                number: '12',
                year: '2026',
                type: 'N',
                affectedFir: 'KZNY',
                selectionCode: 'QMRLC',
                location: 'KJFK',
                icaoLocation: 'KJFK',
                effectiveStart: '2026-09-01T00:00:00Z',
                effectiveEnd: '2026-12-01T00:00:00Z',
                text: 'RWY 13L/31R CLSD',
              },
            },
          },
        },
      ],
    });
    const folder = await folderOf({ 'a.txt': text('A0001/26', '04L/22R'), 'b.json.gz': gzipSync(geojson) });
    expect(await ingest(notam, folder)).toMatchObject({ kind: 'stored', received: 2, stored: 2 });
    const file = await folderOf({ c: text('A0002/26', '04R/22L') });
    expect(await ingest(notam, join(file, 'c'))).toMatchObject({ kind: 'stored', received: 1, stored: 1 });
    expect(await numbers()).toHaveLength(3);
    expect(await ingest(notam, await folderOf({ d: 'no notam here' }))).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/contains no NOTAM/) as string,
    });
  });

  test('A drop folder is a complete set, so removing a file ends its NOTAM', async () => {
    const folder = await folderOf({
      'one.txt': text('C0001/26', '04L/22R') + text('C0002/26', '04R/22L'),
      'two.txt': text('C0003/26', '13L/31R'),
    });
    const other = await testContext({ env: { NOTAM_URL: pathToFileURL(folder).href } });
    const run = () => runFeed(other, notam, { slot: now, signal: new AbortController().signal });
    expect(await run()).toMatchObject({ kind: 'stored', received: 3 });
    expect(await run()).toMatchObject({ kind: 'notModified' });
    await writeFile(join(folder, 'two.txt'), text('C0004/26', '13L/31R'));
    expect(await run()).toMatchObject({ kind: 'stored', received: 3, stored: 2 });
    await rm(join(folder, 'two.txt'));
    expect(await run()).toMatchObject({ kind: 'stored', received: 2, stored: 1 });
    await other.close();
  });

  test('Without a source the feed is off and has neither runs nor failures', async () => {
    const run = () => runFeed(t, notam, { slot: now, signal: new AbortController().signal });
    const before = await feedRepo(db).state('notam');
    expect(await run()).toEqual({
      kind: 'off',
      reason: expect.stringMatching(/^No NOTAM source is configured: set NOTAM_URL/) as string,
    });
    expect(await feedRepo(db).state('notam')).toEqual(before);
  });
});

describe('airport data from files', () => {
  const run = (feed: Feed) => runFeed(t, feed, { slot: now, signal: new AbortController().signal });
  const airport = (icao: string) =>
    db.one<{
      zone: string | null;
      variation: number | null;
      model: string | null;
    }>(sql`SELECT time_zone AS zone,
      magnetic_variation_deg AS variation, magnetic_model AS model FROM airport WHERE icao = ${icao}`);

  test('Time zones are computed for new and moved airports only, or read from a table', async () => {
    expect(await run(timezones)).toMatchObject({ kind: 'notModified' });
    await importAirports(t, ['KJFK', 'KBOS', 'KSEA']);
    expect(await run(timezones)).toMatchObject({ kind: 'stored', received: 3, stored: 3 });
    expect(await airport('KJFK')).toMatchObject({ zone: 'America/New_York' });
    expect(await run(timezones)).toMatchObject({ kind: 'notModified' });
    await runSql(t.postgres)`UPDATE airport SET latitude = latitude - 0.01 WHERE icao = 'KSEA'`;
    expect(await run(timezones)).toMatchObject({ kind: 'stored', received: 1 });
    const table = await folderOf({ z: 'icao,tz\nKBOS,America/Detroit\nXXXX,Europe/Paris\nKSEA,Mars/Base\n' });
    expect(await ingest(timezones, join(table, 'z'))).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/^2 of 3 records are unreadable/) as string,
    });
    expect(await ingest(timezones, join(table, 'z'), true)).toMatchObject({
      kind: 'stored',
      received: 1,
      rejected: 2,
    });
    expect(await airport('KBOS')).toMatchObject({ zone: 'America/Detroit' });
    expect(await ingest(timezones, join(await folderOf({ z: 'a,b\n1,2\n' }), 'z'))).toMatchObject({
      kind: 'failed',
    });
  }, 30_000);

  test('Magnetic variation is computed for every airport on the day of the run', async () => {
    expect(await run(magvar)).toMatchObject({ kind: 'stored', received: 3, stored: 3 });
    expect((await airport('KJFK')).variation).toBeCloseTo(-12.56, 1);
    expect(await run(magvar)).toMatchObject({ kind: 'stored', stored: 0 });
    expect(await airport('KJFK')).toMatchObject({ model: 'WMM2025' });
    expect(await ingest(magvar, t.config.DATA_DIR)).toMatchObject({ kind: 'failed' });
  });
});

test('Obstacles are read from a plain or compressed file, and a much smaller one needs force', async () => {
  const airports = (await simulatedAirports()).slice(0, 200);
  const dat = obstacleDat(airports, now);
  const folder = await folderOf({
    'a.zip': zipOfOne('DOF.DAT', dat),
    'b.gz': gzipSync(dat),
    c: obstacleDat(airports.slice(0, 20), now),
  });
  const first = await ingest(obstacles, join(folder, 'a.zip'));
  expect(first).toMatchObject({ kind: 'stored' });
  const count = async () => (await db.one<{ n: number }>(sql`SELECT count(*)::int AS n FROM obstacle`)).n;
  const all = await count();
  expect(all).toBeGreaterThan(20);
  expect(await ingest(obstacles, join(folder, 'b.gz'))).toMatchObject({ kind: 'stored', stored: 0 });
  expect(await ingest(obstacles, join(folder, 'c'))).toMatchObject({
    kind: 'failed',
    error: expect.stringMatching(/less than half/) as string,
  });
  expect(await count()).toBe(all);
  expect(await ingest(obstacles, join(folder, 'c'), true)).toMatchObject({ kind: 'stored' });
  expect(await count()).toBeLessThan(all);
});

test('OSM answers are read from files named after their airport code', async () => {
  const { airports } = await readFaaAirports(now);
  const seed = airports.filter(({ icao }) => ['KJFK', 'KBOS'].includes(icao));
  const world = await simulatedAirports();
  const answer = (icao: string) => {
    const { latitudeDeg, longitudeDeg } = seed.find((airport) => airport.icao === icao) ?? {
      latitudeDeg: 0,
      longitudeDeg: 0,
    };
    const points = [
      { latitudeDeg: latitudeDeg - 0.03, longitudeDeg: longitudeDeg - 0.03 },
      { latitudeDeg: latitudeDeg + 0.03, longitudeDeg: longitudeDeg + 0.03 },
    ];
    return overpassAnswer(world, `data=${encodeURIComponent(overpassQuery(points))}`, now);
  };
  const folder = await folderOf({
    'KJFK.json.gz': gzipSync(answer('KJFK')),
    'kbos-map.json': answer('KBOS'),
  });
  expect(await ingest(osm, folder)).toMatchObject({ kind: 'stored', received: 2 });
  const found = await db.any<{ icao: string; n: number }>(
    sql`SELECT icao, count(*)::int AS n FROM runway_exit GROUP BY icao ORDER BY icao`,
  );
  expect(found.map(({ icao }) => icao)).toEqual(['KBOS', 'KJFK']);
  const unnamed = await folderOf({ other: answer('KBOS') });
  expect(await ingest(osm, join(unnamed, 'other'))).toMatchObject({
    kind: 'failed',
    error: expect.stringMatching(/does not begin with the code of an airport/) as string,
  });
});

test('Navdata files are identified by content, even a folder with airways before their fixes', async () => {
  const fix = (ident: string, lat: number) => `${lat.toFixed(6)} 8.000000 ${ident} ENRT ED 2115159`;
  const header = (version: number, name: string) =>
    `I\n${version} Version - data cycle 2609, build 20260901, metadata ${name}. Copyright (c) 2026.\n\n`;
  const fixes = `${header(1200, 'FixXP1200')}${fix('FIXAA', 50)}\n${fix('FIXBB', 51)}\n99\n`;
  const airways = `${header(1100, 'AwyXP1100')}FIXAA ED 11 FIXBB ED 11 N 1 180 460 UL1-Z9\n99\n`;
  const csv =
    'id,filename,ident,name,type,frequency_khz,latitude_deg,longitude_deg,elevation_ft,iso_country,dme_frequency_khz,' +
    'dme_channel,dme_latitude_deg,dme_longitude_deg,dme_elevation_ft,slaved_variation_deg,magnetic_variation_deg,' +
    'usageType,power,associated_airport\n' +
    '1,a,TST,Test,VOR,113600,50.5,8.5,100,DE,,,,,,,,BOTH,HIGH,\n';
  const folder = await folderOf({ a: airways, b: fixes, c: csv });
  expect(await ingest(navdata, folder)).toMatchObject({ kind: 'stored', received: 7 });
  const search = (ident: string) =>
    navdataRepo(db).search({ ident, exact: true, limit: 5, at: new Date('2026-09-16T12:00:00Z') });
  expect(await search('FIXAA')).toMatchObject([{ airway: 'UL1,Z9', cycle: '2609', frequencyMhz: null }]);
  expect(await search('TST')).toMatchObject([{ frequencyMhz: 113.6, cycle: null }]);
  const wrong = await folderOf({ x: 'neither of them' });
  expect(await ingest(navdata, join(wrong, 'x'))).toMatchObject({ kind: 'failed' });
});

test('The map is written under a new name for every change, and not at all when nothing changed (M-2.12.d24)', async () => {
  const run = (force = false) => runFeed(t, map, { slot: now, signal: new AbortController().signal, force });
  expect(await run()).toMatchObject({ kind: 'stored', received: 3 });
  const first = await mapFileRepo(db).current();
  const text = Buffer.from((await t.storage.get(mapFileKey(first?.name ?? ''))) ?? []).toString();
  expect(text.length).toBe(first?.bytes);
  expect((JSON.parse(text) as { features: unknown[] }).features).toHaveLength(3);
  expect(await run()).toMatchObject({ kind: 'notModified' });
  await runSql(t.postgres)`UPDATE airport SET name = 'Renamed' WHERE icao = 'KBOS'`;
  expect(await run()).toMatchObject({ kind: 'stored' });
  expect((await mapFileRepo(db).current())?.name).not.toBe(first?.name);
  expect(await ingest(map, t.config.DATA_DIR)).toMatchObject({ kind: 'failed' });
});
