import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createHttp } from '#platform/http.ts';
import { createLogger } from '#platform/log/log.ts';
import { startSimulated } from '#simulated/server.ts';
import { ecmwfLevelsHpa } from '#simulated/winds-ecmwf.ts';
import { forecastTimeAt } from '#domain/winds/forecast-time.ts';
import { windSampler } from '#domain/winds/interpolate.ts';
import { forecastHours } from '#domain/winds/snapshot.ts';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { makeHour, testCycleMs } from '#test/support/grib/gfs.ts';
import { fetchSource } from '../fetch.ts';
import { createCycleBuilder } from './build.ts';
import { fillTemplate } from './cycle.ts';
import { addMessages } from './files.ts';
import { parseIndexLines } from './index-lines.ts';
import { pollWinds } from './poll.ts';
import type { WindDelivery, WindPollOptions } from './poll.ts';
import { sourceOf } from './sources.ts';

const hourMs = 3_600_000;

/** As published, with one more key than documented. */
const line = (over: Record<string, unknown> = {}): string =>
  JSON.stringify({
    domain: 'g',
    date: '20260916',
    time: '0600',
    expver: '0001',
    class: 'od',
    type: 'fc',
    stream: 'oper',
    step: '6',
    levtype: 'pl',
    levelist: '250',
    param: 'u',
    _offset: 4096,
    _length: 612_345,
    ...over,
  });

describe('inventory in JSON lines', () => {
  const field = { index: 0, levelHpa: 250, cycleMs: testCycleMs, hour: 6, offset: 4096, end: 616_441 };

  test('Winds and temperatures on wanted levels, with their octets', () => {
    const text = [line(), line({ param: 'v', step: 6, levelist: 250 }), line({ param: 't', time: '600' })];
    expect(parseIndexLines(`${text.join('\r\n')}\n`)).toEqual([
      field,
      { ...field, index: 1 },
      { ...field, index: 2 },
    ]);
  });

  test.each([
    ['another parameter', { param: 'gh' }],
    ['another level type', { levtype: 'sfc', levelist: undefined }],
    ['a level that is not wanted', { levelist: '10' }],
    ['a member of an ensemble', { number: '3', type: 'pf' }],
    ['a member that claims to be the forecast', { number: '3' }],
    ['an interval', { step: '0-6' }],
    ['a negative offset', { _offset: -1 }],
    ['no length', { _length: 0 }],
    ['a length that is a text', { _length: '612345' }],
  ])('A line of %s is skipped', (_, over) => {
    expect(parseIndexLines(`${line(over)}\n${line()}`)).toEqual([field]);
  });

  test('A line that is cut off or too long is skipped', () => {
    const long = line({ comment: 'x'.repeat(2_000) });
    expect(parseIndexLines(`${line().slice(0, 80)}\n${long}\n[1]\nnull\n${line()}`)).toEqual([field]);
  });

  test('A web page, an empty file or another inventory is none', () => {
    expect(parseIndexLines('<!doctype html><title>blocked</title>')).toBeNull();
    expect(parseIndexLines('')).toBeNull();
    expect(parseIndexLines('1:0:d=2026091606:HGT:250 mb:6 hour fcst:')).toBeNull();
    expect(parseIndexLines('{"error":"not found"}')).toBeNull();
  });
});

describe('a cycle of ECMWF', async () => {
  let now = new Date(testCycleMs + 6.5 * hourMs);
  const simulated = await startSimulated({ now: () => now });
  afterAll(() => simulated.close());
  const http = createHttp(createLogger('test', 'silent'));
  const gfs = sourceOf(simulated.variables['WINDS_URL'] ?? '');
  const ecmwf = sourceOf(simulated.variables['WINDS_ECMWF_URL'] ?? '');
  const gfsPath = (hour: number): string => new URL(fillTemplate(gfs.template, testCycleMs, hour)).pathname;

  const poll = (over: Partial<WindPollOptions> = {}): Promise<WindDelivery | null> =>
    pollWinds({
      sources: [gfs, ecmwf],
      fetch: (address, options) =>
        fetchSource(address, { http, signal: AbortSignal.timeout(100_000), ...options }),
      nowMs: now.getTime(),
      activeCycleMs: testCycleMs - 6 * hourMs,
      ...over,
    });
  const snapshotOf = (delivery: WindDelivery | null): WindSnapshot => {
    if (!delivery) throw new Error('no delivery');
    return delivery.snapshot;
  };

  beforeEach(() => {
    now = new Date(testCycleMs + 6.5 * hourMs);
    for (const hour of forecastHours) simulated.setMode(gfsPath(hour), 'ok');
    for (const hour of forecastHours) simulated.setMode(`${gfsPath(hour)}.idx`, 'ok');
  });

  test('Its hours are fetched by the byte ranges of the inventory and are named after it', async () => {
    const before = simulated.requests.length;
    const { header } = snapshotOf(await poll({ sources: [ecmwf] }));
    expect(header).toMatchObject({
      cycleMs: testCycleMs,
      source: 'ECMWF IFS',
      stepsHours: forecastHours,
      levelsHpa: ecmwfLevelsHpa.toReversed(),
      grid: { northDeg: 90, westDeg: 180 },
    });
    const requests = simulated.requests.slice(before);
    expect(requests.filter(({ path }) => path.endsWith('.index'))).toHaveLength(forecastHours.length);
    const files = requests.filter(({ path }) => path.endsWith('.grib2'));
    expect(files.length).toBeGreaterThanOrEqual(forecastHours.length);
    // The first message is a temperature at 2 m, which is not wanted.
    for (const { headers } of files) expect(headers.range).toMatch(/^bytes=[1-9]\d*-\d+$/);
  });

  test('The same atmosphere gives the same winds from both models, within the rounding of the fields', async () => {
    const one = snapshotOf(await poll({ sources: [gfs] }));
    const other = snapshotOf(await poll({ sources: [ecmwf] }));
    expect(one.header.source).toBe('NOAA GFS');
    const places = Array.from({ length: 60 }, (_, i) => [90 - i * 3.05, ((i * 47.3) % 360) - 180] as const);
    for (const [latitude, longitude] of [...places, [0, 180] as const, [0, -180] as const, [45, 0] as const])
      for (const hours of [0, 7.5, 48]) {
        const sampleOf = (snapshot: WindSnapshot) =>
          windSampler(
            snapshot,
            latitude,
            longitude,
            forecastTimeAt(snapshot.header, testCycleMs + hours * hourMs),
          );
        for (const levelHpa of [100, 250, 500, 1000]) {
          const a = sampleOf(one)(levelHpa);
          const b = sampleOf(other)(levelHpa);
          const at = `${latitude} ${longitude} ${levelHpa} hPa +${hours} h`;
          expect(Math.abs((a.uMs ?? Number.NaN) - (b.uMs ?? Number.NaN)), at).toBeLessThan(0.011);
          expect(Math.abs((a.vMs ?? Number.NaN) - (b.vMs ?? Number.NaN)), at).toBeLessThan(0.011);
          expect(Math.abs((a.temperatureK ?? Number.NaN) - (b.temperatureK ?? Number.NaN)), at).toBeLessThan(
            0.011,
          );
        }
      }
  });

  test('The first model is used while it has the cycle', async () => {
    const before = simulated.requests.length;
    expect(snapshotOf(await poll()).header.source).toBe('NOAA GFS');
    expect(simulated.requests.slice(before).some(({ path }) => path.includes('/ifs/'))).toBe(false);
  });

  test('The order of the sources is the order of the models', async () => {
    expect(snapshotOf(await poll({ sources: [ecmwf, gfs] })).header.source).toBe('ECMWF IFS');
  });

  test.each(['500', '404', 'html', 'reset'] as const)(
    'When the first model fails with %s, the cycle is the other one',
    async (mode) => {
      for (const hour of forecastHours) simulated.setMode(`${gfsPath(hour)}.idx`, mode);
      const delivery = await poll();
      expect(snapshotOf(delivery).header.source).toBe('ECMWF IFS');
      expect(delivery?.faults.length === 0).toBe(mode === '404');
    },
  );

  test('One absent hour: all hours are from the other model, none is mixed in', async () => {
    simulated.setMode(`${gfsPath(24)}.idx`, '404');
    const delivery = await poll();
    expect(snapshotOf(delivery).header).toMatchObject({ source: 'ECMWF IFS', stepsHours: forecastHours });
    expect(snapshotOf(delivery).header.grid.westDeg).toBe(180);
  });

  describe('files that are not what they should be', async () => {
    const broken = await startSimulated({ now: () => now });
    afterAll(() => broken.close());
    const source = sourceOf(broken.variables['WINDS_ECMWF_URL'] ?? '');
    const pathOf = (hour: number): string =>
      new URL(fillTemplate(source.template, testCycleMs, hour)).pathname;
    const fileOf = async (path: string): Promise<Buffer> =>
      Buffer.from(await (await fetch(new URL(path, simulated.origin))).arrayBuffer());

    test('An inventory of another file is not used', async () => {
      const path = pathOf(48).replace('.grib2', '.index');
      const text = (await fileOf(path)).toString();
      const shifted = text.replaceAll(/"_offset":(\d+)/g, (_, n: string) => `"_offset":${Number(n) + 7}`);
      broken.setRoute(path, () => ({ bytes: shifted, contentType: 'text/plain' }));
      await expect(poll({ sources: [source] })).rejects.toMatchObject({ code: 'STALE' });
    });

    test('The file of another hour is not used', async () => {
      broken.setRoute(pathOf(48).replace('.grib2', '.index'), async () => ({
        bytes: await fileOf(pathOf(48).replace('.grib2', '.index')),
        contentType: 'text/plain',
      }));
      const other = await fileOf(pathOf(42));
      broken.setRoute(pathOf(48), () => ({ bytes: other, contentType: 'application/octet-stream' }));
      await expect(poll({ sources: [source] })).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:STALE|CORRUPT|TRUNCATED)$/) as string,
      });
    });

    test('Damaged coded values are a named error, and the other model is used', async () => {
      const path = pathOf(48);
      const file = await fileOf(path);
      // Section 7 is after 179 octets of headers; constant fields have nothing in it.
      for (let at = 0; (at = file.indexOf('GRIB', at)) >= 0; at += 4) {
        const length = Number(file.readBigUInt64BE(at + 8));
        if (length > 300) file.fill(0, at + 190, at + length - 4);
      }
      broken.setRoute(path, () => ({ bytes: file, contentType: 'application/octet-stream' }));
      await expect(poll({ sources: [source] })).rejects.toMatchObject({
        code: 'CORRUPT',
        message: expect.stringContaining('CCSDS') as string,
      });
      const delivery = await poll({ sources: [source, gfs] });
      expect(snapshotOf(delivery).header.source).toBe('NOAA GFS');
      expect(delivery?.faults.join()).toContain('CCSDS');
    });
  });

  test('Nothing is requested before a cycle can be published', async () => {
    now = new Date(testCycleMs + 5.9 * hourMs);
    const before = simulated.requests.length;
    expect(await poll({ sources: [ecmwf] })).toBeNull();
    expect(simulated.requests.length).toBe(before);
  });
});

test('A grid of 0.25 degree from the date line gives the winds of one of 1 degree from Greenwich', () => {
  const read = (stepDeg: number, westDeg: number): WindSnapshot => {
    const builder = createCycleBuilder();
    const levelsHpa = [250, 300];
    const packing = { template: 4 } as const;
    const { grib } = makeHour({ cycleMs: testCycleMs, stepDeg, westDeg, levelsHpa, packing }, 0);
    addMessages(builder, grib, 'test');
    return builder.finish({ allowPartial: true });
  };
  const fine = read(0.25, 180);
  const coarse = read(1, 0);
  expect(fine.header.grid).toMatchObject({ ni: 360, nj: 181, westDeg: 180, diDeg: 1, djDeg: 1 });
  const time = forecastTimeAt(coarse.header, testCycleMs);
  for (let i = 0; i < 200; i++) {
    const place = [90 - i * 0.9, ((i * 77.7) % 360) - 180] as const;
    const [a, b] = [windSampler(fine, ...place, time)(275), windSampler(coarse, ...place, time)(275)];
    expect(a.uMs, String(place)).toBeCloseTo(b.uMs ?? Number.NaN, 6);
    expect(a.vMs, String(place)).toBeCloseTo(b.vMs ?? Number.NaN, 6);
    expect(a.temperatureK, String(place)).toBeCloseTo(b.temperatureK ?? Number.NaN, 6);
  }
});
