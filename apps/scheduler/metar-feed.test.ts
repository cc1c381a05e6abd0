import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { sql } from '#store/postgres/sql.ts';
import { metarWrites } from '#store/postgres/weather/reports.ts';
import { awcMetars } from '#simulated/formats.ts';
import { startSimulated } from '#test/support/simulated.ts';
import type { SimulatedMode } from '#test/support/simulated.ts';
import { simulatedStations } from '#simulated/stations.ts';
import { testClock, testContext } from '#test/harness.ts';
import { runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';
import { storedMetar } from '#test/support/stored-weather.ts';
import metar from './feeds/metar.ts';
import { runFeed } from './runner.ts';

const path = '/metars.cache.xml.gz';

describe('metar feed', async () => {
  const clock = testClock('2026-09-16T12:25:00Z');
  const stations = (await simulatedStations()).slice(0, 40);
  const simulated = await startSimulated({ now: () => clock.now(), stations: async () => stations });
  const t = await testContext({ env: { ...simulated.variables }, clock });
  afterAll(async () => {
    await simulated.close();
    await t.close();
  });
  const { db } = t.postgres;
  const run = ({ timeoutSeconds = 60, ...options }: { force?: boolean; timeoutSeconds?: number } = {}) =>
    runFeed(
      t,
      { ...metar, timeoutSeconds },
      { slot: clock.now(), signal: new AbortController().signal, ...options },
    );
  const count = async () => (await db.one<{ n: number }>(sql`SELECT count(*)::int AS n FROM metar`)).n;

  beforeEach(async () => {
    clock.set('2026-09-16T12:25:00Z');
    simulated.setMode(path, 'ok');
    await runSql(t.postgres)`DELETE FROM feed_state`;
    await runSql(t.postgres)`DELETE FROM feed_run`;
    await runSql(t.postgres)`DELETE FROM metar`;
  });

  test('A run stores the reports, the next asks conditionally, and 304 counts as success', async () => {
    expect(await run()).toMatchObject({ kind: 'stored', received: 40, stored: 40, rejected: 0 });
    const stored = await storedMetar(db, stations[0]?.icao ?? '');
    expect(stored?.source).toBe('AWC');
    const age = clock.now().getTime() - Date.parse(stored?.observedAt ?? '');
    expect(age >= 0 && age < 1_800_000).toBe(true);
    expect(stored?.raw).toContain(`16${stored?.observedAt.slice(11, 16).replace(':', '')}Z`);
    clock.advance(60);
    const first = await feedRepo(db).state('metar');
    expect(await run()).toMatchObject({ kind: 'stored', received: 40 });
    // The file contains its time, so it is only unchanged within the same second.
    expect(await run()).toMatchObject({ kind: 'notModified' });
    expect(simulated.requests.at(-1)?.headers['if-none-match']).toMatch(/^"/);
    const state = await feedRepo(db).state('metar');
    expect(state).toMatchObject({ consecutiveFailures: 0, lastCount: 40, lastError: null });
    expect(state?.lastSuccessAt?.getTime()).toBeGreaterThan(first?.lastSuccessAt?.getTime() ?? Infinity);
    const [newest] = await feedRepo(db).runs('metar', 1);
    expect(newest).toMatchObject({ ok: true, notModified: true, error: null });
  });

  test('A source that has moved within its host is read, and a notice names the new address until it is changed', async () => {
    const noticeNow = async () =>
      (await db.one<{ notice: string | null }>(sql`SELECT notice FROM feed_state WHERE feed = 'metar'`))
        .notice;
    simulated.setMode(path, '302');
    simulated.setRoute('/login', (now) => ({
      bytes: awcMetars(stations, now, null),
      contentType: 'application/gzip',
      gzip: true,
    }));
    const notice = `${simulated.origin}${path} has moved to ${simulated.origin}/login`;
    expect(await run()).toMatchObject({ kind: 'stored', stored: 40 });
    expect(await noticeNow()).toBe(notice);
    expect(await run()).toMatchObject({ kind: 'notModified' });
    expect(await noticeNow()).toBe(notice);
    simulated.setRoute('/login', () => null);
    simulated.setMode(path, 'ok');
    clock.advance(1_800);
    expect(await run()).toMatchObject({ kind: 'stored' });
    expect(await noticeNow()).toBeNull();
  });

  const failures: [SimulatedMode, RegExp][] = [
    ['404', /metars\.cache\.xml\.gz was not found \(404\)/],
    ['429', /requested a pause of 120 s/],
    ['302', /redirects to .*login/],
    ['500', /answered with status 500/],
    ['html', /web page instead of data/],
    ['truncated', /gzip file is truncated/],
    ['empty', /no readable record/],
    ['half', /16 records, less than half of the last 40/],
    ['future', /no readable record/],
    ['slow', /took longer than 1 s/],
    ['reset', /cannot be reached or dropped the connection/],
    ['schema', /schema version 3\.0 is not supported/],
  ];
  test.each(failures)(
    '%s yields one clear line, stores nothing and keeps the last reports',
    async (mode, message) => {
      await run();
      const before = await storedMetar(db, stations[0]?.icao ?? '');
      const good = await feedRepo(db).state('metar');
      clock.set('2026-09-16T12:55:00Z');
      simulated.setMode(path, mode);
      const outcome = await run(mode === 'slow' ? { timeoutSeconds: 1 } : {});
      expect(outcome.kind).toBe('failed');
      const [row] = await feedRepo(db).runs('metar', 1);
      expect(row).toMatchObject({ ok: false, stored: null });
      expect(row?.error).toMatch(message);
      expect(row?.error).not.toContain('\n');
      expect(await storedMetar(db, stations[0]?.icao ?? '')).toEqual(before);
      expect(await count()).toBe(40);
      const state = await feedRepo(db).state('metar');
      expect(state).toMatchObject({
        consecutiveFailures: 1,
        lastError: row?.error,
        lastSuccessAt: good?.lastSuccessAt,
      });
      simulated.setMode(path, 'ok');
      clock.advance(121);
      expect(await run()).toMatchObject({ kind: 'stored', stored: 40 });
      expect(await feedRepo(db).state('metar')).toMatchObject({ consecutiveFailures: 0 });
    },
  );

  test('A pause requested by the source is respected and then ends', async () => {
    simulated.setMode(path, '429');
    await run();
    clock.advance(60);
    const asked = simulated.requests.length;
    expect(await run()).toMatchObject({ kind: 'paused' });
    expect(simulated.requests.length).toBe(asked);
    clock.advance(61);
    simulated.setMode(path, 'ok');
    expect(await run()).toMatchObject({ kind: 'stored' });
  });

  test('The raw input of a failed run is kept, and half a file can be forced', async () => {
    await run();
    clock.set('2026-09-16T12:55:00Z');
    simulated.setMode(path, 'half');
    await run();
    const kept = await t.storage.get('feeds/failed/metar/0-metars.cache.xml.gz');
    expect(Buffer.from(kept ?? []).toString()).toContain('num_results="16"');
    expect(await run({ force: true })).toMatchObject({ kind: 'stored', received: 16, stored: 16 });
  });

  test('A source that stops updating does not count as a success, and the cycle files are used', async () => {
    await run();
    simulated.setMode(path, '304');
    clock.advance(25 * 60);
    simulated.setRoute('/metar/13Z.TXT', () => ({
      bytes: '2026/09/16 12:45\nEGLL 161245Z 24012KT 9999 SCT030 18/11 Q1015\n',
      contentType: 'text/plain',
    }));
    const outcome = await run();
    expect(outcome).toMatchObject({ kind: 'stored', received: 1, stored: 1 });
    expect(outcome.kind === 'stored' && outcome.warnings).toEqual([
      expect.stringMatching(/has not changed for 20 minutes/),
    ]);
    expect(await storedMetar(db, 'EGLL')).toMatchObject({
      source: 'NOAA',
      observedAt: '2026-09-16T12:45:00.000Z',
    });
    simulated.setRoute('/metar/13Z.TXT', () => null);
  });

  test('A file whose newest report is old is refused', async () => {
    clock.set('2026-09-16T12:25:00Z');
    const stale = await startSimulated({
      now: () => new Date('2026-09-16T11:00:00Z'),
      stations: async () => stations,
    });
    const other = await testContext({ env: { ...stale.variables }, clock, databaseUrl: t.databaseUrl });
    const outcome = await runFeed(other, metar, { slot: clock.now(), signal: new AbortController().signal });
    expect(outcome).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/the newest report is (?:8[5-9]|9\d) minutes old/) as string,
    });
    await other.close();
    await stale.close();
  });

  test('An older report never replaces a newer one, a corrected one replaces its original', async () => {
    const at = (minute: string, raw: string) => ({
      icao: 'EGLL',
      observedAt: `2026-09-16T12:${minute}:00.000Z`,
      raw,
      source: 'AWC',
    });
    const store = (record: ReturnType<typeof at>) =>
      t.postgres.transaction((tx) => metarWrites(tx).store([record], clock.now()));
    expect(await store(at('20', 'METAR EGLL 161220Z 24010KT 9999 18/10 Q1015'))).toBe(1);
    expect(await store(at('10', 'METAR EGLL 161210Z 24010KT 9999 18/10 Q1014'))).toBe(0);
    expect(await store(at('20', 'METAR COR EGLL 161220Z 24011KT 9999 18/10 Q1015'))).toBe(1);
    expect((await storedMetar(db, 'EGLL'))?.raw).toContain('COR');
  });

  test('A run that began earlier does not overwrite a later one', async () => {
    const slow = await startSimulated({ now: () => clock.now(), stations: async () => stations });
    const late = Promise.withResolvers<void>();
    slow.setRoute(path, async () => {
      await late.promise;
      return { bytes: 'never stored', contentType: 'text/plain' };
    });
    const early = runFeed(
      t,
      {
        ...metar,
        sources: (scope) => [{ label: 'slow', read: async () => scope.fetch(slow.origin + path) }],
        parse: () => ({ records: [], count: 50, rejects: [] }),
        guard: () => null,
      },
      { slot: clock.now(), signal: new AbortController().signal },
    );
    await until('the source is asked', () => slow.requests.length > 0);
    expect(await run()).toMatchObject({ kind: 'stored' });
    late.resolve();
    expect(await early).toEqual({ kind: 'superseded' });
    expect(await count()).toBe(40);
    await slow.close();
  });
});
