import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { sql } from '#store/postgres/sql.ts';
import { seedAirports } from '#operator/seed.ts';
import { airportsCsv } from '#simulated/formats.ts';
import { startSimulated } from '#test/support/simulated.ts';
import type { SimulatedMode } from '#test/support/simulated.ts';
import { simulatedAirports } from '#simulated/stations.ts';
import { testClock, testContext, testFolder } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { runSql } from '#test/support/sql.ts';
import { slotAt } from '#store/schedule/slots.ts';
import airports from './feeds/airports.ts';
import { runFeed } from './runner.ts';
import { catchUp, enqueueFeed } from './feed-jobs.ts';

describe('airports feed', async () => {
  const clock = testClock();
  const all = (await simulatedAirports()).slice(-100);
  const simulated = await startSimulated({ now: () => clock.now(), airports: async () => all });
  const t = await testContext({ env: { ...simulated.variables }, clock });
  afterAll(async () => {
    await simulated.close();
    await t.close();
  });
  const { db } = t.postgres;
  const run = ({
    timeoutSeconds = 60,
    ...options
  }: { force?: boolean; override?: string; timeoutSeconds?: number } = {}) =>
    runFeed(
      t,
      { ...airports, timeoutSeconds },
      { slot: clock.now(), signal: new AbortController().signal, ...options },
    );
  const snapshot = async () =>
    db.one<{ airports: number; ends: number; changes: number }>(sql`SELECT
      (SELECT count(*)::int FROM airport WHERE removed_at IS NULL) AS airports,
      (SELECT count(*)::int FROM runway_end) AS ends, (SELECT count(*)::int FROM airport_change) AS changes`);

  beforeAll(async () => {
    clock.advance(7);
    await run();
  });

  test('Map, time zones and variation of imported airports are queued once, and only after a change', async () => {
    const asked = async () => {
      const rows = await db.any<{ feed: string }>(
        sql`SELECT data ->> 'feed' AS feed FROM pgboss.job WHERE name = 'feed.run' ORDER BY 1`,
      );
      return rows.map(({ feed }) => feed);
    };
    expect(await asked()).toEqual(['magvar', 'map', 'timezones']);
    const slot = { at: slotAt('* * * * *', clock.now()), round: 0 };
    await t.postgres.transaction((tx) => enqueueFeed(t, tx, { feed: 'map', slot }));
    expect(await asked()).toEqual(['magvar', 'map', 'map', 'timezones']);
    expect(await run({ force: true })).toMatchObject({ kind: 'stored', stored: 0 });
    expect(await asked()).toEqual(['magvar', 'map', 'map', 'timezones']);
  });

  test('Both files are requested conditionally, and if one has changed both are read', async () => {
    clock.advance(86_400);
    expect(await run()).toMatchObject({ kind: 'notModified' });
    simulated.setRoute('/airports.csv', () => ({
      bytes: airportsCsv(all, null) + '\n',
      contentType: 'text/csv',
    }));
    const before = await snapshot();
    expect(await run()).toMatchObject({ kind: 'stored', stored: 0 });
    expect(await snapshot()).toEqual(before);
    expect(simulated.requests.slice(-3).map(({ path }) => path)).toEqual([
      '/airports.csv',
      '/runways.csv',
      '/runways.csv',
    ]);
  });

  const failures: [SimulatedMode, RegExp][] = [
    ['404', /airports\.csv was not found \(404\)/],
    ['429', /requested a pause of 120 s/],
    ['302', /redirects to .*login/],
    ['500', /answered with status 500/],
    ['html', /web page instead of data/],
    [
      'truncated',
      /ends in the middle of a record|cannot be read as CSV|less than half|Airport import refused/,
    ],
    ['empty', /airports\.csv has no rows/],
    ['half', /records, less than half of the last/],
    ['slow', /took longer than 1 s/],
    ['reset', /cannot be reached or dropped the connection/],
    ['schema', /airports\.csv has no column type/],
  ];
  test.each(failures)('%s yields one clear line and changes nothing', async (mode, message) => {
    simulated.setRoute('/airports.csv', (_now, fault) => ({
      bytes: airportsCsv(all, fault),
      contentType: 'text/csv',
    }));
    const before = await snapshot();
    simulated.setMode('/airports.csv', mode);
    clock.advance(86_400);
    // When the runway file has changed, the run reads both.
    await runSql(t.postgres)`UPDATE feed_state SET validators = '{}' WHERE feed = 'airports'`;
    const outcome = await run(mode === 'slow' ? { timeoutSeconds: 1 } : {});
    expect(outcome).toMatchObject({ kind: 'failed' });
    const [row] = await feedRepo(db).runs('airports', 1);
    expect(row?.error).toMatch(message);
    expect(row?.error).not.toContain('\n');
    expect(await snapshot()).toEqual(before);
    simulated.setMode('/airports.csv', 'ok');
    clock.advance(121);
    expect(await run()).toMatchObject({ kind: 'stored' });
  });

  test('An import that loses 3 % of the airports is refused and can be forced', async () => {
    await run({ force: true });
    const before = await snapshot();
    simulated.setRoute('/airports.csv', () => ({
      bytes: airportsCsv(all.slice(0, 97), null),
      contentType: 'text/csv',
    }));
    clock.advance(86_400);
    expect(await run()).toMatchObject({
      kind: 'failed',
      error: expect.stringMatching(/Airport import refused/) as string,
    });
    expect(await snapshot()).toEqual(before);
    expect(await run({ force: true })).toMatchObject({ kind: 'stored' });
    expect((await snapshot()).airports).toBeLessThan(before.airports);
  });

  test('A folder from the command line is read, and missing files are reported', async () => {
    const folder = join(await testFolder(), 'files');
    await mkdir(folder);
    const address = pathToFileURL(folder).href;
    const world = join(import.meta.dirname, '../../libs/simulated/world');
    await cp(join(world, 'airports.csv'), join(folder, 'airports-2026-01-01.csv'));
    expect(await run({ override: address })).toMatchObject({
      kind: 'failed',
      error: expect.stringContaining('contains no runways.csv') as string,
    });
    await cp(join(world, 'runways.csv'), join(folder, 'runways.csv'));
    expect(await run({ override: address, force: true })).toMatchObject({ kind: 'stored', received: 53 });
    await writeFile(join(folder, 'one.csv'), '');
    expect(await run({ override: `${address}/one.csv` })).toMatchObject({ kind: 'failed' });
  });

  let fresh: TestContext;
  let seeded: number;
  beforeAll(async () => {
    fresh = await testContext({ env: { ...simulated.variables }, clock });
    seeded = await seedAirports(fresh.postgres, clock.now());
  });
  afterAll(() => fresh.close());

  test('An empty table is seeded once, and the scheduler still requests the worldwide set', async () => {
    expect(seeded).toBeGreaterThanOrEqual(7_000);
    expect(await seedAirports(fresh.postgres, clock.now())).toBe(0);
    expect(await feedRepo(fresh.postgres.db).state('airports')).toMatchObject({
      lastSuccessAt: null,
      lastCount: seeded,
      seedDate: expect.stringMatching(/^20\d\d-\d\d-\d\d$/) as string,
    });
    expect(await catchUp(fresh, [airports])).toEqual(['airports']);
    const of = (icao: string) =>
      fresh.postgres.db.any(sql`SELECT DISTINCT a.iata, a.source, e.surface FROM airport a
        JOIN runway_end e USING (icao) WHERE icao = ${icao}`);
    // The worldwide source lacks its surfaces, the FAA file has them.
    expect(await of('LSZH')).toEqual([{ iata: 'ZRH', source: 'ourairports_seed', surface: 'unknown' }]);
    expect(await of('KJFK')).toEqual([{ iata: 'JFK', source: 'faa_nasr', surface: 'paved' }]);
    const declared = await fresh.postgres.db.one<{
      count: number;
    }>(sql`SELECT count(*)::int AS count FROM runway_end
      WHERE icao = 'KJFK' AND lda_source = 'faa_nasr' AND tora_source = 'faa_nasr'`);
    expect(declared.count).toBe(8);
  });

  test('A feed import replaces the seed, while one with fewer airports leaves the others in place', async () => {
    await runSql(fresh.postgres)`UPDATE feed_state SET validators = '{}'`;
    const slot = clock.now();
    const outcome = await runFeed(fresh, airports, {
      slot,
      signal: new AbortController().signal,
      force: true,
    });
    expect(outcome).toMatchObject({ kind: 'stored' });
    expect(await feedRepo(fresh.postgres.db).state('airports')).toMatchObject({
      lastSuccessAt: expect.any(Date) as Date,
      seedDate: null,
    });
    const { count } = await fresh.postgres.db.one<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM airport WHERE removed_at IS NULL`,
    );
    expect(count).toBeGreaterThanOrEqual(seeded);
    const replaced = await fresh.postgres.db.one<{ count: number }>(
      sql`SELECT count(*)::int AS count FROM airport WHERE source = 'ourairports'`,
    );
    expect(replaced.count).toBeGreaterThan(50);
  });
});
