import { afterAll, beforeAll, expect, test } from 'vitest';
import { datisWrites } from '#store/postgres/weather/datis.ts';
import type { NetworkAAtisRecord, NetworkBAtisRecord } from '#domain/weather/datis.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';

let api: TestApi;
let user: TestUser;
let key: string;

const a = (callsign: string, sessionId: number): NetworkAAtisRecord => ({
  icao: callsign.slice(0, 4),
  frequency: '118.700',
  timestamp: '2026-09-16T11:48:13.000Z',
  atis: ['Tower', 'Information Q'],
  callsign,
  revision: 'Q',
  sessionId,
});
const b = (callsign: string): NetworkBAtisRecord => ({
  icao: callsign.slice(0, 4),
  frequency: '127.750',
  atis: ['ATIS INFO E', '0754Z'],
  callsign,
  atisCode: 'E',
});

const store = (networkA: NetworkAAtisRecord[] | null, networkB: NetworkBAtisRecord[] | null) =>
  api.context.postgres.transaction((tx) =>
    datisWrites(tx).store(networkA, networkB, api.context.clock.now()),
  );

const weather = async (icao: string) =>
  (await api.call('weather', { token: user.token, devKey: key, data: { icao } })).body;

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  key = await api.key({ weather: true });
});
afterAll(() => api.close());

test('The answer has both networks in order (M-2.11.f4, M-2.11.f5, M-2.11.a1, M-2.11.a2, M-2.11.a3, M-2.11.a4, M-2.11.a5, M-2.11.a6, M-2.11.a7, M-2.11.b1, M-2.11.b2, M-2.11.b3, M-2.11.b4, M-2.11.b5)', async () => {
  await store([a('LFBH_APP', 7), a('LFBH_TWR', 8)], [b('LFBH_D_ATIS'), b('LFBH_A_ATIS'), b('KMEM_ATIS')]);
  const body = await weather('LFBH');
  expect(body['networkADAtis']).toEqual([
    {
      frequency: '118.700',
      timestamp: '2026-09-16T11:48:13.000Z',
      atis: ['Tower', 'Information Q'],
      callsign: 'LFBH_TWR',
      revision: 'Q',
      sessionId: 8,
      order: 0,
    },
    expect.objectContaining({ callsign: 'LFBH_APP', sessionId: 7, order: 1 }),
  ]);
  expect(body['networkBDAtis']).toEqual([
    {
      frequency: '127.750',
      atis: ['ATIS INFO E', '0754Z'],
      callsign: 'LFBH_A_ATIS',
      atisCode: 'E',
      order: 0,
    },
    expect.objectContaining({ callsign: 'LFBH_D_ATIS', order: 1 }),
  ]);
});

test('The answer is null without a connected controller, an ATIS disappears with its controller, and networks are independent (M-2.11.f6)', async () => {
  expect(await weather('KMEM')).toMatchObject({ networkADAtis: null, networkBDAtis: [{ order: 0 }] });
  await store([], null);
  expect(await weather('LFBH')).toMatchObject({ networkADAtis: null, networkBDAtis: [{}, {}] });
  await store(null, [b('KMEM_ATIS')]);
  expect(await weather('LFBH')).toMatchObject({ networkADAtis: null, networkBDAtis: null });
});

test('An ATIS not confirmed by any run for an hour is not shown as current', async () => {
  api.context.clock.advance(3_599);
  expect((await weather('KMEM'))['networkBDAtis']).toHaveLength(1);
  api.context.clock.advance(2);
  expect((await weather('KMEM'))['networkBDAtis']).toBeNull();
});
