import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { feedStatusRepo, feedStatusWrites } from '#store/postgres/feeds/status.ts';
import { windCycleRepo } from '#store/postgres/winds/cycles.ts';
import { ivaoAtis, ivaoWhazzup, vatsimData } from '#simulated/networks.ts';
import { startSimulated } from '#test/support/simulated.ts';
import type { SimulatedBody } from '#simulated/server.ts';
import { simulatedStations } from '#simulated/stations.ts';
import { testClock, testContext } from '#test/harness.ts';
import { storedDatis, storedMetar } from '#test/support/stored-weather.ts';
import datis from './feeds/datis.ts';
import metar from './feeds/metar.ts';
import notam from './feeds/notam.ts';
import sigmet from './feeds/sigmet.ts';
import winds from './feeds/winds.ts';
import { shownNames, runFeed } from './runner.ts';

const clock = testClock('2026-09-16T12:25:00Z');
const stations = (await simulatedStations()).slice(0, 120);
const simulated = await startSimulated({ now: () => clock.now(), stations: () => Promise.resolve(stations) });
afterAll(() => simulated.close());
const signal = new AbortController().signal;
const json = (value: unknown): SimulatedBody => ({
  bytes: JSON.stringify(value),
  contentType: 'application/json',
});

describe('sigmet', async () => {
  const t = await testContext({ env: { ...simulated.variables }, clock });
  afterAll(() => t.close());
  const run = () => runFeed(t, sigmet, { slot: clock.now(), signal });
  const stored = async (product: string) =>
    (
      await t.postgres.db.one<{ n: number }>(
        sql`SELECT count(*)::int AS n FROM sigmet WHERE product = ${product}`,
      )
    ).n;

  test('An empty list is valid, while a failing list keeps its stored set and is reported separately', async () => {
    simulated.setRoute('/api/data/airsigmet', () => ({ bytes: '', contentType: 'text/plain', status: 204 }));
    expect(await run()).toMatchObject({ kind: 'stored', received: 18, stored: 18, rejected: 0 });
    expect(await run()).toMatchObject({ kind: 'stored', received: 18, stored: 0 });
    clock.advance(60);
    simulated.setMode('/api/data/gairmet', '500');
    expect(await run()).toMatchObject({ kind: 'stored', received: 12, rejected: 1 });
    expect(await Promise.all(['isigmet', 'airsigmet', 'gairmet'].map(stored))).toEqual([12, 0, 6]);
    const { lastError } = (await feedRepo(t.postgres.db).state('sigmet.gairmet')) ?? {};
    expect(lastError).toMatch(/^gairmet: .*answered with status 500/);
    simulated.setMode('/api/data/isigmet', '500');
    simulated.setMode('/api/data/airsigmet', '404');
    expect(await run()).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/isigmet: .* \/ airsigmet: .* \/ gairmet: /) as string,
    });
  });
});

describe('datis', async () => {
  const t = await testContext({ env: { ...simulated.variables }, clock });
  afterAll(() => t.close());
  const { db } = t.postgres;
  const run = () => runFeed(t, datis, { slot: clock.now(), signal });
  const [first, last] = [stations[0]?.icao ?? '', stations[99]?.icao ?? ''];

  test('The other network is stored, while the failed one is reported and keeps its last set', async () => {
    expect(await run()).toMatchObject({ kind: 'stored', received: 120, rejected: 0 });
    clock.advance(60);
    simulated.setMode('/vatsim-data.json', 'html');
    simulated.setRoute('/whazzup/atis', () => json([]));
    simulated.setRoute('/whazzup', () => json({ clients: { atcs: [] } }));
    // All 60 controllers of the first network leave at once: that is a failure, too.
    expect(await run()).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/web page instead of data.* \/ IVAO: 0 ATIS/) as string,
    });
    simulated.setMode('/vatsim-data.json', 'ok');
    expect(await run()).toMatchObject({ kind: 'stored', received: 60, rejected: 1 });
    expect((await storedDatis(db, first, clock.now())).networkA).toHaveLength(1);
    expect((await storedDatis(db, last, clock.now())).networkB).toHaveLength(1);
  });

  test('A network with an outdated list keeps its last set and has its own age, failure and status line', async () => {
    const old = new Date(clock.now().getTime() - 7_200_000);
    simulated.setRoute('/whazzup/atis', () => json(JSON.parse(ivaoAtis(stations, clock.now(), null))));
    simulated.setRoute('/whazzup', () => json(JSON.parse(ivaoWhazzup(stations, clock.now(), null))));
    simulated.setRoute('/vatsim-data.json', () => json(JSON.parse(vatsimData(stations, old, null))));
    const before = clock.now();
    clock.advance(60);
    expect(await run()).toMatchObject({ kind: 'stored', received: 60, rejected: 1 });
    const stateOf = (feed: string) => feedRepo(db).state(feed);
    const error = 'VATSIM: the newest ATIS list is 2 hours old: nothing was stored.';
    expect(await stateOf('datis')).toMatchObject({ lastSuccessAt: clock.now(), consecutiveFailures: 0 });
    expect(await stateOf('datis.ivao')).toMatchObject({ lastSuccessAt: clock.now(), lastCount: 60 });
    expect(await stateOf('datis.vatsim')).toMatchObject({
      lastSuccessAt: before,
      lastError: error,
      consecutiveFailures: 1,
    });
    await t.postgres.transaction((tx) =>
      feedStatusWrites(tx).declare(shownNames(datis).map((name) => ({ ...datis, name }))),
    );
    clock.advance(30 * 60);
    simulated.setRoute('/whazzup', () => json(JSON.parse(ivaoWhazzup(stations, clock.now(), null))));
    await run();
    const reports = await feedStatusRepo(db).reports(clock.now());
    expect(reports.map(({ feed, status, records }) => [feed, status, records])).toEqual([
      ['datis', 'up', 60],
      ['datis.ivao', 'up', 60],
      ['datis.vatsim', 'down', 60],
    ]);
    simulated.setRoute('/vatsim-data.json', () => json(JSON.parse(vatsimData(stations, clock.now(), null))));
  });

  test('The complete feed alone still provides the texts without the list', async () => {
    const atcs = stations.slice(0, 40).map(({ icao }, id) => ({
      id,
      callsign: `${icao}_TWR`,
      atcSession: { frequency: 118.5 },
      atis: { lines: ['Tower'], revision: 'B', timestamp: '2026-09-16T12:20:00.000Z' },
    }));
    simulated.setRoute('/whazzup', () => json({ clients: { atcs } }));
    simulated.setMode('/whazzup/atis', '500');
    expect(await run()).toMatchObject({ kind: 'stored', received: 100, rejected: 1 });
    expect((await storedDatis(db, first, clock.now())).networkA).toMatchObject([
      { frequency: '118.500', atis: ['Tower'], order: 0 },
    ]);
  });
});

describe('metar sources in order of preference', async () => {
  const path = '/metars.cache.xml.gz';
  const t = await testContext({
    env: { ...simulated.variables, METAR_NETWORK_URL: `${simulated.origin}/network.txt` },
    clock,
  });
  afterAll(() => t.close());
  const run = () => runFeed(t, metar, { slot: clock.now(), signal });
  const text = (bytes: string): SimulatedBody => ({ bytes, contentType: 'text/plain' });

  test('Each source identifies itself in its reports (M-2.11.m3)', async () => {
    clock.set('2026-09-16T12:25:00Z');
    expect(await run()).toMatchObject({ kind: 'stored' });
    const { icao } = stations[0] ?? { icao: '' };
    expect(await storedMetar(t.postgres.db, icao)).toMatchObject({ source: 'AWC' });
    simulated.setMode(path, '500');
    clock.set('2026-09-16T13:00:00Z');
    simulated.setRoute('/metar/13Z.TXT', () =>
      text(`2026/09/16 12:50\n${icao} 161250Z 24012KT 9999 18/11 Q1015\n`),
    );
    expect(await run()).toMatchObject({
      kind: 'stored',
      source: expect.stringContaining('/metar/') as string,
    });
    expect(await storedMetar(t.postgres.db, icao)).toMatchObject({ source: 'NOAA' });
    simulated.setRoute('/metar/13Z.TXT', () => null);
    clock.set('2026-09-16T13:25:00Z');
    simulated.setRoute('/network.txt', () => text(`${icao} 161320Z 25013KT 9999 18/11 Q1015\n`));
    expect(await run()).toMatchObject({
      kind: 'stored',
      source: expect.stringContaining('/network.txt') as string,
    });
    const report = await storedMetar(t.postgres.db, icao);
    expect(report?.raw).toContain('161320Z');
    expect(['AWC', 'NOAA']).not.toContain(report?.source);
  });
});

describe('winds', () => {
  test.each([
    [{}, 'NOAA GFS'],
    [{ SOURCES: 'simulated' }, 'simulated NOAA GFS'],
  ])('With the configuration %j the source of the stored winds is %s', async (env, name) => {
    const t = await testContext({ env: { ...simulated.variables, ...env }, clock });
    const outcome = await runFeed(t, winds, { slot: clock.now(), signal });
    expect(outcome).toMatchObject({ kind: 'stored' });
    const repo = windCycleRepo(t.postgres.db);
    const active = await repo.active();
    expect(active?.cycle.toISOString()).toBe('2026-09-16T06:00:00.000Z');
    const snapshot = await repo.load(active?.id ?? 0);
    expect(snapshot?.header.source).toBe(name);
    await t.close();
  });
});

describe('notam from the FAA service', async () => {
  const notamOf = (number: string, text: string, type = 'N') => ({
    properties: {
      coreNOTAMData: {
        notam: {
          id: `NMS_ID_${number}`,
          series: 'A',
          number,
          year: '2026',
          type,
          affectedFir: 'KZNY',
          selectionCode: 'QMRLC',
          location: 'KJFK',
          icaoLocation: 'KJFK',
          effectiveStart: '2026-09-01T00:00:00Z',
          effectiveEnd: '2026-12-01T00:00:00Z',
          text,
        },
      },
    },
  });
  const aixm = (number: string, text: string) => `
    <AIXMBasicMessage id="M${number}"><hasMember><Event><timeSlice><EventTimeSlice>
    <textNOTAM><NOTAM><series>A</series><number>${number}</number><year>2026</year><type>N</type>
    <affectedFIR>KZNY</affectedFIR><selectionCode>QMRLC</selectionCode><location>KJFK</location>
    <effectiveStart>202609010000</effectiveStart><effectiveEnd>202612010000</effectiveEnd><text>${text}</text>
    </NOTAM></textNOTAM></EventTimeSlice></timeSlice></Event></hasMember></AIXMBasicMessage>`;
  const t = await testContext({
    env: {
      ...simulated.variables,
      NOTAM_URL: simulated.origin,
      NOTAM_CLIENT_ID: 'client',
      NOTAM_CLIENT_SECRET: 'secret-of-the-client',
    },
    clock,
  });
  afterAll(() => t.close());
  const run = () => runFeed(t, notam, { slot: clock.now(), signal });
  const inForce = async () =>
    (
      await t.postgres.db.any<{ number: string }>(
        sql`SELECT number FROM notam WHERE cancelled_at IS NULL ORDER BY number`,
      )
    ).map((row) => row.number);

  test('The first run reads everything, later ones only changes, and no error contains a secret', async () => {
    clock.set('2026-09-16T12:25:00Z');
    simulated.setRoute('/v1/auth/token', () => json({ access_token: 'token', expires_in: '1799' }));
    const messages = aixm('1', 'RWY 13L/31R CLSD') + aixm('2', 'RWY 04L/22R CLSD');
    simulated.setRoute('/nmsapi/v1/notams/il', () => ({
      bytes: gzipSync(`<FeatureCollection>${messages}</FeatureCollection>`),
      contentType: 'application/gzip',
    }));
    expect(await run()).toMatchObject({ kind: 'stored', received: 2 });
    expect(await inForce()).toHaveLength(2);
    clock.advance(300);
    simulated.setRoute('/nmsapi/v1/notams', () =>
      json({ data: { geojson: [notamOf('3', 'RWY 04R/22L CLSD')] } }),
    );
    expect(await run()).toMatchObject({ kind: 'stored', received: 1, stored: 1 });
    const asked = simulated.requests.findLast(({ path }) => path === '/nmsapi/v1/notams');
    expect(asked?.query.get('lastUpdatedDate')).toBe('2026-09-16T12:15:00.000Z');
    expect(asked?.headers.authorization).toBe('Bearer token');
    expect(await inForce()).toHaveLength(3);
    clock.advance(300);
    simulated.setRoute('/nmsapi/v1/notams', () => json({ data: { geojson: [] } }));
    expect(await run()).toMatchObject({ kind: 'stored', received: 0 });
    clock.advance(300);
    simulated.setMode('/v1/auth/token', '500');
    expect(await run()).toMatchObject({ kind: 'failed' });
    const [row] = await feedRepo(t.postgres.db).runs('notam', 1);
    expect(row?.error).toMatch(/\/v1\/auth\/token answered with status 500/);
    expect(row?.error).not.toContain('secret');
    expect(await inForce()).toHaveLength(3);
  });
});
