import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
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
}
const aircraft = { file: '737-800-7B26', userRegistration: null, virtualAirline: null };
const ask = (more: Record<string, unknown> = {}) =>
  api.call('performanceAirport', {
    token: pilot.token,
    data: {
      units: { distance: 'meter' },
      aircraft,
      airport: 'KJFK',
      weather: { windDirection: 220, windSpeed: 20, temperature: 30, qnh: 1013 },
      weight: { takeoffWeight: 70_000, landingWeight: 60_000 },
      ...more,
    },
  });

test('Every runway in both phases, the best first, counted as one calculation (G-07)', async () => {
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

test('A row is what performance answers for the runway (G-07)', async () => {
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

test('It is refused when no calculation is left (M-4.7.r4)', async () => {
  const other = await api.user();
  const again = () =>
    api.call('performanceAirport', { token: other.token, data: { aircraft, airport: 'KJFK' } });
  for (let i = 0; i < 10; i += 1) expect((await again()).status).toBe(200);
  expect(codeOf(await again())).toEqual([403, 'CALCULATION_LIMIT_REACHED']);
});

test('Without weights: takeoff limits, and landings of a dispatch; the subscription must include the airport (G-07)', async () => {
  const { body } = await ask({ weight: {} });
  expect((body['takeoff'] as Row[])[0]).toMatchObject({ v1: null, verdict: null });
  expect((body['landing'] as Row[])[0]).toMatchObject({ landingWeight: 66_361, mode: null });
  expect(codeOf(await ask({ airport: 'KZZZ' }))).toEqual([403, 'AIRPORT_NOT_ALLOWED']);
});
