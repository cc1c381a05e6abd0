import { afterAll, beforeAll, expect, test } from 'vitest';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { runSql } from '#test/support/sql.ts';
import { codeOf } from '#test/support/subscriptions.ts';

let api: TestApi;
let pilot: TestUser;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  await importAirports(api.context, ['KJFK']);
});
afterAll(() => api.close());

interface Row {
  runway: string;
  verdict: string | null;
  margin: number;
  maxTakeoffWeight: number;
  v1: number | null;
  limitsExceeded: { code: string }[];
  cautions: { code: string }[];
  noticesInForce: unknown[];
}
const aircraft = { file: '737-800-7B26', userRegistration: null, virtualAirline: null };
const ask = (more: Record<string, unknown> = {}, user = pilot) =>
  api.call('performanceAirport', {
    token: user.token,
    data: {
      units: { distance: 'meter' },
      aircraft,
      airport: 'KJFK',
      weather: { windDirection: 220, windSpeed: 20, temperature: 30, qnh: 1013 },
      weight: { takeoffWeight: 70_000, landingWeight: 60_000 },
      ...more,
    },
  });

test('Every runway is assessed for both phases, the best first, counted as one calculation (G-07)', async () => {
  const before = await api.call('userStatistics', { token: pilot.token });
  const { status, body } = await ask();
  expect([status, body['airport'], body['closed']]).toEqual([200, 'KJFK', []]);
  const [takeoff, landing] = [body['takeoff'] as Row[], body['landing'] as Row[]];
  expect(takeoff.map(({ runway }) => runway).toSorted()).toEqual(
    landing.map(({ runway }) => runway).toSorted(),
  );
  expect(takeoff).toHaveLength(8);
  const ranks = [...takeoff, ...landing].map(({ verdict }) => (verdict === 'FITS' ? 0 : 1));
  expect(ranks.slice(0, 8)).toEqual(ranks.slice(0, 8).toSorted((a, b) => a - b));
  expect(ranks.slice(8)).toEqual(ranks.slice(8).toSorted((a, b) => a - b));
  // 20 kt of tailwind exceed the limit of the type.
  for (const list of [takeoff, landing])
    expect(list.find(({ runway }) => runway === '04L')?.verdict).toBe('LIMIT_EXCEEDED');
  const after = await api.call('userStatistics', { token: pilot.token });
  const other = ({ body: { calculations } }: typeof after) => (calculations as { other: number }).other;
  expect(other(after)).toBe(other(before) + 1);
});

test('Each row equals the answer of performance for that runway (G-07)', async () => {
  const row = ((await ask()).body['takeoff'] as Row[])[0];
  const single = await api.call('performance', {
    token: pilot.token,
    data: {
      requestType: 'TAKEOFF',
      units: { distance: 'meter' },
      aircraft,
      airport: 'KJFK',
      runway: row?.runway,
      weather: { windDirection: 220, windSpeed: 20, temperature: 30, qnh: 1013 },
      weight: { takeoffWeight: 70_000 },
    },
  });
  expect(single.body['performance']).toMatchObject({
    maxTakeoffWeight: row?.maxTakeoffWeight,
    v1: row?.v1,
    verdict: row?.verdict,
  });
});

test('The table is refused when no calculation is left (M-4.7.r4)', async () => {
  const other = await api.user();
  const again = () =>
    api.call('performanceAirport', { token: other.token, data: { aircraft, airport: 'KJFK' } });
  await runSql(api.context.postgres)`
    INSERT INTO calculation (public_id, user_id, kind, profile, request, result, created_at)
    SELECT gen_random_uuid(), ${other.id}, 'other', '737-800-7B26', '{"airport": "KJFK"}', '{}', ${api.context.clock.now()}
    FROM generate_series(1, 9)`;
  expect((await again()).status).toBe(200);
  expect(codeOf(await again())).toEqual([403, 'CALCULATION_LIMIT_REACHED']);
});

test('Without weights the table has takeoff limits and dispatch landings, and the subscription must include the airport (G-07)', async () => {
  const { body } = await ask({ weight: {} });
  expect((body['takeoff'] as Row[])[0]).toMatchObject({ v1: null, verdict: null });
  expect((body['landing'] as Row[])[0]).toMatchObject({ landingWeight: 66_361, mode: null });
  expect(codeOf(await ask({ airport: 'KZZZ' }))).toEqual([403, 'AIRPORT_NOT_ALLOWED']);
  const subscriber = await api.user();
  await api.grant(subscriber, 'EFB_PRO_M');
  expect(codeOf(await ask({ airport: 'KZZZ' }, subscriber))).toEqual([404, 'AIRPORT_NOT_FOUND']);
});

test('Without a weight an exceeded limit is in its row, which ranks below rows within limits (G-07)', async () => {
  const weather = { windDirection: 220, windSpeed: 25, temperature: 15, qnh: 1013 };
  const { body } = await ask({ weather, weight: {} });
  const takeoff = body['takeoff'] as Row[];
  expect(takeoff.find(({ runway }) => runway === '04L')).toMatchObject({
    verdict: null,
    limitsExceeded: [{ code: 'TAILWIND_LIMIT', limit: 15 }],
  });
  for (const rows of [takeoff, body['landing'] as Row[]]) {
    const exceeded = rows.map(({ limitsExceeded }) => limitsExceeded.length > 0);
    expect(exceeded).toContain(true);
    expect(exceeded).toEqual(exceeded.toSorted((a, b) => Number(a) - Number(b)));
  }
});

test('A row has the same cautions and NOTAM in force as performance returns for that runway (G-07)', async () => {
  const now = api.context.clock.now();
  const notam =
    'A0001/26 NOTAMN\nQ) KZNY/QMDCH/IV/NBO/A/000/999/4038N07347W005\nA) KJFK B) 2609010000 C) 2612280000\n' +
    'E) RWY 22L DECLARED DISTANCES CHANGED: TORA 1800M TODA 1900M ASDA 1850M LDA 1300M\n\n';
  const ficon =
    '!JFK 09/302 JFK RWY 22L FICON 3/3/3 100 PCT SLIPPERY WHEN WET OBS AT 2609161130. 2609161130-2609171200\n';
  const { records } = parseNotamTexts(notam + ficon, now);
  await api.context.postgres.transaction((tx) =>
    notamWrites(tx).store(records, { source: 'test', now, isComplete: true }),
  );
  const runwayCondition = { state: 'DRY' };
  const { body } = await ask({ runwayCondition });
  for (const [phase, more] of [
    ['takeoff', { requestType: 'TAKEOFF', weight: { takeoffWeight: 70_000 } }],
    ['landing', { requestType: 'LANDING', landingMode: 'inflight', weight: { landingWeight: 60_000 } }],
  ] as const) {
    const row = (body[phase] as Row[]).find(({ runway }) => runway === '22L');
    const single = await api.call('performance', {
      token: pilot.token,
      data: {
        units: { distance: 'meter' },
        aircraft,
        airport: 'KJFK',
        runway: '22L',
        weather: { windDirection: 220, windSpeed: 20, temperature: 30, qnh: 1013 },
        runwayCondition,
        ...more,
      },
    });
    expect(row?.cautions).toEqual(single.body['cautions']);
    expect(row?.cautions.map(({ code }) => code)).toContain('OFFICIAL_CONDITION_WORSE');
    const { noticesInForce } = single.body['performance'] as Row;
    expect(row?.noticesInForce).toEqual(noticesInForce);
    expect(noticesInForce).toHaveLength(1);
  }
});

test('A runway shortened by NOTAM in force is calculated with them, or is not good where the level lacks NOTAM (G-07)', async () => {
  const [plain, level] = [pilot, await api.user()];
  await api.grant(level, 'EFB_PRO_M');
  const weight = { takeoffWeight: 78_000, landingWeight: 66_000 };
  const at = (time: string) => ({ weight, at: time, runwayCondition: { state: 'WET' } });
  const single = async (user: TestUser, runway: string, phase: 'takeoff' | 'landing', time: string) => {
    const { body } = await api.call('performance', {
      token: user.token,
      data: {
        requestType: phase.toUpperCase(),
        ...(phase === 'landing' ? { landingMode: 'inflight' } : {}),
        units: { distance: 'meter' },
        aircraft,
        airport: 'KJFK',
        weather: { windDirection: 220, windSpeed: 20, temperature: 30, qnh: 1013 },
        ...at(time),
        runway,
      },
    });
    return body['performance'] as Row & { lda: number; tora: number };
  };
  const inForce = '2026-09-16T15:00:00Z';
  const tables = {
    level: (await ask(at(inForce), level)).body,
    plain: (await ask(at(inForce), plain)).body,
    later: (await ask(at('2027-01-10T15:00:00Z'), level)).body,
  };
  for (const phase of ['takeoff', 'landing'] as const) {
    const rowOf = (table: keyof typeof tables) =>
      (tables[table][phase] as Row[]).find(({ runway }) => runway.startsWith('22L'));
    const withLevel = rowOf('level');
    expect(withLevel?.runway).toMatch(/^22L\.N\d+$/);
    expect(withLevel).toMatchObject({ noticesInForce: [] });
    expect(withLevel?.verdict).not.toBe('FITS');
    const answer = await single(level, withLevel?.runway ?? '', phase, inForce);
    expect(answer).toMatchObject({
      verdict: withLevel?.verdict,
      [phase === 'takeoff' ? 'tora' : 'lda']: phase === 'takeoff' ? 1_800 : 1_300,
    });
    for (const [user, row] of [
      [plain, rowOf('plain')],
      [level, null],
    ] as const) {
      const found = row ?? (await single(user, '22L', phase, inForce));
      expect(found).toMatchObject({
        verdict: 'LIMIT_EXCEEDED',
        shown: { tone: 'bad' },
      });
      // The operator reports it slippery, too.
      expect(found.limitsExceeded.map(({ code }) => code).toSorted()).toEqual(
        [
          phase === 'takeoff' ? 'WEIGHT_UNDER_NOTAM' : 'LDA_UNDER_NOTAM',
          'OFFICIAL_CONDITION_WORSE',
        ].toSorted(),
      );
    }
    expect(rowOf('later')).toMatchObject({ runway: '22L', verdict: 'FITS' });
  }
});

test('A NOTAM in force is also taken into account without a weight and at dispatch (G-07)', async () => {
  const { body } = await ask({ weight: {} }, await api.user());
  for (const phase of ['takeoff', 'landing'] as const) {
    const rows = body[phase] as Row[];
    expect(rows.find(({ runway }) => runway === '22L')).toMatchObject({
      limitsExceeded: [{ code: phase === 'takeoff' ? 'WEIGHT_UNDER_NOTAM' : 'LDA_UNDER_NOTAM' }],
    });
    expect(rows[0]?.runway).not.toBe('22L');
  }
});

test('Takeoffs within limits are ranked by headwind, and an additive copied for one runway is not used for others', async () => {
  const weather = { windDirection: 220, windSpeed: 20, gust: 30, temperature: 15, qnh: 1013 };
  const weight = { takeoffWeight: 60_000, landingWeight: 60_000 };
  const user = await api.user();
  const rows = async (vrefAdd?: number) =>
    (await ask({ weight, weather: { ...weather, vrefAdd } }, user)).body;
  const { takeoff } = await rows();
  const headwinds = (takeoff as (Row & { windComponents: { headwind: number } })[])
    .filter(({ verdict }) => verdict === 'FITS')
    .map(({ windComponents: { headwind } }) => headwind);
  expect(headwinds.length).toBeGreaterThan(2);
  expect(headwinds).toEqual(headwinds.toSorted((a, b) => b - a));
  const distances = async (vrefAdd: number) =>
    ((await rows(vrefAdd))['landing'] as (Row & { distance: number })[]).map(({ runway, distance }) => [
      runway,
      distance,
    ]);
  expect(await distances(20)).toEqual(await distances(5));
});
