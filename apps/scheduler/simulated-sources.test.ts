import { afterAll, expect, test } from 'vitest';
import { feedStatusRepo } from '#store/postgres/feeds/status.ts';
import { withSources } from '#simulated/own.ts';
import { simulatedStations } from '#simulated/stations.ts';
import { testApi } from '#test/api.ts';
import { testContext } from '#test/harness.ts';
import { until } from '#test/support/until.ts';
import { storedDatis, storedMetar, storedTaf } from '#test/support/stored-weather.ts';
import type { Feed } from './define-feed.ts';
import datis from './feeds/datis.ts';
import metar from './feeds/metar.ts';
import taf from './feeds/taf.ts';
import { start } from './main.ts';
import { runFeed } from './runner.ts';

// The simulated server has the clock of the system.
const clock = { now: () => new Date() };
const t = await testContext({ env: { SOURCES: 'simulated' } });
afterAll(() => t.close());

test('A process without source addresses runs its own server, and reports and ATIS are marked', async () => {
  const { config, close } = await withSources(t.config);
  expect(config.METAR_URL).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metars/);
  const run = (feed: Feed) =>
    runFeed({ ...t, config, clock }, feed, { slot: clock.now(), signal: new AbortController().signal });
  for (const feed of [metar, taf, datis]) expect((await run(feed)).kind).toBe('stored');
  await close();
  const { db } = t.postgres;
  const icao = (await simulatedStations())[0]?.icao ?? '';
  expect(await storedMetar(db, icao)).toMatchObject({ source: 'SIMULATED' });
  expect(await storedTaf(db, icao)).toMatchObject({ source: 'SIMULATED' });
  const { networkA } = await storedDatis(db, icao, clock.now());
  expect(networkA).toMatchObject([{ source: 'SIMULATED' }]);
});

test('Addresses set by the operator are kept, and live sources start no server', async () => {
  const own = 'https://example.org/metars.xml';
  const kept = await withSources({ ...t.config, METAR_URL: own });
  expect([kept.config.METAR_URL, kept.config.TAF_URL]).toEqual([own, expect.stringMatching(/^http:\/\/127/)]);
  await kept.close();
  const live = { ...t.config, SOURCES: 'live' as const };
  expect((await withSources(live)).config).toBe(live);
});

test('A scheduler started alone declares simulated sources, which health and status of a live API report', async () => {
  const scheduler = await start({ ...t, close: () => Promise.resolve() });
  await scheduler.stop();
  expect(await feedStatusRepo(t.postgres.db).isSimulated()).toBe(true);
  const api = await testApi({ databaseUrl: t.databaseUrl });
  const get = async (path: string) => (await (await api.fetch(path)).json()) as Record<string, unknown>;
  expect(await get('/status.json')).toMatchObject({ sources: 'simulated' });
  await until('health has asked', async () => (await get('/v2/health'))['sources'] === 'simulated');
  await api.close();
});
