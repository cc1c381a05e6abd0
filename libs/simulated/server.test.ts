import { afterAll, describe, expect, test } from 'vitest';
import { createHttp } from '#platform/http.ts';
import { createLogger } from '#platform/log/log.ts';
import { computeExits } from '#domain/exits/compute.ts';
import { officialReports } from '#domain/notam/surface/official.ts';
import { readReport } from '#domain/weather/report.ts';
import { parseIvaoAtis, parseVatsimAtis } from '#data/feeds/datis/atis.ts';
import { fetchSource } from '#data/feeds/fetch.ts';
import { parseMetars, parseTafs } from '#data/weather/report-file.ts';
import { readNavdata } from '#data/feeds/navdata/read.ts';
import { parseNotamFile } from '#data/feeds/notam/content.ts';
import { parseObstacles } from '#data/feeds/obstacles/dof.ts';
import { overpassQuery, parseOverpass } from '#data/feeds/osm/overpass.ts';
import { parseDocument } from '#data/ofp/parse.ts';
import { readWorldAirports } from '#data/feeds/airports/import.ts';
import { readFaaAirports } from '#test/support/airports.ts';
import { startSimulated } from './server.ts';
import { simulatedStations } from './stations.ts';

describe('simulated sources are parsed by the real parsers', async () => {
  const now = new Date('2026-09-16T12:25:00Z');
  const simulated = await startSimulated({ now: () => now });
  const http = createHttp(createLogger('test', 'silent'));
  afterAll(() => simulated.close());
  const get = async (name: string, form?: Record<string, string>): Promise<Buffer> => {
    const address = name.replace(/^\w+/, (variable) => simulated.variables[variable] ?? '');
    const fetched = await fetchSource(address, {
      http,
      signal: new AbortController().signal,
      maxBytes: 50_000_000,
      timeoutMs: 60_000,
      ...(form ? { method: 'POST' as const, form } : {}),
    });
    if (fetched.kind !== 'data') throw new Error('not modified');
    return fetched.bytes;
  };
  const text = async (name: string) => (await get(name)).toString('utf8');

  test('SimBrief answers with the plan of the hour, and refuses two users as SimBrief does', async () => {
    const plan = async (query: string) => {
      const response = await fetch(`${simulated.variables['PLANNER_URL']}?${query}&json=v2`);
      const parsed = parseDocument({ content: await response.text(), keepNotams: true });
      return { status: response.status, ...parsed };
    };
    const byId = await plan('userid=7');
    expect(byId).toMatchObject({
      status: 200,
      kind: 'plan',
      warnings: [],
      facts: { origin: { icao: 'EGLL' } },
    });
    // The ids of the same plan, whose text may have changed since.
    const { requestId, sequenceId } = byId as Extract<typeof byId, { kind: 'plan' }>;
    expect(await plan('username=7')).toMatchObject({ requestId, sequenceId });
    expect(await plan('userid=8')).toMatchObject({ facts: { origin: { icao: 'KJFK' }, units: 'lbs' } });
    expect(await plan('userid=9999999')).toMatchObject({ kind: 'other', status: 'Error: Unknown UserID' });
    expect(await plan('username=empty')).toMatchObject({
      status: expect.stringContaining('No flight plan on file'),
    });
  });

  test('METAR are from the last half hour, some from this minute, without rejects and with only known groups', async () => {
    const { records, rejects } = parseMetars(await text('METAR_URL'), now);
    expect(rejects).toEqual([]);
    expect(records.length).toBe((await simulatedStations()).length);
    expect(records.map((record) => record.icao)).toEqual(
      expect.arrayContaining(['KJFK', 'KBOS', 'EGLL', 'LOWI']),
    );
    const ages = records.map((record) => (now.getTime() - Date.parse(record.observedAt)) / 60_000);
    expect(Math.min(...ages)).toBeLessThan(1);
    expect(Math.max(...ages)).toBeLessThan(30);
    const unknown = records.flatMap(({ raw }) =>
      readReport(raw, 'METAR')
        .tokens.filter((token) => token.group.kind === 'unknown')
        .map((token) => `${raw}: ${token.text}`),
    );
    expect(unknown).toEqual([]);
  });

  test('TAF are current and without rejects', async () => {
    const { records, rejects } = parseTafs(await text('TAF_URL'), now);
    expect(rejects).toEqual([]);
    expect(records.length).toBe((await simulatedStations()).length);
    expect(records[0]).toMatchObject({
      validFrom: '2026-09-16T12:00:00.000Z',
      validTo: '2026-09-17T12:00:00.000Z',
    });
  });

  test('Airports include all of the seed, so that the import guards accept them', async () => {
    const files = {
      airports: await get('AIRPORTS_URL/airports.csv'),
      runways: await get('AIRPORTS_URL/runways.csv'),
    };
    const world = await readWorldAirports(files, now);
    const seed = await readFaaAirports(now);
    expect(world.airports.length).toBeGreaterThan(seed.airports.length);
    const ends = (list: typeof seed) => list.airports.reduce((sum, airport) => sum + airport.ends.length, 0);
    expect(ends(world)).toBeGreaterThan(ends(seed) * 0.98);
  });

  test('Airline airports have their IATA code and size, others a size by their runways, and no code is invented', async () => {
    const files = {
      airports: await get('AIRPORTS_URL/airports.csv'),
      runways: await get('AIRPORTS_URL/runways.csv'),
    };
    const { airports } = await readWorldAirports(files, now);
    const shown = (icao: string) => {
      const airport = airports.find((each) => each.icao === icao);
      return [airport?.iata, airport?.type];
    };
    expect(shown('KJFK')).toEqual(['JFK', 'large']);
    expect(shown('PANC')).toEqual(['ANC', 'large']);
    // Its IATA code is not its FAA code.
    expect(shown('KGPI')).toEqual(['FCA', 'medium']);
    expect(shown('EGLL')).toEqual(['LHR', 'large']);
    expect(shown('KEDW')).toEqual([null, 'medium']);
    expect(shown('KCDW')).toEqual([null, 'small']);
    expect(airports.filter((airport) => airport.type === 'other')).toEqual([]);
    const codes = airports.flatMap(({ iata }) => iata ?? []);
    expect(new Set(codes).size).toBe(codes.length);
    expect(airports.filter(({ type }) => type === 'large').length).toBeGreaterThan(120);
  });

  test('Navaids include well-known ones, and one identifier at several positions', async () => {
    const { points, rejects } = readNavdata(await get('AIRPORTS_URL/navaids.csv'));
    expect(rejects).toEqual([]);
    const of = (ident: string) =>
      points.filter((point) => point.ident === ident).map((point) => [point.name, point.frequencyMhz]);
    expect(of('JFK')).toEqual([['Kennedy', 115.9]]);
    expect(of('LAX')).toEqual([['Los Angeles', 113.6]]);
    expect(of('BOS')).toEqual([['Boston', 112.7]]);
    expect(of('SEA')).toEqual([['Seattle', 116.8]]);
    expect(of('ORD')).toEqual([["Chicago O'Hare", 113.9]]);
    expect(of('MIA')).toEqual(
      expect.arrayContaining([
        ['Miami', 115.9],
        ['Manila', 113.8],
        ['Mildura', 113.7],
      ]),
    );
  });

  test('ATIS of both networks are parsed', async () => {
    const a = parseIvaoAtis(await text('IVAO_URL/atis'), await text('IVAO_URL'));
    expect(a.rejects).toEqual([]);
    expect(a.records).toHaveLength(60);
    expect(a.records[0]?.frequency).toBe('118.000');
    const b = parseVatsimAtis(await text('VATSIM_URL'));
    expect(b.rejects).toEqual([]);
    expect(b.records).toHaveLength(60);
  });

  test('NOTAM and obstacles are parsed', async () => {
    const notams = await parseNotamFile('notams.txt', await get('NOTAM_URL'), now);
    expect(notams.rejects).toEqual([]);
    expect(notams.records.length).toBeGreaterThan(20);
    const { reports, unread } = officialReports(
      notams.records.map((notam, id) => ({ ...notam, id })),
      now,
      null,
    );
    expect(unread).toEqual([]);
    expect(new Set(reports.map(({ format }) => format))).toEqual(new Set(['FICON', 'SNOWTAM']));
    expect(reports.find(({ runways }) => runways.includes('04L'))).toMatchObject({ isExpired: false });
    const { obstacles, rejects, currencyDate } = parseObstacles(await get('OBSTACLES_URL'));
    expect(rejects).toEqual([]);
    expect(obstacles.length).toBeGreaterThan(1_000);
    expect(currencyDate).toBe('2026-09-16');
  });

  test('Airport taxiways yield exits in both directions', async () => {
    const airport = (
      await readWorldAirports(
        { airports: await get('AIRPORTS_URL/airports.csv'), runways: await get('AIRPORTS_URL/runways.csv') },
        now,
      )
    ).airports.find(({ icao }) => icao === 'EDDM');
    if (!airport) throw new Error('EDDM is not simulated');
    const points = airport.ends.flatMap(({ latitudeDeg, longitudeDeg }) =>
      latitudeDeg === null || longitudeDeg === null ? [] : [{ latitudeDeg, longitudeDeg }],
    );
    const map = parseOverpass((await get('OVERPASS_URL', { data: overpassQuery(points) })).toString());
    const computed = computeExits(map, airport.ends);
    expect(new Set(computed.exits.map((exit) => exit.ident))).toEqual(
      new Set(airport.ends.map((end) => end.ident)),
    );
  });

  test('An address that is not simulated is a 404', async () => {
    await expect(get('METAR_FALLBACK_URL')).rejects.toThrow(/was not found \(404\)/);
  });
});
