/** Input that is not understood is reported in the answer, or refused with the header `X-Strict: 1`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineQuery } from '#api/define.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { importAirports } from '../support/airports.ts';
import { at, refusal } from '../support/answers.ts';

let api: TestApi;
let user: TestUser;
let devKey: string;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  devKey = await api.key();
  await importAirports(api.context, ['KJFK']);
  await api.grant(user, 'EFB_COMMERCIAL_Y');
});
afterAll(() => api.close());

type Fields = Record<string, unknown>;
const strict = { 'X-Strict': '1' };
const call = (query: string, data: unknown, headers: Record<string, string> = {}, body: Fields = {}) =>
  api.call(query, { token: user.token, devKey, data, headers, body });

const landing = (more: Fields = {}): Fields => ({
  requestType: 'LANDING',
  landingMode: 'inflight',
  aircraft: { file: '737-800-7B26' },
  airport: 'KJFK',
  runway: '04L',
  weight: { landingWeight: 60_000 },
  ...more,
});
const waypoint = { latitude: 1, longitude: 2, cruiseLevel: 350 };
const standard = { aircraft: '737-800-7B26', userRegistration: null, virtualAirline: null };

describe('unknown keys reported as cautions', () => {
  const line = 'runwayCondition.condition is not known and was ignored; did you mean runwayCondition.state?';

  test('An unknown key yields the dry distance and is reported', async () => {
    const dry = await call('performance', landing());
    const wrong = await call('performance', landing({ runwayCondition: { condition: 'WET' } }));
    const wet = await call('performance', landing({ runwayCondition: { state: 'WET' } }));
    const distances = 'autobrakeLandingDist';
    expect([dry.status, wrong.status, wet.status]).toEqual([200, 200, 200]);
    expect(at(wrong, 'performance', distances)).toEqual(at(dry, 'performance', distances));
    expect(at(wrong, 'performance', distances)).not.toEqual(at(wet, 'performance', distances));
    expect(at(wrong, 'caution')).toEqual([...(at(dry, 'caution') as string[]), line]);
  });

  test('With X-Strict an unknown key is a 400, and no calculation is charged', async () => {
    const before = at(await call('performance', landing()), 'remainingCalculations');
    const refused = await call('performance', landing({ runwayCondition: { condition: 'WET' } }), strict);
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'INVALID_INPUT',
          details: ['runwayCondition.condition: is not known; did you mean runwayCondition.state?'],
        },
      },
    });
    const after = await call('performance', landing(), strict);
    expect([after.status, at(after, 'remainingCalculations')]).toEqual([200, Number(before) - 1]);
  });

  test('A parameter beside data is reported as well', async () => {
    const beside = { weather: { windSpeed: 20, windDirection: 40 }, client: 'demo' };
    const answer = await call('performance', landing(), {}, beside);
    expect(at(answer, 'caution')).toContain(
      'weather is next to "data" and was ignored; did you mean data.weather?',
    );
    const refused = await call('performance', landing(), strict, beside);
    expect(at(refused, 'error', 'details')).toEqual(['weather: is next to "data"; move it to data.weather']);
  });

  test('Many unknown keys are counted, not listed', async () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key${i}`, i]));
    const { body } = await call('performance', landing({ configuration: many }));
    expect((body['caution'] as string[]).at(-1)).toBe('and 480 more');
  });
});

describe('unknown keys reported as ignored', () => {
  test.each([
    ['weather', { icao: 'KJFK', runways: ['04L'] }, 'runways'],
    ['windAloft', { waypoints: [{ ...waypoint, lat: 5 }] }, 'waypoints.0.lat'],
    ['aircraft', { ...standard, userregistration: 'N1' }, 'userregistration'],
    ['updateProfile', { zz: { length: { toString: 1 } } }, 'zz'],
  ])('%s', async (query, data, path) => {
    const answer = await call(query, data);
    expect(answer.status).toBe(200);
    expect(at(answer, 'ignored')).toEqual([
      expect.stringMatching(new RegExp(`^${path} is not known and was ignored`)),
    ]);
    const refused = await call(query, data, strict);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(`${path}: is not known`);
  });

  test.each([
    ['weather', { icao: 'KJFK' }],
    ['windAloft', { waypoints: [{ ...waypoint, name: 'A', eto: null }] }],
    ['aircraft', standard],
  ])('%s: the member is absent when there is nothing to report, strict or not', async (query, data) => {
    for (const headers of [{}, strict]) {
      const { status, body } = await call(query, data, headers);
      expect([status, Object.hasOwn(body, 'ignored')]).toEqual([200, false]);
    }
  });

  test('Only the value 1 makes a call strict', async () => {
    const answer = await call('weather', { icao: 'KJFK', x: 1 }, { 'X-Strict': '0' });
    expect([answer.status, at(answer, 'ignored')]).toEqual([
      200,
      [expect.stringContaining('x is not known')],
    ]);
  });
});

describe('parameters next to data', () => {
  test('In weather, unknown keys follow the specified text (M-7.m6)', async () => {
    const { status, body } = await call('weather', undefined, {}, { icao: 'KJFK' });
    expect([status, body]).toEqual([
      400,
      {
        Error: [
          { message: 'Missing ICAO.', code: 'MISSING_ICAO' },
          { message: 'icao: is next to "data"; move it to data.icao' },
        ],
      },
    ]);
  });

  test('In form (a) unknown keys are details, regardless of the code', async () => {
    const answer = await call('aircraft', {}, {}, standard);
    expect(refusal(answer)).toEqual([400, 'MISSING_FIELD']);
    expect(at(answer, 'error', 'details')).toEqual(
      Object.keys(standard).map((name) => `${name}: is next to "data"; move it to data.${name}`),
    );
    const without = await call('aircraft', {}, {}, { client: 'demo' });
    expect(at(without, 'error', 'details')).toBeUndefined();
  });

  test('Unknown keys follow the existing details of the code', async () => {
    const answer = await call('performance', { requestType: 'LANDING' }, {}, { airport: 'KJFK' });
    const details = at(answer, 'error', 'details') as string[];
    expect(refusal(answer)).toEqual([400, 'INVALID_INPUT']);
    expect(details).toContain('airport: is required');
    expect(details.at(-1)).toBe('airport: is next to "data"; move it to data.airport');
  });

  test('Where an operation reads both places, no parameter is reported (G-01)', async () => {
    const { email, password } = user;
    const login = (fields: Fields) =>
      api.call('login', { headers: strict, body: { devKey, email, password, ...fields } });
    expect((await login({})).status).toBe(200);
    const refused = await login({ pasword: 'x' });
    expect(refusal(refused)).toEqual([400, 'INVALID_INPUT']);
    expect(at(refused, 'error', 'details')).toEqual(['pasword: is not known; did you mean password?']);
  });
});

test('Browsers may send the header X-Strict (G-38)', async () => {
  const preflight = await api.fetch('/api', {
    method: 'OPTIONS',
    headers: { origin: 'https://efb.example', 'access-control-request-method': 'POST' },
  });
  expect(preflight.headers.get('access-control-allow-headers')).toMatch(/\bX-Strict\b/);
});

test('Unknown keys are reported in the output member that exists for them', () => {
  const common = {
    name: 'x',
    spec: [],
    summary: 'X.',
    auth: 'none',
    devKey: null,
    dialect: 'bare',
    errors: {},
    input: z.object({}),
    tx: 'read',
  } as const;
  const memberOf = (shape: Record<string, z.ZodType>) =>
    defineQuery({ ...common, output: z.strictObject(shape), handler: () => Promise.resolve({}) }).unknownKeys;
  expect(memberOf({ ...ignoredField, a: z.int() })).toBe('ignored');
  expect(memberOf({ caution: z.array(z.string()) })).toBe('caution');
  expect(memberOf({ a: z.int() })).toBeUndefined();
});
