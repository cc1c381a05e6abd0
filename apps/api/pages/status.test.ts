import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { feedStatusWrites } from '#store/postgres/feeds/status.ts';
import { mapFileKey, mapFileWrites } from '#store/postgres/airports/map-file.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { sigmetOver, storeSigmets } from '#test/support/route.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await importAirports(api.context, ['KJFK', 'KBOS']);
});
afterAll(() => api.close());

interface Collection {
  type: string;
  features: {
    geometry: { type: string; coordinates: [number, number] };
    properties: Record<string, unknown>;
  }[];
}

const mapUrl = async () => {
  const { body } = await api.call('airportStatus');
  const status = body['airportDatabaseStatus'] as {
    mapGeoJsonUrl: string;
    statistics: { totalAirport: number };
  };
  return { url: new URL(status.mapGeoJsonUrl), total: status.statistics.totalAirport };
};

describe('the airport map', () => {
  test('Before the first file the map is generated from the database with one point per airport (M-2.12.d21, M-2.12.d24, G-30)', async () => {
    const { url, total } = await mapUrl();
    expect(url.pathname).toBe('/map/airports.geojson');
    const answer = await api.fetch(url.pathname, { headers: { origin: 'https://example.org' } });
    expect(answer.headers.get('content-type')).toMatch(/^application\/geo\+json/);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const { type, features } = (await answer.json()) as Collection;
    expect(type).toBe('FeatureCollection');
    expect([features.length, total]).toEqual([2, 2]);
    const kennedy = features.find((feature) => feature.properties['icao'] === 'KJFK');
    expect(kennedy?.geometry.type).toBe('Point');
    // Longitude first.
    expect(kennedy?.geometry.coordinates[0]).toBeCloseTo(-73.78, 1);
    expect(kennedy?.geometry.coordinates[1]).toBeCloseTo(40.64, 1);
    expect(Object.keys(kennedy?.properties ?? {})).toEqual([
      'icao',
      'iata',
      'name',
      'runways',
      'longestRunway_m',
      'updatedAt',
    ]);
    expect(kennedy?.properties).toMatchObject({ runways: 4 });
  });

  test('A map file has a permanent name and never changes, compressed and plain; the fixed name follows the newest one', async () => {
    const { storage, postgres, clock } = api.context;
    const put = async (text: string) => {
      const name = `airports-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.geojson`;
      await storage.put(mapFileKey(name), Buffer.from(text), 'application/geo+json');
      const file = { name, features: 0, bytes: text.length, createdAt: clock.now() };
      return { name, old: await postgres.transaction((tx) => mapFileWrites(tx).switchTo(file)) };
    };
    const text = `{"type":"FeatureCollection","features":[${' '.repeat(2_000)}]}`;
    const { name } = await put(text);
    const { url } = await mapUrl();
    expect(url.pathname).toBe(`/map/${name}`);
    const plain = await api.fetch(url.pathname, { headers: { 'accept-encoding': 'identity' } });
    expect(await plain.text()).toBe(text);
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const packed = await api.fetch(url.pathname, { headers: { 'accept-encoding': 'gzip' } });
    expect([packed.headers.get('content-encoding'), await packed.text()]).toEqual(['gzip', text]);
    const etag = packed.headers.get('etag') ?? '';
    const again = await api.fetch(url.pathname, {
      headers: { 'accept-encoding': 'gzip', 'if-none-match': etag },
    });
    expect(again.status).toBe(304);

    const second = await put(`${text}\n`);
    expect((await mapUrl()).url.pathname).toBe(`/map/${second.name}`);
    expect(await (await api.fetch('/map/airports.geojson')).text()).toBe(`${text}\n`);
    // The first URL can still be used; after two more files it is deleted.
    expect((await api.fetch(`/map/${name}`)).status).toBe(200);
    await put(`${text} `);
    expect((await put(`${text}  `)).old).toEqual([name]);
  });

  test.each([
    '/map/airports-0.geojson',
    '/map/..%2f..%2fsecrets.json',
    '/map/airports-0123456789abcdef.geojson',
  ])('404 %s', async (path) => {
    expect((await api.fetch(path)).status).toBe(404);
  });
});

describe('the status page', () => {
  test('The page loads nothing from other hosts, and every file it refers to exists', async () => {
    const answer = await api.fetch('/status');
    const html = await answer.text();
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
    expect(html).not.toMatch(/https?:\/\//);
    const files = [...html.matchAll(/(?:src|<link[^>]* href)="(\/[^"]+)"/g)].map((match) => match[1] ?? '');
    expect(files).toHaveLength(5);
    for (const file of [...files, '/status/land.json']) {
      const loaded = await api.fetch(file);
      expect([file, loaded.status]).toEqual([file, 200]);
      await loaded.arrayBuffer();
    }
    const script = await (await api.fetch('/status/status.js')).text();
    expect(script).not.toMatch(/tileLayer|https?:\/\//);
    const land = (await (await api.fetch('/status/land.json')).json()) as {
      geometry: { type: string; coordinates: [number, number][][][] };
    };
    expect(land.geometry.type).toBe('MultiPolygon');
    const rings = land.geometry.coordinates.flat();
    expect(rings.length).toBeGreaterThan(100);
    // No line across the map: neighbouring points are close, except along the edge below Antarctica.
    const jumps = rings.flatMap((ring) =>
      ring.slice(1).filter(([lon, lat], i) => lat > -90 && Math.abs(lon - (ring[i]?.[0] ?? lon)) > 180),
    );
    expect(jumps).toEqual([]);
    expect((await api.fetch('/status/constructor')).status).toBe(404);
  });

  test('Feeds are up, late, down or off, with last run, size, age, history and public reasons', async () => {
    const promise = { schedule: '* * * * *', graceMinutes: 5, staleMinutes: 20 };
    await api.context.postgres.transaction((tx) =>
      feedStatusWrites(tx).declare(
        ['fine', 'slow', 'dead', 'new', 'unset'].map((name) => ({
          name,
          ...promise,
          isOff: name === 'unset',
        })),
      ),
    );
    const now = api.context.clock.now();
    const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
    const success = (feed: string, minutes: number) =>
      runSql(api.context.postgres)`
        INSERT INTO feed_state (feed, last_success_at, last_count, last_error, last_failure_at, consecutive_failures)
        VALUES (${feed}, ${before(minutes)}, 40, 'https://key:word@secret.example/metars.gz broke', ${before(1)}, 3)`;
    await success('fine', 4);
    await success('slow', 5);
    await success('dead', 20);
    await success('unset', 20);
    await runSql(api.context.postgres)`INSERT INTO feed_run (feed, slot, started_at, finished_at, ok, bytes)
      VALUES ('fine', ${before(4)}, ${before(4)}, ${before(4)}, true, 1234), ('fine', ${before(1)}, ${before(1)}, ${before(1)}, false, NULL)`;
    // A run that failed because of an operator's mistake is not part of the history.
    await runSql(
      api.context.postgres,
    )`INSERT INTO feed_run (feed, slot, started_at, finished_at, ok, is_manual)
      VALUES ('slow', ${before(2)}, ${before(2)}, ${before(2)}, false, true)`;
    const answer = await api.fetch('/status.json');
    const text = await answer.text();
    expect(text).not.toContain('secret');
    const status = JSON.parse(text) as { time: string; map: string; feeds: Record<string, unknown>[] };
    expect(status.time).toBe('2026-09-16 12:00:00');
    expect(status.map).toMatch(/^\/map\/airports/);
    expect(status.feeds).toEqual([
      expect.objectContaining({ feed: 'dead', status: 'down', ageMinutes: 20 }),
      {
        feed: 'fine',
        about: '',
        status: 'up',
        lastFailure: '2026-09-16 11:59:00',
        lastFailureReason: 'metars.gz broke',
        seedDate: null,
        reason: null,
        notice: null,
        history: [{ hour: 23, succeeded: 1, failed: 1 }],
        lastRun: '2026-09-16 11:59:00',
        lastSuccess: '2026-09-16 11:56:00',
        ageMinutes: 4,
        records: 40,
        bytes: 1234,
      },
      expect.objectContaining({
        feed: 'new',
        status: 'down',
        lastRun: null,
        ageMinutes: null,
        records: null,
      }),
      expect.objectContaining({ feed: 'slow', status: 'late', ageMinutes: 5 }),
      expect.objectContaining({ feed: 'unset', status: 'off', ageMinutes: 20 }),
    ]);
    const page = await (await api.fetch('/status')).text();
    expect(page).not.toContain('secret');
    expect(page).toContain(' late since 11:45 UTC, metars.gz broke; new without data so far; slow late');
    expect(page).toContain('from 11:00 to 12:00 UTC: 1 of 2 runs succeeded');
    expect(page.match(/<rect class="none"/g)).toHaveLength(24 * 5 - 1);
    for (const word of ['Queues', 'Dead letters', 'Database', 'Last success', 'Last failure'])
      expect(page).toContain(word);
  });

  test('Airports are shown with the flight category of a current METAR and their closed runways', async () => {
    const fresh = await testApi();
    const now = fresh.context.clock.now();
    await importAirports(fresh.context, ['KJFK', 'KBOS']);
    const metar = (icao: string, hours: number, raw: string) =>
      runSql(fresh.context.postgres)`INSERT INTO metar (icao, observed_at, raw, source)
        VALUES (${icao}, ${new Date(now.getTime() - hours * 3_600_000)}, ${`METAR ${icao} 161151Z ${raw}`}, 'FILE')`;
    await metar('KJFK', 0.2, '03012KT 10SM OVC004 M02/M04 A3002');
    await metar('KBOS', 3, '03012KT 10SM CLR M02/M04 A3002');
    const closed =
      'A0001/26 NOTAMN\nQ) KZBW/QMRLC/IV/NBO/A/000/999/4222N07100W005\n' +
      'A) KBOS B) 2609010000 C) 2612280000\nE) RWY 09/27 CLSD\n\n';
    await fresh.context.postgres.transaction((tx) =>
      notamWrites(tx).store(parseNotamTexts(closed).records, { source: 'test', now, isComplete: true }),
    );
    const answer = await fresh.fetch('/status/airports.json');
    expect(await answer.json()).toEqual({
      order: ['VFR', 'MVFR', 'IFR', 'LIFR'],
      categories: { VFR: [], MVFR: [], IFR: [], LIFR: ['KJFK'] },
      closed: { KBOS: ['09', '27'] },
    });
    await fresh.close();
  });

  test('Warnings in force are a GeoJSON file, with areas across the date line in one piece', async () => {
    const fresh = await testApi();
    await storeSigmets(fresh, [
      sigmetOver([-5, 178, 5, -178], { series: 'now' }),
      sigmetOver([1, 2, 3, 4], { series: 'later', validFrom: '2026-09-16T13:00:00.000Z' }),
      sigmetOver([1, 2, 3, 4], { series: 'over', validTo: '2026-09-16T12:00:00.000Z' }),
    ]);
    const answer = await fresh.fetch('/status/hazards.json');
    expect(answer.headers.get('content-type')).toMatch(/^application\/geo\+json/);
    const { type, features } = (await answer.json()) as { type: string; features: object[] };
    expect([type, features.length]).toEqual(['FeatureCollection', 1]);
    expect(features[0]).toMatchObject({
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [178, -5],
            [178, 5],
            [182, 5],
            [182, -5],
            [178, -5],
          ],
        ],
      },
      properties: { kind: 'SIGMET', hazard: 'SEV TURB' },
    });
    await fresh.close();
  });

  test('Without a database the page says so with status 503', async () => {
    const fresh = await testApi();
    await runSql(
      fresh.context.postgres,
    )`INSERT INTO migration (name, checksum) VALUES ('9001_newer.sql', 'x')`;
    const answer = await fresh.fetch('/status');
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('The database cannot be used: The database has 9001_newer');
    await fresh.close();
  });
});
