import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { sweepWrites } from '#store/postgres/sweeps/sweeps.ts';
import { testApi } from '#test/api.ts';
import type { Answer, TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { importAirports } from '#test/support/airports.ts';

let api: TestApi;
let pilot: TestUser;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  await importAirports(api.context, ['KJFK']);
});
afterAll(() => api.close());

const request = {
  requestType: 'LANDING',
  units: { distance: 'meter' },
  aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
  airport: 'KJFK',
  runway: '04L',
};
const calculate = (fields: Record<string, unknown>): Promise<Answer> =>
  api.call('performance', { token: pilot.token, data: { ...request, ...fields } });
const list = (data: Record<string, unknown> = {}, { token } = pilot) =>
  api.call('performanceHistory', { token, data });
const get = (calculationId: unknown, { token } = pilot) =>
  api.call('performanceGet', { token, data: { calculationId } });

describe('performanceHistory', () => {
  test('Calculations are listed and read again unchanged, only by their user (G-44)', async () => {
    const made = [
      await calculate({ landingMode: 'dispatch' }),
      await calculate({ landingMode: 'inflight', weight: { landingWeight: 60_000 } }),
      await calculate({ landingMode: 'inflight', weight: { landingWeight: 61_000 } }),
    ];
    const ids = made.map((answer) => at(answer, 'calculationId')).toReversed();
    const first = await list({ limit: 2 });
    const last = await list({ limit: 2, before: ids[1] });
    expect([first.body['hasMore'], last.body['hasMore'], last.body['count']]).toEqual([true, false, 1]);
    expect(last.body['items']).toEqual([
      {
        calculationId: ids[2],
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        kind: 'landingDispatch',
        profile: '737-800-7B26',
        registration: null,
        airport: 'KJFK',
        runway: '04L',
      },
    ]);
    expect(at(first, 'items', 1, 'calculationId')).toBe(ids[1]);

    const { body } = await get(ids[0]);
    const {
      apiVersion: _v,
      calculationId: _id,
      remainingCalculations: _r,
      extraCalculations: _e,
      ...answered
    } = made[2]?.body ?? {};
    expect(body).toMatchObject({ calculationId: ids[0], request: { weight: { landingWeight: 61_000 } } });
    expect(body['result']).toEqual(answered);

    const stranger = await api.user();
    expect(refusal(await get(ids[0], stranger))).toEqual([404, 'CALCULATION_NOT_FOUND']);
    expect((await list({}, stranger)).body).toMatchObject({ count: 0, items: [] });
    expect((await list({ before: ids[0] }, stranger)).body).toMatchObject({ count: 0 });
  });

  test('Calculations deleted by the sweep are neither listed nor readable', async () => {
    const id = at(await calculate({ landingMode: 'dispatch' }), 'calculationId');
    const { postgres } = api.context;
    const row = await postgres.db.one<{ id: number }>(
      sql`SELECT id FROM calculation WHERE public_id = ${id}`,
    );
    await postgres.transaction((tx) => sweepWrites(tx).countCalculations([row.id]));
    expect(refusal(await get(id))).toEqual([404, 'CALCULATION_NOT_FOUND']);
    expect(at(await list({ limit: 1 }), 'items', 0, 'calculationId')).not.toBe(id);
  });

  test('Only a calculation id is accepted as page cursor', async () => {
    expect(refusal(await list({ before: '7' }))).toEqual([400, 'INVALID_FIELD']);
  });
});

test.each([
  ['a dispatch', { landingMode: 'dispatch' }],
  ['a dispatch with what it assumes', { weather: { windSpeed: 8 } }],
  [
    'a landing in flight',
    {
      landingMode: 'inflight',
      weight: { landingWeight: 60_000 },
      weather: { windDirection: 40, windSpeed: 12, gust: 20, vrefAdd: 9 },
      runwayCondition: { state: 'GOOD' },
      configuration: { flap: '30', autobrake: '3', missedApproachClimbGradient: 2.5 },
    },
  ],
  ['a takeoff', { requestType: 'TAKEOFF', weight: { takeoffWeight: 65_000 } }],
  ['a takeoff without a weight', { requestType: 'TAKEOFF', runwayCondition: { state: 'WET' } }],
])('The request of %s can be resent and gets the same answer', async (_, fields) => {
  const user = await api.user();
  const send = (data: object) => api.call('performance', { token: user.token, data });
  const first = await send({ ...request, ...fields });
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  const { body: past } = await get(first.body['calculationId'], user);
  const again = await send(past['request'] as object);
  expect(again.body).not.toHaveProperty('ignored');
  // The URLs of drawings contain the id of their calculation.
  const shown = ({ body: { performance, cautions } }: Answer) => ({
    performance: { ...(performance as object), graphic: null },
    cautions,
  });
  expect(shown(again)).toEqual(shown(first));
});
