import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { makeHour, TEST_CYCLE_MS } from '#data/feeds/winds/fixtures/gfs.ts';
import { readDatis } from '#data/postgres/datis-repo.ts';
import { windCyclesRepo } from '#data/postgres/wind-cycles-repo.ts';
import { startSimulated } from '#data/simulated/server.ts';
import { ivaoAtis, ivaoWhazzup, vatsimData } from '#data/simulated/networks.ts';
import { simulatedStations } from '#data/simulated/stations.ts';
import { FORECAST_HOURS } from '#domain/winds/snapshot.ts';
import { testClock, testContext, testFolder } from '#test/harness.ts';
import type { Feed } from './define-feed.ts';
import datis from './feeds/datis.ts';
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

describe('the same once more writes nothing', () => {
  test('winds from files: the bytes read are told, a page beside the data is left aside', async () => {
    const hours = FORECAST_HOURS.map(
      (hour) => makeHour({ cycleMs: TEST_CYCLE_MS, levelsHpa: [200, 300], stepDeg: 90 }, hour).grib,
    );
    const packed = gzipSync(Buffer.concat(hours.slice(0, 4)));
    const rest = Buffer.concat(hours.slice(4));
    const page = '<!doctype html><html>index</html>';
    const path = await folderOf({ 'a.gz': packed, b: rest, 'index.html': page });
    const bytes = packed.length + rest.length;
    expect(await run(winds, { path })).toMatchObject({ kind: 'stored', stored: 9, bytes });
    const before = await windCyclesRepo(db).active();
    expect(await run(winds, { path })).toMatchObject({ kind: 'stored', received: 18, stored: 0, bytes });
    expect(await windCyclesRepo(db).active()).toEqual(before);
  });

  test('winds with force: the cycle that is served is asked for again', async () => {
    expect(await run(winds, { force: true })).toMatchObject({ kind: 'stored' });
    const asked = simulated.requests.length;
    expect(await run(winds)).toMatchObject({ kind: 'notModified' });
    expect(simulated.requests.length).toBe(asked);
    expect(await run(winds, { force: true })).toMatchObject({ kind: 'stored', stored: 0 });
    expect(simulated.requests.length).toBeGreaterThan(asked);
  }, 60_000);

  test('datis: an unchanged ATIS is confirmed for another hour without being written', async () => {
    const at = clock.now();
    const path = await folderOf({
      'vatsim-data.json': vatsimData(stations, at, null),
      'ivao-whazzup.json': ivaoWhazzup(stations, at, null),
      'ivao-atis.json': ivaoAtis(stations, at, null),
    });
    const first = await run(datis, { path });
    expect(first).toMatchObject({ kind: 'stored', received: 120 });
    const [own] = stations;
    const shown = async () => (await readDatis(db, own?.icao ?? '', clock.now())).networkA;
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
    const last = (await readDatis(db, stations[1]?.icao ?? '', clock.now())).networkA;
    expect(last).toBeNull();
  });
});
