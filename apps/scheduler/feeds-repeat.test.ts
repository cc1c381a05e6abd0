import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { makeHour, testCycleMs } from '#test/support/grib/gfs.ts';
import { navdataRepo } from '#store/postgres/navdata/navdata.ts';
import { windCycleRepo } from '#store/postgres/winds/cycles.ts';
import { startSimulated } from '#test/support/simulated.ts';
import { ivaoAtis, ivaoWhazzup, vatsimData } from '#simulated/networks.ts';
import { simulatedStations } from '#simulated/stations.ts';
import { forecastHours } from '#domain/winds/snapshot.ts';
import { testClock, testContext, testFolder } from '#test/harness.ts';
import { storedDatis, storedMetar, storedTaf } from '#test/support/stored-weather.ts';
import type { Feed } from './define-feed.ts';
import datis from './feeds/datis.ts';
import metar from './feeds/metar.ts';
import navdata from './feeds/navdata.ts';
import taf from './feeds/taf.ts';
import winds from './feeds/winds.ts';
import { runFeed } from './runner.ts';

const clock = testClock('2026-09-16T12:25:00Z');
const stations = (await simulatedStations()).slice(0, 120);
const simulated = await startSimulated({ now: () => clock.now(), stations: async () => stations });
const t = await testContext({ env: { ...simulated.variables }, clock });
afterAll(async () => {
  await simulated.close();
  await t.close();
});
const { db } = t.postgres;

const run = (feed: Feed, options: { path?: string; force?: boolean } = {}) =>
  runFeed(t, feed, {
    slot: clock.now(),
    signal: new AbortController().signal,
    override: options.path === undefined ? undefined : pathToFileURL(options.path).href,
    force: options.force === true,
  });

const folderOf = async (files: Record<string, string | Buffer>): Promise<string> => {
  const folder = await testFolder();
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
};

describe('repeated runs', () => {
  test('Winds from files report the bytes read, and a web page among the files is ignored', async () => {
    const hours = forecastHours.map(
      (hour) => makeHour({ cycleMs: testCycleMs, levelsHpa: [200, 300], stepDeg: 90 }, hour).grib,
    );
    const packed = gzipSync(Buffer.concat(hours.slice(0, 4)));
    const rest = Buffer.concat(hours.slice(4));
    const page = '<!doctype html><html>index</html>';
    const path = await folderOf({ 'a.gz': packed, b: rest, 'index.html': page });
    const bytes = packed.length + rest.length;
    expect(await run(winds, { path })).toMatchObject({ kind: 'stored', stored: 9, bytes });
    const before = await windCycleRepo(db).active();
    expect(await run(winds, { path })).toMatchObject({ kind: 'stored', received: 18, stored: 0, bytes });
    expect(await windCycleRepo(db).active()).toEqual(before);
  });

  test('Winds with force request the active cycle again', async () => {
    expect(await run(winds, { force: true })).toMatchObject({ kind: 'stored' });
    const asked = simulated.requests.length;
    expect(await run(winds)).toMatchObject({ kind: 'notModified' });
    expect(simulated.requests.length).toBe(asked);
    expect(await run(winds, { force: true })).toMatchObject({ kind: 'stored', stored: 0 });
    expect(simulated.requests.length).toBeGreaterThan(asked);
  }, 60_000);

  test('An unchanged ATIS is confirmed for another hour without a write', async () => {
    const at = clock.now();
    const path = await folderOf({
      'vatsim-data.json': vatsimData(stations, at, null),
      'ivao-whazzup.json': ivaoWhazzup(stations, at, null),
      'ivao-atis.json': ivaoAtis(stations, at, null),
    });
    const first = await run(datis, { path });
    expect(first).toMatchObject({ kind: 'stored', received: 120 });
    const [own] = stations;
    const shown = async () => (await storedDatis(db, own?.icao ?? '', clock.now())).networkA;
    const before = await shown();
    expect(before).toHaveLength(1);
    clock.advance(50 * 60);
    expect(await run(datis, { path })).toMatchObject({ kind: 'stored', received: 120, stored: 0 });
    clock.advance(50 * 60);
    expect(await shown()).toEqual(before);
    const fewer = await folderOf({ 'ivao-atis.json': ivaoAtis(stations.slice(1), at, null) });
    await run(datis, { path: fewer });
    expect(await shown()).toBeNull();
    clock.advance(61 * 60);
    const last = (await storedDatis(db, stations[1]?.icao ?? '', clock.now())).networkA;
    expect(last).toBeNull();
  });
});

describe('manually loaded reports', () => {
  const day = '16';
  test('A list without a stated origin has the source FILE, and a known format names its source', async () => {
    const path = await folderOf({
      metars: `METAR XAAA ${day}1200Z 24012KT 9999 FEW030 12/08 Q1013\n`,
      cycle: `2026/09/${day} 12:00\nXAAB ${day}1200Z 24012KT 9999 FEW030 12/08 Q1013\n`,
      tafs: `TAF XAAA ${day}1100Z ${day}12/1718 24012KT 9999 FEW030\n`,
    });
    clock.set('2026-09-16T12:25:00Z');
    expect(await run(metar, { path: join(path, 'metars') })).toMatchObject({ kind: 'stored', stored: 1 });
    expect(await run(metar, { path: join(path, 'cycle') })).toMatchObject({ kind: 'stored', stored: 1 });
    expect(await run(taf, { path: join(path, 'tafs') })).toMatchObject({ kind: 'stored', stored: 1 });
    expect((await storedMetar(db, 'XAAA'))?.source).toBe('FILE');
    expect((await storedMetar(db, 'XAAB'))?.source).toBe('NOAA');
    expect((await storedTaf(db, 'XAAA'))?.source).toBe('FILE');
  });
});

describe('navigation data in several files', () => {
  const head = 'I\n1200 Version\n\n';
  const fixes = (prefix: string, count: number) =>
    `${head}${Array.from({ length: count }, (_, i) => {
      const ident = `${prefix}${String(i).padStart(3, '0')}`;
      return ` ${(37 + i / 1_000).toFixed(4)} -86.3 ${ident} ENRT K5 2115159`;
    }).join('\n')}\n99\n`;
  const search = async (ident: string) =>
    (await navdataRepo(db).search({ ident, exact: false, limit: 200, at: clock.now() })).length;

  test('Several files of one source are one set: none replaces another, and their total is compared', async () => {
    const both = await folderOf({ a: fixes('QA', 110), b: fixes('QB', 20) });
    expect(await run(navdata, { path: both })).toMatchObject({ kind: 'stored', received: 130, stored: 130 });
    expect([await search('QA'), await search('QB')]).toEqual([110, 20]);
    expect(await run(navdata, { path: both })).toMatchObject({ kind: 'stored', stored: 0 });
    const split = await folderOf({ a: fixes('QA', 50), b: fixes('QB', 20) });
    expect(await run(navdata, { path: split })).toMatchObject({ kind: 'stored', stored: 60 });
    await run(navdata, { path: both });
    expect(await run(navdata, { path: join(both, 'b') })).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/fell from 130 to 20/) as string,
    });
  });

  test('Unchanged airways are not written again', async () => {
    const airways = `${head}QA001 K5 11 QA002 K5 11 N 1 180 450 J1\n99\n`;
    // Far fewer points than the previous test stored.
    const force = true;
    const path = await folderOf({ a: airways, b: fixes('QA', 5) });
    expect(await run(navdata, { path, force })).toMatchObject({ kind: 'stored', stored: 127 });
    expect(await run(navdata, { path, force })).toMatchObject({ kind: 'stored', stored: 0 });
  });
});
