import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tafWrites, metarWrites } from '#store/postgres/weather/reports.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';

let api: TestApi;
let user: TestUser;
let key: string;

const metarText = 'METAR KJFK 161151Z 03012G20KT 10SM -RA BKN030 M02/M04 A3002 RMK AO2';

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  key = await api.key({ weather: true });
  await importAirports(api.context, ['KJFK']);
  const now = api.context.clock.now();
  await api.context.postgres.transaction(async (tx) => {
    await metarWrites(tx).store(
      [
        { icao: 'KJFK', observedAt: '2026-09-16T11:51:00.000Z', raw: metarText, source: 'AWC' },
        {
          icao: 'ZZZZ',
          observedAt: '2026-09-16T08:00:00.000Z',
          raw: 'METAR ZZZZ 160800Z VRB03KT 9999 NSC 10/05 Q1013',
          source: 'AWC',
        },
      ],
      now,
    );
    await tafWrites(tx).store(
      [
        {
          icao: 'KJFK',
          issuedAt: '2026-09-16T11:20:00.000Z',
          validFrom: '2026-09-16T12:00:00.000Z',
          validTo: '2026-09-17T18:00:00.000Z',
          raw: 'TAF KJFK 161120Z 1612/1718 03010KT P6SM BKN030',
          source: 'AWC',
        },
      ],
      now,
    );
  });
});
afterAll(() => api.close());

const weather = (data: unknown, devKey: string | undefined = key) =>
  api.call('weather', { token: user.token, data, ...(devKey === undefined ? {} : { devKey }) });

interface Highlight {
  text: string;
  color: string | null;
  spaceSuffix: boolean;
}

describe('weather, successful calls', () => {
  test('The answer has every field (M-2.11.f1, M-2.11.f2, M-2.11.f3, M-2.11.f4, M-2.11.f5, M-2.11.f6, M-2.11.m1, M-2.11.m2, M-2.11.m3, M-2.11.m4, M-2.11.m5, M-2.11.m6, M-2.11.m7, M-2.11.m8, M-2.11.m9, M-2.11.m11, M-2.11.t1, M-2.11.t2, M-2.11.t3, M-2.11.t4, M-2.11.t5, M-2.11.t6, M-2.11.t7)', async () => {
    const { status, body } = await weather({ icao: 'kjfk' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      apiVersion: '1.3.6',
      metar: {
        report: 'METAR',
        icao: 'KJFK',
        source: 'AWC',
        date: '2026-09-16 11:51:00',
        text: metarText,
        decoded: expect.any(String),
      },
      taf: {
        report: 'TAF',
        icao: 'KJFK',
        source: 'AWC',
        date: '2026-09-16 11:20:00',
        decoded: expect.any(String),
      },
      networkADAtis: null,
      networkBDAtis: null,
    });
    const metar = body['metar'] as { textHighlighted: Highlight[]; decoded: string };
    const joined = metar.textHighlighted.map((item) => item.text + (item.spaceSuffix ? ' ' : '')).join('');
    expect(joined).toBe(metarText);
    for (const { color } of metar.textHighlighted)
      expect(color === null || /^#[0-9A-F]{6}$/.test(color)).toBe(true);
    expect(metar.textHighlighted.some(({ color }) => color !== null)).toBe(true);
    expect(metar.decoded).toMatch(/wind/i);
  });

  test('Each runway has one block with its true bearing (M-2.11.m10, M-2.11.r1, M-2.11.r2, M-2.11.r3, M-2.11.r4, M-2.11.r5, M-2.11.r6, M-2.11.r7, M-2.11.r8, M-2.11.r9, M-2.11.r10, M-2.11.r11, M-2.11.r12, M-2.11.r13, M-2.11.r14, M-2.11.r15)', async () => {
    const { body } = await weather({ icao: 'KJFK' });
    const blocks = (body['metar'] as { metar2SVC: Record<string, Record<string, number | string>> })
      .metar2SVC;
    expect(Object.keys(blocks).sort()).toEqual(['04l', '04r', '13l', '13r', '22l', '22r', '31l', '31r']);
    // 04L of KJFK points to 31 degrees true: wind 030/12 is a headwind, and a tailwind on 22R.
    expect(blocks['04l']).toMatchObject({
      windDir: 30,
      windSpeed: 12,
      gust: 20,
      headwind: 12,
      gustHeadwind: 20,
      crosswindSpeed: 0,
      qnh: 1016,
      temp: -2,
      dew: -4,
      icing: true,
    });
    expect(blocks['22r']).toMatchObject({ headwind: -12, gustHeadwind: -20 });
    expect(blocks['31l']).toMatchObject({ crosswindDir: 'R' });
    for (const block of Object.values(blocks)) {
      expect(typeof block['vrefAdd']).toBe('number');
      for (const use of ['TakeoffDispatch', 'LandingDispatch', 'LandingEnroute']) {
        expect(block[`runwayCondition${use}`]).toEqual(expect.any(String));
      }
    }
  });

  test('A station without stored runways, an old report and a station without reports are answered (M-8.26)', async () => {
    const old = await weather({ icao: 'ZZZZ' });
    expect(old.body).toMatchObject({ metar: { icao: 'ZZZZ', metar2SVC: {} }, taf: null });
    const unknown = await weather({ icao: 'QQQQ' });
    expect(unknown).toMatchObject({ status: 200, body: { metar: null, taf: null } });
    expect(old.body).not.toHaveProperty('notice');
    expect(unknown.body['notice']).toEqual({
      code: 'UNKNOWN_ICAO',
      message: 'No airport or station QQQQ is known.',
      nearest: [],
    });
    const slip = await weather({ icao: 'KJKF' });
    expect(slip.body['notice']).toEqual({
      code: 'UNKNOWN_ICAO',
      message: 'No airport or station KJKF is known. Did you mean KJFK?',
      nearest: ['KJFK'],
    });
  });
});

describe('weather, errors in form (b)', () => {
  test('A missing or invalid code is 400 MISSING_ICAO or INVALID_ICAO (M-7.m6, M-4.7.q4)', async () => {
    for (const data of [undefined, {}, { icao: '' }, { icao: null }, { icao: '  ' }]) {
      expect(await weather(data)).toMatchObject({
        status: 400,
        body: { Error: [{ message: 'Missing ICAO.', code: 'MISSING_ICAO' }] },
      });
    }
    for (const icao of ['KJF', 'KJFKX', '1234', 'K%FK', 7, ['KJFK']]) {
      expect(await weather({ icao })).toMatchObject({
        status: 400,
        body: { Error: [{ message: 'Invalid ICAO.', code: 'INVALID_ICAO' }] },
      });
    }
  });

  test('Access errors are 401 AUTH_REQUIRED, 401 INVALID_DEV_KEY and 403 ACCESS_DENIED', async () => {
    expect((await api.call('weather', { data: { icao: 'KJFK' } })).status).toBe(401);
    expect((await weather({ icao: 'KJFK' }, 'dk_wrong')).status).toBe(401);
    const without = await api.key({ userInfo: 'FULL' });
    expect(await weather({ icao: 'KJFK' }, without)).toMatchObject({
      status: 403,
      body: { Error: [{ message: expect.stringContaining('ACCESS_DENIED'), code: 'ACCESS_DENIED' }] },
    });
  });
});
