import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { navdataWrites } from '#store/postgres/navdata/navdata.ts';
import type { NavPoint } from '#domain/navdata/types.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let user: TestUser;
let key: string;

const point = (ident: string, change: Partial<NavPoint> = {}): NavPoint => ({
  ident,
  name: `${ident} name`,
  band: 'point',
  frequencyMhz: null,
  latitudeDeg: 50,
  longitudeDeg: 8,
  region: 'ED',
  ...change,
});

const ask = (data: unknown, options: { token?: string | undefined; key?: string | undefined } = {}) => {
  const { token, key: devKey } = { token: user.token, key, ...options };
  return api.call('navdataSearch', {
    data,
    ...(token === undefined ? {} : { token }),
    ...(devKey === undefined ? {} : { body: { dev_key: devKey } }),
  });
};
const found = async (data: unknown) => {
  const { status, body } = await ask(data);
  expect([status, body['Success']]).toEqual([200, true]);
  return body['navdata'] as Record<string, unknown>[];
};
const idents = async (data: unknown) => (await found(data)).map((item) => item['ident']);

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  key = await api.key({ efb: true });
  const { code } = await api.context.postgres.db.one<{ code: string }>(
    sql`SELECT code FROM product WHERE level >= 1 ORDER BY level LIMIT 1`,
  );
  await api.grant(user, code);
  const many = Array.from({ length: 260 }, (_, i) => point(`QQ${String(i).padStart(3, '0')}`));
  const points = [
    point('ABB', { latitudeDeg: 52 }),
    point('ABB', { latitudeDeg: 51 }),
    point('AB', { band: 'vhf', frequencyMhz: 113.6 }),
    point('ABCDE'),
    point('AC'),
  ];
  await api.context.postgres.transaction((tx) =>
    navdataWrites(tx).store(
      { source: 'xplane_fix', cycle: '2609', points: [...points, ...many], airways: [], rejects: [] },
      { at: api.context.clock.now() },
    ),
  );
});
afterAll(() => api.close());

describe('navdataSearch, successful calls', () => {
  test('A hit has every field (M-2.12.n1, M-2.12.n2, M-2.12.n3, M-2.12.n4, M-2.12.n5, M-2.12.n6, M-2.12.n7, M-2.12.n8, M-2.12.n9, M-2.12.n10, M-2.12.n11, M-2.12.o1, M-2.12.o2, M-2.12.o3, M-2.12.o4, M-2.12.o5, M-4.7.q7b)', async () => {
    const { status, body } = await ask({ ident: ' ab ' });
    expect(status).toBe(200);
    const item = {
      id: expect.any(Number) as number,
      latitude: 50,
      longitude: 8,
      airway: null,
      cycle: '2609',
      cyclePeriod: '2026-09-03/2026-10-01',
    };
    expect(body).toEqual({
      Success: true,
      Api_Version: '1.3.6',
      query: 'AB',
      count: 4,
      navdata: [
        { ...item, ident: 'AB', name: 'AB name', frequency: 113.6, type: 'NAVAID' },
        { ...item, ident: 'ABB', name: 'ABB name', latitude: 51, frequency: null, type: 'WAYPOINT' },
        { ...item, ident: 'ABB', name: 'ABB name', latitude: 52, frequency: null, type: 'WAYPOINT' },
        { ...item, ident: 'ABCDE', name: 'ABCDE name', frequency: null, type: 'WAYPOINT' },
      ],
    });
  });

  test('Exact and prefix matches are found in order (M-4.7.q7c, M-4.7.q7e)', async () => {
    expect(await idents({ ident: 'ab', exact: true })).toEqual(['AB']);
    expect(await idents({ ident: 'A' })).toEqual(['AB', 'ABB', 'ABB', 'ABCDE', 'AC']);
    expect(await idents({ ident: 'ABCDE' })).toEqual(['ABCDE']);
    expect(await idents({ ident: 'ZZ' })).toEqual([]);
    expect(await idents({ ident: "A'%_" })).toEqual([]);
  });

  test('An airport code that is neither navaid nor waypoint is shown with the airport', async () => {
    await importAirports(api.context, ['KJFK', 'KLGA', 'KEWR']);
    await runSql(api.context.postgres)`UPDATE airport SET iata = substr(icao, 2)`;
    const hintFor = async (ident: string) => (await ask({ ident })).body['hint'];
    expect(await hintFor('kjfk')).toMatch(
      /^no navaid or waypoint is named KJFK, but an airport has this code: KJFK \(.+\); ask the query airport$/,
    );
    expect(await hintFor('LGA')).toMatch(/KLGA \(/);
    expect(await hintFor('ZZ')).toBeUndefined();
    expect(await hintFor('AB')).toBeUndefined();
  });

  test.each([
    [undefined, 50],
    [0, 1],
    [-7, 1],
    [999, 200],
    [7, 7],
  ])('A limit of %s gives %s (M-4.7.q7d, M-8.25)', async (limit, count) => {
    expect(await idents({ ident: 'Q', limit })).toHaveLength(count);
  });

  test('A cycle loaded early is not searched before its first day', async () => {
    await api.context.postgres.transaction((tx) =>
      navdataWrites(tx).store(
        {
          source: 'xplane_fix',
          cycle: '2610',
          points: [point('NEW'), ...Array.from({ length: 200 }, (_, i) => point(`QN${i}`))],
          airways: [],
          rejects: [],
        },
        // Far smaller than the current set, so it is refused unless forced.
        { at: api.context.clock.now(), refuse: () => undefined },
      ),
    );
    expect(await idents({ ident: 'NEW' })).toEqual([]);
    expect(await idents({ ident: 'AC' })).toEqual(['AC']);
  });
});

describe('errors are sent with HTTP 200 in form (b)', () => {
  const refused = async (answer: ReturnType<typeof ask>) => {
    const { status, body } = await answer;
    expect(status).toBe(200);
    return body;
  };
  // The answer may have a hint next to the contract's message.
  const error = (message: string, more: object = {}) => ({
    Error: [expect.objectContaining({ message, code: expect.stringMatching(/^[A-Z_]+$/), ...more })],
  });

  test('A missing or invalid token is refused (M-7.m1)', async () => {
    const expected = error('Authentication required.');
    expect(await refused(ask({ ident: 'A' }, { token: undefined }))).toEqual(expected);
    expect(await refused(ask({ ident: 'A' }, { token: 'wrong' }))).toEqual(expected);
  });

  test('A key without EFB permission and an unknown key are refused (M-7.m2, M-4.7.q7a)', async () => {
    const expected = error('EFB access not available for your Developer Key.');
    const other = await api.key({ weather: true });
    for (const tried of [other, 'unknown'])
      expect(await refused(ask({ ident: 'A' }, { key: tried }))).toEqual(expected);
  });

  test('The key must be sent with the call, since the key used at login does not count (M-2.1.2b, A-26)', async () => {
    const { email, password } = user;
    const { body } = await api.call('login', { data: { email, password }, devKey: key });
    const token = String(body['token']);
    const hint = 'the call has no developer key; send it as X-Dev-Key';
    expect(await refused(ask({ ident: 'A' }, { token, key: undefined }))).toEqual(
      error('EFB access not available for your Developer Key.', { hint }),
    );
    expect((await ask({ ident: 'A' }, { token })).body['Success']).toBe(true);
  });

  test('An account without a subscription is refused (M-7.m3, M-5.4)', async () => {
    const free = await api.user();
    expect(await refused(ask({ ident: 'A' }, { token: free.token }))).toEqual(
      error('This feature requires an active subscription (level 1 or higher).'),
    );
  });

  test('A missing or too long ident is refused (M-7.m4, M-7.m5, M-8.25)', async () => {
    for (const data of [{}, { ident: '' }, { ident: '  ' }, { ident: null }, { ident: 5 }, undefined])
      expect(await refused(ask(data))).toEqual(error('Missing required field: ident.'));
    expect(await refused(ask({ ident: 'ABCDEF' }))).toEqual(
      error('Invalid ident: maximum length is 5 characters.'),
    );
  });
});
