import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillTemplate } from '#data/feeds/winds/sources.ts';
import { isDeep } from '#test/support/deep.ts';
import { makeHour } from '#test/support/grib/gfs.ts';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { sql } from '#store/postgres/sql.ts';
import type { Sql } from '#store/postgres/sql.ts';
import { alwaysPublishedHpa } from '#data/feeds/winds/idx.ts';
import { readFaaAirports } from '#test/support/airports.ts';
import { airportWrites } from '#store/postgres/airports/import.ts';
import { obstacleDat, overpassAnswer } from '#simulated/aerodromes.ts';
import type { ContentFault } from '#simulated/formats.ts';
import { startSimulated } from '#test/support/simulated.ts';
import type { SimulatedMode, SimulatedSources } from '#test/support/simulated.ts';
import { simulatedAirports, simulatedStations } from '#simulated/stations.ts';
import { forecastHours } from '#domain/winds/snapshot.ts';
import { testClock, testContext } from '#test/harness.ts';
import type { TestClock, TestContext } from '#test/harness.ts';
import type { Feed } from './define-feed.ts';
import datis from './feeds/datis.ts';
import navdata from './feeds/navdata.ts';
import notam from './feeds/notam.ts';
import obstacles from './feeds/obstacles.ts';
import osm from './feeds/osm.ts';
import pirep from './feeds/pirep.ts';
import sigmet from './feeds/sigmet.ts';
import taf from './feeds/taf.ts';
import winds from './feeds/winds.ts';
import { runFeed } from './runner.ts';
import { zipOfOne } from '#test/support/zip.ts';
import { hourMs } from '#domain/time.ts';

/** Failures after which nothing may be stored, with the message that one line must show. */
type Failing = Partial<Record<SimulatedMode, RegExp | 'notModified' | undefined>>;

interface Case {
  feed: Feed;
  env?: (origin: string) => Record<string, string>;
  /** Everything the feed reads. */
  paths: (now: Date) => string[];
  setUp?: (simulated: SimulatedSources) => void;
  prepare?: (context: TestContext) => Promise<void>;
  /** The stored data, as one value that must not change. */
  stored: Sql;
  /** Time between a successful run and the next. */
  stepSeconds: number;
  /** Failure modes with another meaning than usual for this feed. */
  modes?: Failing;
}

const usual: Failing = {
  '304': 'notModified',
  '302': /redirects to .*login/,
  '404': /was not found \(404\)/,
  '429': /requested a pause of 120 s/,
  '500': /answered with status 500/,
  html: /web page instead of data/,
  truncated: /./,
  empty: /./,
  half: /less than half/,
  future: /./,
  schema: /./,
  slow: /./,
  reset: /cannot be reached or dropped the connection/,
};

/** Feeds of several lists ask without the validators that 304 would answer. */
const inParts: Failing = { '304': undefined };

const ofTransport = new Set(['302', '304', '404', '429', '500', 'html', 'slow', 'reset']);

const navaidsCsv = join(import.meta.dirname, '../../libs/simulated/world/navaids.csv');
const template = '/gfs.{YYYYMMDD}/{HH}/atmos/gfs.t{HH}z.pgrb2.1p00.f{FFF}';
const cyclesFrom = Date.UTC(2026, 8, 16);
const cycles = Array.from({ length: 18 }, (_, i) => cyclesFrom + i * 6 * hourMs);
const windPaths = cycles.flatMap((cycleMs) =>
  forecastHours.flatMap((hour) => {
    const path = fillTemplate(template, cycleMs, hour);
    return [path, `${path}.idx`];
  }),
);

const publishWinds = (simulated: SimulatedSources) => {
  for (const cycleMs of cycles)
    for (const hour of forecastHours) {
      const path = fillTemplate(template, cycleMs, hour);
      const make = (fault: ContentFault) => {
        // half: the last hours are not published yet; future: the file of another cycle; schema: GRIB edition
        // 1.
        const made = makeHour(
          {
            cycleMs: fault === 'future' ? cycleMs + 6 * hourMs : cycleMs,
            levelsHpa: alwaysPublishedHpa,
            stepDeg: 90,
          },
          hour,
        );
        if (fault === 'schema')
          for (let at = 0; (at = made.grib.indexOf('GRIB', at)) >= 0; at += 4) made.grib[at + 7] = 1;
        return made;
      };
      simulated.setRoute(path, (_now, fault) =>
        fault === 'empty' || (fault === 'half' && hour > 24)
          ? null
          : { bytes: make(fault).grib, contentType: 'application/octet-stream' },
      );
      simulated.setRoute(`${path}.idx`, (_now, fault) =>
        fault === 'half' && hour > 24
          ? null
          : { bytes: fault === 'empty' ? '' : make(fault).idx, contentType: 'text/plain' },
      );
    }
};

const notamText = (n: number) =>
  `A${String(n).padStart(4, '0')}/26 NOTAMN\nQ) XXFF/QMRLC/IV/NBO/A/000/999/5129N00028W005\n` +
  `A) XXAA B) 2609010000 C) 2612280000\nE) RWY 09L/27R CLSD\n`;

const publishNotams = (simulated: SimulatedSources) =>
  simulated.setRoute('/notams.txt', (now, fault) => {
    const count = fault === 'empty' ? 0 : fault === 'half' ? 12 : 30;
    const texts = Array.from({ length: count }, (_, i) => notamText(i + 1));
    if (fault === 'schema') return { bytes: '{"version":9,"list":[]}', contentType: 'application/json' };
    if (fault === 'future') return { bytes: '<?xml version="1.0"?><rss/>', contentType: 'text/xml' };
    return {
      bytes: `${texts.join('\n')}\n${fault === 'empty' ? '' : `REMARK ${now.toISOString()}`}`,
      contentType: 'text/plain',
    };
  });

const publishNavaids = (simulated: SimulatedSources) =>
  simulated.setRoute('/navaids.csv', async (now, fault) => {
    const [header = '', ...rows] = (await readFile(navaidsCsv, 'utf8')).split('\n');
    const count = fault === 'empty' ? 0 : Math.floor(rows.length * (fault === 'half' ? 0.4 : 1));
    const first = fault === 'schema' ? header.replace('frequency_khz', 'frequency') : header;
    // Another file every day, as at the source.
    const end = '\n'.repeat(now.getUTCDate());
    return { bytes: [first, ...rows.slice(0, count)].join('\n') + end, contentType: 'text/csv' };
  });

const publishObstacles = (simulated: SimulatedSources) =>
  simulated.setRoute('/obstacles.dat', async (now, fault) => {
    const all = await simulatedAirports();
    const some = fault === 'empty' ? [] : fault === 'half' ? all.slice(0, 100) : all.slice(0, 300);
    const dat = fault === 'schema' ? 'a,b\n1,2\n' : obstacleDat(some, now);
    return { bytes: zipOfOne('DOF.DAT', dat), contentType: 'application/zip' };
  });

const publishMaps = (simulated: SimulatedSources) =>
  simulated.setRoute('/overpass', async (now, fault, { body }) => ({
    bytes: fault === 'schema' ? '{"elements":{}}' : overpassAnswer(await simulatedAirports(), body, now),
    contentType: 'application/json',
  }));

const importSeed = async (context: TestContext) => {
  const { airports, source } = await readFaaAirports(context.clock.now());
  const large = airports.filter((airport) => airport.ends.some((end) => end.lengthM > 1_500)).slice(0, 900);
  await context.postgres.transaction((tx) =>
    airportWrites(tx).storeImport(large, { source, at: context.clock.now() }),
  );
};

const cases: Case[] = [
  {
    feed: taf,
    paths: () => ['/tafs.cache.xml.gz'],
    stored: sql`SELECT md5(string_agg(raw, '' ORDER BY icao)) AS value FROM taf`,
    stepSeconds: 600,
  },
  {
    feed: datis,
    paths: () => ['/whazzup', '/whazzup/atis', '/vatsim-data.json'],
    stored: sql`SELECT md5(string_agg(items::text, '' ORDER BY network, icao)) AS value FROM datis`,
    stepSeconds: 60,
    // Both networks publish current lists: an empty one is a loss of more than half, times are not checked.
    modes: { ...inParts, empty: /less than half/, future: undefined },
  },
  {
    feed: pirep,
    paths: () => ['/data/cache/aircraftreports.cache.csv.gz'],
    stored: sql`SELECT md5(string_agg(id, '' ORDER BY id)) AS value FROM pirep`,
    stepSeconds: 300,
  },
  {
    feed: sigmet,
    paths: () => ['/api/data/isigmet', '/api/data/airsigmet', '/api/data/gairmet'],
    stored: sql`SELECT md5(string_agg(id, '' ORDER BY id)) AS value FROM sigmet`,
    stepSeconds: 600,
    modes: { ...inParts, empty: /0 SIGMETs, less than half of the \d+ that are in force/ },
  },
  {
    feed: winds,
    paths: () => windPaths,
    setUp: publishWinds,
    stored: sql`SELECT md5(string_agg(sha256::text, '' ORDER BY step, part)) AS value
      FROM wind_chunk JOIN wind_active USING (wind_cycle_id)`,
    stepSeconds: 6 * 3_600,
    modes: {
      // Not published yet is not a failure.
      '404': 'notModified',
      '304': /304/,
      half: 'notModified',
      empty: /./,
    },
  },
  {
    feed: notam,
    env: (origin) => ({ NOTAM_URL: `${origin}/notams.txt` }),
    paths: () => ['/notams.txt'],
    setUp: publishNotams,
    stored: sql`SELECT md5(string_agg(key || coalesce(cancelled_at::text, ''), '' ORDER BY key)) AS value FROM notam`,
    stepSeconds: 300,
    // Truncated plain text has fewer than half of the reports, or still most of them; the guard decides.
    modes: { truncated: undefined },
  },
  {
    feed: navdata,
    paths: () => ['/navaids.csv'],
    setUp: publishNavaids,
    stored: sql`SELECT md5(string_agg(ident || latitude, '' ORDER BY ident, latitude)) AS value FROM navdata_point`,
    stepSeconds: 86_400,
    // The data have no date, and a truncated line is one line fewer, so the guard compares counts.
    modes: { future: undefined, truncated: undefined, half: /fell from \d+ to \d+/ },
  },
  {
    feed: obstacles,
    paths: () => ['/obstacles.dat'],
    setUp: publishObstacles,
    stored: sql`SELECT md5(string_agg(id || agl_ft, '' ORDER BY id)) AS value FROM obstacle`,
    stepSeconds: 7 * 86_400,
    modes: { future: undefined },
  },
  {
    feed: osm,
    paths: () => ['/overpass'],
    setUp: publishMaps,
    prepare: importSeed,
    stored: sql`SELECT md5(string_agg(icao || coalesce(osm_tried_at::text, ''), '' ORDER BY icao)
      || (SELECT string_agg(icao || ident || name || distance_m, '' ORDER BY icao, ident, distance_m, name) FROM runway_exit))
      AS value FROM airport`,
    stepSeconds: 600,
    // One answer covers one airport: its content has neither a size to compare nor a time.
    modes: { empty: undefined, half: undefined, future: undefined, '304': /not modified/ },
  },
];

describe.each(cases)('$feed.name', (each) => {
  let simulated: SimulatedSources;
  let t: TestContext;
  let clock: TestClock;
  const { feed } = each;

  const run = ({ maxBytes = feed.maxBytes, timeoutSeconds = 60 } = {}) =>
    runFeed(
      t,
      { ...feed, timeoutSeconds, maxBytes },
      { slot: clock.now(), signal: new AbortController().signal },
    );
  const stored = async () => (await t.postgres.db.one<{ value: string | null }>(each.stored)).value;
  const setMode = (mode: SimulatedMode) => {
    for (const path of each.paths(clock.now())) simulated.setMode(path, mode);
  };

  beforeAll(async () => {
    clock = testClock('2026-09-16T10:30:00Z');
    const stations = (await simulatedStations()).slice(0, 120);
    simulated = await startSimulated({ now: () => clock.now(), stations: () => Promise.resolve(stations) });
    each.setUp?.(simulated);
    t = await testContext({ env: { ...simulated.variables, ...each.env?.(simulated.origin) }, clock });
    await each.prepare?.(t);
    const first = await run();
    if (first.kind !== 'stored') throw new Error(JSON.stringify(first));
  });
  afterAll(async () => {
    await simulated.close();
    await t.close();
  });

  // Transport failures yield equal codes: one feed tries all, the others only those handled differently.
  const isTried = (mode: string) =>
    isDeep || feed === taf || !ofTransport.has(mode) || Object.hasOwn(each.modes ?? {}, mode);
  const modes = Object.entries({ ...usual, ...each.modes }).filter(
    ([mode, expected]) => expected !== undefined && isTried(mode),
  ) as [SimulatedMode, RegExp | 'notModified'][];
  test.each(modes)(
    'After %s the last valid data remain, and the next successful run recovers',
    async (mode, expected) => {
      const { db } = t.postgres;
      const before = await stored();
      expect(before).not.toBeNull();
      clock.advance(each.stepSeconds);
      setMode(mode);
      const outcome = await run(mode === 'slow' ? { timeoutSeconds: 1 } : {});
      expect(await stored()).toBe(before);
      const [row] = await feedRepo(db).runs(feed.name, 1);
      const state = await feedRepo(db).state(feed.name);
      const isFailure = expected !== 'notModified';
      expect(outcome.kind).toBe(isFailure ? 'failed' : 'notModified');
      expect(row).toMatchObject({ ok: !isFailure, stored: null });
      expect(row?.error ?? '').toMatch(isFailure ? expected : /^$/);
      expect(row?.error ?? '').not.toMatch(/\n/);
      expect(state).toMatchObject({ consecutiveFailures: isFailure ? 1 : 0 });
      setMode('ok');
      clock.advance(121);
      expect((await run()).kind).toMatch(/^(?:stored|notModified)$/);
      expect(await feedRepo(db).state(feed.name)).toMatchObject({ consecutiveFailures: 0, retryAt: null });
    },
  );

  // Winds limit each request to the size of one hour of the model.
  if (feed.name === 'winds') return;
  test('An answer over the limit is aborted, not held in memory', async () => {
    const before = await stored();
    clock.advance(each.stepSeconds);
    const outcome = await run({ maxBytes: 150 });
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/sends more than 150 bytes/) as string,
    });
    expect(await stored()).toBe(before);
  });
});
