import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { feedWrites } from '#store/postgres/feeds/feeds.ts';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await importAirports(api.context, ['KJFK', 'KBOS']);
});
afterAll(() => api.close());

type Fields = Record<string, unknown>;
const status = async (query = 'airportStatus') => {
  const answer = await api.call(query);
  expect(answer.status).toBe(200);
  return answer.body['airportDatabaseStatus'] as {
    status: Fields;
    statistics: Record<string, number>;
    changelog: Fields[];
    cronMonitoring: Fields;
    mapGeoJsonUrl: string;
  };
};

const succeeded = (feed: string, at: Date) =>
  runSql(api.context.postgres)`
    INSERT INTO feed_state (feed, last_success_at) VALUES (${feed}, ${at})
    ON CONFLICT (feed) DO UPDATE SET last_success_at = excluded.last_success_at`;

describe('airportStatus', () => {
  test('The state is ok up to 24 h, caution up to 48 h, error beyond that and before the first run (M-2.12.d1, M-2.12.d2, M-2.12.d3, M-2.12.d22, M-5.3)', async () => {
    expect((await status()).status).toMatchObject({ status: 'error', lastUpdated: null });
    const start = api.context.clock.now();
    await succeeded('airports', start);
    const at = async (minutes: number) => {
      api.context.clock.set(new Date(start.getTime() + minutes * 60_000));
      const { status: found } = await status();
      expect(found['message']).toEqual(expect.any(String));
      expect(found['lastUpdated']).toBe('2026-09-16 12:00:00');
      return found['status'];
    };
    expect(await at(23 * 60 + 59)).toBe('ok');
    expect(await at(24 * 60 + 1)).toBe('caution');
    expect(await at(47 * 60 + 59)).toBe('caution');
    expect(await at(48 * 60 + 1)).toBe('error');
    api.context.clock.set(start);
  });

  test('Until the first import the bundled airports are reported as a seed, with their date', async () => {
    const fresh = await testApi();
    await fresh.context.postgres.transaction((tx) =>
      feedWrites(tx).seeded({ feed: 'airports', date: '2026-02-16', count: 7 }),
    );
    const answer = await fresh.call('airportStatus');
    expect((answer.body['airportDatabaseStatus'] as { status: Fields }).status).toEqual({
      status: 'error',
      message:
        'The airport database is the seed of 2026-02-16 that comes with the service; no import has succeeded yet.',
      lastUpdated: '2026-02-16 00:00:00',
    });
    await fresh.close();
  });

  test('The ten counts match the tables (M-2.12.d4, M-2.12.d5, M-2.12.d6, M-2.12.d7, M-2.12.d8, M-2.12.d9, M-2.12.d10, M-2.12.d11, M-2.12.d12, M-2.12.d13, M-2.12.d25)', async () => {
    const { statistics } = await status();
    const { db } = api.context.postgres;
    const { ends } = await db.one<{ ends: number }>(
      sql`SELECT count(*) AS ends FROM runway_end WHERE NOT is_closed`,
    );
    expect(statistics).toEqual({
      totalAirport: 2,
      totalRunways: ends,
      totalEfpStd: ends,
      totalEfpCustom: 0,
      totalObstacles: 0,
      totalCalculatedRwyExits: 0,
      totalIntx: 0,
      runwayClosedByNotam: 0,
      customMACG: 0,
      customRunwayExit: 0,
    });
    await runSql(api.context.postgres)`
      INSERT INTO runway_operator (icao, ident, efp_kind, efp_text, macg_percent, author, updated_at)
      VALUES ('KJFK', '04L', 'custom', 'At 2,000 ft turn right heading 100.', 3.5, 'test', now())`;
    expect((await status()).statistics).toMatchObject({
      totalEfpStd: ends - 1,
      totalEfpCustom: 1,
      customMACG: 1,
    });
  });

  test('The last 20 changes are listed, newest first (M-8.27, M-2.12.d14, M-2.12.d15, M-2.12.d16, M-2.12.d23)', async () => {
    await runSql(api.context.postgres)`
      INSERT INTO airport_change (icao, changed_at, runways)
      SELECT 'KJFK', timestamptz '2026-09-16 00:00Z' + make_interval(mins => i),
        jsonb_build_array(jsonb_build_object('id', '04L', 'comment', 'LDA ' || i)) FROM generate_series(1, 25) i`;
    const { changelog } = await status();
    expect(changelog).toHaveLength(20);
    expect(changelog[0]).toEqual({
      AirportChanged: 'KJFK',
      AirportDate: '2026-09-16 00:25:00',
      RunwayChanged: [{ id: '04L', comment: 'LDA 25' }],
    });
  });

  test('Job times are given or null, with the URL of the map (M-2.12.d17, M-2.12.d18, M-2.12.d19, M-2.12.d20, M-2.12.d21)', async () => {
    expect((await status()).cronMonitoring).toEqual({
      notam: null,
      airportsTimezone: null,
      airportOSM: null,
      magneticVariation: null,
    });
    const at = new Date('2026-09-16T03:04:05Z');
    for (const feed of ['notam', 'timezones', 'osm', 'magvar']) await succeeded(feed, at);
    const { cronMonitoring, mapGeoJsonUrl } = await status();
    for (const time of Object.values(cronMonitoring)) expect(time).toBe('2026-09-16 03:04:05');
    expect(mapGeoJsonUrl).toMatch(/^https?:\/\/[^/]+\/.+geojson/);
  });

  test('The old name gives the same answer without authentication (M-9.3a, M-4.7.q6)', async () => {
    expect(await status('get_airport_status')).toEqual(await status());
  });
});
