import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { Answer, TestApi, TestUser } from '#test/api.ts';
import { addSeconds, wireTime } from '#domain/time.ts';
import { importAirports } from '#test/support/airports.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let pro: TestUser;
let preview: TestUser;

beforeAll(async () => {
  api = await testApi();
  pro = await api.user();
  preview = await api.user();
  await importAirports(api.context, ['KJFK', 'KBOS', 'KDCA', 'KASE']);
  await api.grant(pro, 'EFB_PRO_M');
});
afterAll(() => api.close());

const base = {
  requestType: 'LANDING',
  units: { distance: 'meter' },
  aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
  airport: 'KJFK',
  runway: '04L',
};
const airbus = { ...base, aircraft: { ...base.aircraft, file: 'A320-251N' } };
const inflight = { ...base, landingMode: 'inflight', weight: { landingWeight: 60_000 } };

const perform = (data: unknown, user: TestUser = pro) => api.call('performance', { token: user.token, data });

type Result = Record<string, number | string | boolean | null> & {
  autobrakeLandingDist: Record<string, number | boolean | string>[];
  graphic: Record<string, Record<'svg' | 'png' | 'jpg', string>>;
  balkedLandingProcedure?: Record<string, unknown>;
  runwayExits: unknown[];
};
const resultOf = (answer: Answer): Result => {
  expect(answer, JSON.stringify(answer.body)).toMatchObject({
    status: 200,
    body: { calculationPossible: true },
  });
  return answer.body['performance'] as Result;
};

describe('dispatch, successful calls', () => {
  test('The answer has the common fields (M-2.9.c1, M-2.9.c2, M-2.9.c3, M-2.9.c4, M-2.9.c6, M-2.9.c7, M-2.9.c8, M-2.9.c9, M-2.9.c10, M-2.9.c11, M-2.9.g1, M-2.9.g2, M-2.9.g3, M-2.9.g4)', async () => {
    const { body } = await perform(base);
    expect(body).toMatchObject({
      apiVersion: '1.3.6',
      calculationPossible: true,
      subCalculation: 'LANDING_DISPATCH',
      units: { weight: 'kg', distance: 'meter', altitude: 'feet', wind: 'kt', depth: 'mm' },
      caution: expect.any(Array),
      copyright: expect.any(String),
      disclaimer: expect.any(String),
      remainingCalculations: expect.any(Number),
      extraCalculations: 0,
      performance: { flap: expect.any(String), lda: expect.any(Number), isNOTAM: false, runwayIdent: '04L' },
    });
    expect(body).not.toHaveProperty('error');
  });

  test('The answer has weights, speeds and the required distance (M-2.9.w1, M-2.9.w2, M-2.9.w3, M-2.9.w4, M-2.9.w5, M-2.9.w6, M-2.9.w7, M-2.9.w8, M-2.9.w9, M-2.9.w10, M-2.9.w11, M-2.9.w12, M-2.9.d1, M-2.9.v1, M-2.9.v2, M-2.9.v3, M-2.9.v4, M-2.9.v5, M-2.9.ga1, M-2.9.ga2)', async () => {
    for (const request of [base, airbus]) {
      const result = resultOf(await perform(request));
      const limits = ['appClimbLimit', 'fieldLimit', 'ldgClimbLimit', 'tireSpeed'].map((name) =>
        Number(result[name] ?? Infinity),
      );
      expect(result['perfLimitedLandingWeight']).toBe(Math.min(...limits));
      expect(Number(result['landingWeight'])).toBeLessThanOrEqual(Number(result['structLandingWeight']));
      expect(['STRUCT.', 'MACG', 'FIELD', 'CLIMB', 'QUICK', 'TIRE']).toContain(result['limitedBy']);
      expect(result['isOverweightLanding']).toBe(false);
      expect(Number(result['requiredLandingDist'])).toBeGreaterThan(1_000);
      expect(Number(result['requiredLandingDist'])).toBeLessThanOrEqual(Number(result['lda']));
      expect(result).toHaveProperty('quickTurnWeight');
      expect(result).toHaveProperty('quickTurnTime');
      const { vRef, vFly, vApp } = result as Record<string, number>;
      expect(vRef).toBeGreaterThan(110);
      expect(vFly).toBeGreaterThanOrEqual(vRef ?? 0);
      expect(vApp).toBe(vFly);
      expect(result['vMca']).toEqual(expect.any(Number));
      expect(result['vrefLabel']).toEqual(expect.any(String));
      expect(Number(result['ldgGaClimbGrad'])).toBeGreaterThan(0);
      expect(Number.isInteger(result['goAroundAltitude'])).toBe(true);
    }
  });

  test('Factored and actual distance, balked landing and drawing are only for family A (M-2.9.d2, M-2.9.b7, M-2.9.x4)', async () => {
    const a = resultOf(await perform(airbus));
    expect(Number(a['factoredLandingDistance'])).toBeCloseTo(Number(a['actualLandingDistance']) * 1.15, -1);
    expect(a.balkedLandingProcedure).toBeDefined();
    expect(Object.keys(a.graphic).sort()).toEqual(['dispatch', 'factored', 'unfactored']);
    const b = resultOf(await perform(base));
    for (const name of [
      'factoredLandingDistance',
      'actualLandingDistance',
      'balkedLandingProcedure',
      'graphic',
    ]) {
      expect(b).not.toHaveProperty(name);
    }
  });

  test('A short runway is field-limited, and pounds and feet give the same weights and distances', async () => {
    const short = resultOf(
      await perform({ ...base, airport: 'KDCA', runway: '15', runwayCondition: { state: 'WET' } }),
    );
    expect(short['limitedBy']).toBe('FIELD');
    expect(short['landingWeight']).toBe(short['fieldLimit']);
    const imperial = resultOf(
      await perform({
        ...base,
        airport: 'KDCA',
        runway: '15',
        runwayCondition: { state: 'WET' },
        units: { weight: 'lb', distance: 'feet' },
      }),
    );
    expect(Number(imperial['landingWeight']) / Number(short['landingWeight'])).toBeCloseTo(2.20462, 3);
    expect(Number(imperial['lda']) / Number(short['lda'])).toBeCloseTo(3.28084, 2);
  });
});

describe('in flight, successful calls', () => {
  test('Each brake mode has one row, the shortest distance first (M-2.9.ab1, M-2.9.ab2, M-2.9.ab3, M-2.9.ab4, M-2.9.ab5, M-2.9.ab6, M-2.9.ab7, M-2.9.ab8, M-2.9.ab9, M-2.9.ab10, M-2.9.ab11, M-2.9.ab12, M-2.9.x1, M-2.9.x2, M-2.9.v6, M-2.9.w1, M-2.9.b7)', async () => {
    for (const request of [
      inflight,
      { ...airbus, landingMode: 'inflight', weight: { landingWeight: 62_000 } },
    ]) {
      const result = resultOf(await perform(request));
      expect(result['landingWeight']).toBe(request.weight.landingWeight);
      const rows = result.autobrakeLandingDist;
      expect(rows.length).toBeGreaterThanOrEqual(3);
      const factored = rows.map((row) => Number(row['factoredDistance']));
      expect(factored).toEqual([...factored].sort((x, y) => x - y));
      for (const row of rows) {
        expect(row).toMatchObject({
          label: expect.any(String),
          autobrakeValue: expect.any(String),
          order: expect.any(Number),
        });
        expect(Number(row['airDistance'])).toBeGreaterThan(200);
        expect(Number(row['unfactoredDistance']) / Number(row['landingDistance'])).toBeCloseTo(0.85, 2);
        for (const name of ['landingDistance', 'factoredDistance', 'unfactoredDistance']) {
          expect(row[`${name}IsAboveLDA`]).toBe(Number(row[name]) > Number(result['lda']));
        }
      }
      expect(result).toHaveProperty('nonNormalCondition', null);
      expect(Array.isArray(result.runwayExits)).toBe(true);
      expect(Number.isInteger(result['vrefAdditive'])).toBe(true);
      expect(result.balkedLandingProcedure).toMatchObject({
        isCalculationRequired: false,
        maxLandingWeight: null,
      });
    }
  });

  test('A landing distance computed from the runway length adds a caution, a declared one does not', async () => {
    const cautions = async () => {
      const answer = await perform(base);
      resultOf(answer);
      return answer.body['caution'] as string[];
    };
    const text =
      'The landing distance available was computed from runway length and displaced threshold; there is no declared distance.';
    expect(await cautions()).not.toContain(text);
    const { db } = api.context.postgres;
    const official = await db.one<{ source: string }>(
      sql`SELECT lda_source AS source FROM runway_end WHERE icao = 'KJFK' AND ident = '04L'`,
    );
    const setSource = (source: string) =>
      runSql(api.context.postgres)`
        UPDATE runway_end SET lda_source = ${source} WHERE icao = 'KJFK' AND ident = '04L'`;
    await setSource('derived');
    expect(await cautions()).toContain(text);
    await setSource(official.source);
    expect(await cautions()).not.toContain(text);
  });

  test('An overweight landing is calculated with a caution (M-2.9.w13, M-2.8.r3)', async () => {
    const answer = await perform({ ...inflight, weight: { landingWeight: 70_000 } });
    expect(resultOf(answer)['isOverweightLanding']).toBe(true);
    expect((answer.body['caution'] as string[]).join(' ')).toMatch(/structural landing weight|overweight/i);
  });

  test('An arrival assessment is added to the answer on request, and stored with it', async () => {
    const answer = await perform({ ...inflight, assess: true });
    const { assessment } = resultOf(answer) as unknown as { assessment: Record<string, unknown[]> };
    expect(assessment['codes']).toHaveLength(6);
    expect(assessment['sensitivity']).toHaveLength(6);
    expect(resultOf(await perform(inflight))).not.toHaveProperty('assessment');
    const { stored } = await api.context.postgres.db.one<{ stored: unknown }>(sql`
      SELECT result -> 'performance' -> 'assessment' AS stored
        FROM calculation WHERE public_id = ${answer.body['calculationId']}`);
    expect(stored).toEqual(assessment);
  });

  test('Family A has vAppDetails (M-2.9.va1, M-2.9.va2, M-2.9.va3, M-2.9.va4, M-2.9.va5, M-2.9.va6)', async () => {
    const request = {
      ...airbus,
      landingMode: 'inflight',
      weight: { landingWeight: 62_000 },
      weather: { headwind: 21 },
    };
    const { vAppDetails } = resultOf(await perform(request)) as unknown as {
      vAppDetails: Record<string, number>;
    };
    expect(vAppDetails['approachCorrection']).toBe(
      Math.max(
        vAppDetails['deltaWind'] ?? 0,
        vAppDetails['athrOn'] ?? 0,
        vAppDetails['deltaIceAccretion'] ?? 0,
      ),
    );
    expect(vAppDetails).toMatchObject({ deltaIceAccretion: 0, vPilot: 0, deltaWind: 7 });
    expect(vAppDetails['totalVrefCorrection']).toBe(
      (vAppDetails['approachCorrection'] ?? 0) + (vAppDetails['vPilot'] ?? 0),
    );
    expect(resultOf(await perform(inflight))).not.toHaveProperty('vAppDetails');
  });

  test('A 20 kt tailwind is refused as outside the limits, and nothing is charged', async () => {
    const before = (await perform(inflight)).body['remainingCalculations'];
    const answer = await perform({ ...inflight, weather: { headwind: -40 } });
    expect(answer.status).toBe(200);
    const after = (await perform(inflight)).body['remainingCalculations'];
    const charged = answer.body['calculationPossible'] === true ? 2 : 1;
    expect(after).toBe(Number(before) - charged);
  });

  test('Inputs outside calculationLimit are refused as not possible with the reason, and not charged (M-2.8.r4, M-2.9.c5, M-7.x3)', async () => {
    const before = Number((await perform(inflight)).body['remainingCalculations']);
    for (const weather of [{ temperature: 70 }, { temperature: -70 }, { qnh: 1100 }, { qnh: 850 }]) {
      const answer = await perform({ ...inflight, weather });
      expect(answer).toMatchObject({
        status: 200,
        body: { calculationPossible: false, calculationId: null },
      });
      expect((answer.body['error'] as string[]).length).toBeGreaterThan(0);
      expect(answer.body['remainingCalculations']).toBe(before);
    }
  });
});

describe('what a calculation stores', () => {
  test('The answer has six URLs: the SVG is available at once, a PNG without a worker is 503 with Retry-After, unknown names are 404 (M-2.9.x3)', async () => {
    const answer = await perform(inflight);
    const result = resultOf(answer);
    const urls = [result.graphic['factored'], result.graphic['unfactored']].flatMap((picture) =>
      Object.values(picture ?? {}),
    );
    expect(new Set(urls).size).toBe(6);
    const path = new URL(urls[0] ?? '').pathname;
    const drawn = await api.fetch(path);
    expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
    const started = performance.now();
    const waiting = await api.fetch(path.replace('.svg', '.png'));
    expect([waiting.status, waiting.headers.get('retry-after')]).toEqual([503, '1']);
    expect(performance.now() - started).toBeGreaterThan(4_500);
    const night = (answer.body['graphicDark'] as Result['graphic'])['factored']?.svg ?? '';
    expect(await (await api.fetch(new URL(night).pathname)).text()).not.toContain('prefers-color-scheme');
    expect((await api.fetch(path.replace('factored', 'other'))).status).toBe(404);
    expect((await api.fetch(path.replace('factored', 'dispatch'))).status).toBe(404);
    expect((await api.fetch(path.replace('.svg', '.gif'))).status).toBe(404);
    expect((await api.fetch(`/graphics/${crypto.randomUUID()}/factored.svg`)).status).toBe(404);
  });

  test('The calculation is stored with the data of its drawings, and nothing is drawn until requested', async () => {
    const { body } = await perform(inflight);
    const row = await api.context.postgres.db.one<Record<string, unknown>>(sql`
      SELECT kind, profile, airport, log_id, drawing FROM calculation WHERE public_id = ${body['calculationId']}`);
    expect(row).toMatchObject({
      kind: 'landingEnroute',
      profile: '737-800-7B26',
      airport: 'KJFK',
      logId: expect.any(Number),
      drawing: { variant: '737-800', displacedM: expect.any(Number), lengthM: expect.any(Number) },
    });
    const jobs = await api.context.postgres.db.any(sql`
      SELECT data FROM pgboss.job WHERE data::text LIKE ${`%${String(body['calculationId'])}%`}`);
    expect(jobs).toEqual([]);
  });
});

describe('errors', () => {
  const codeOf = async (data: unknown, user?: TestUser) => {
    const answer = await perform(data, user);
    return [answer.status, (answer.body['error'] as { code: string }).code];
  };

  test('Each invalid field is named by 400 INVALID_INPUT (M-4.7.r1)', async () => {
    const answer = await perform({
      ...inflight,
      units: { weight: 'stone' },
      weather: { temperature: 'warm' },
      configuration: { flap: true },
    });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_INPUT' } } });
    const { details } = answer.body['error'] as { details: string[] };
    for (const field of ['units.weight', 'weather.temperature', 'configuration.flap']) {
      expect(details.some((line) => line.startsWith(field))).toBe(true);
    }
    const option = await perform({
      ...inflight,
      configuration: { flap: '99', reverser: 'SOME' },
      runwayCondition: { state: 'LAVA' },
    });
    expect(option).toMatchObject({ status: 400, body: { error: { code: 'INVALID_INPUT' } } });
    expect((option.body['error'] as { details: string[] }).details).toHaveLength(3);
    expect(await codeOf({ ...base, landingMode: 'inflight' })).toEqual([400, 'INVALID_INPUT']);
    expect(await codeOf({})).toEqual([400, 'INVALID_INPUT']);
  });

  test('Unknown and closed objects are 404 AIRPORT_NOT_FOUND, RUNWAY_NOT_FOUND, AIRCRAFT_NOT_FOUND or RUNWAY_CLOSED', async () => {
    expect(await codeOf({ ...base, airport: 'QQQQ' })).toEqual([404, 'AIRPORT_NOT_FOUND']);
    expect(await codeOf({ ...base, runway: '18' })).toEqual([404, 'RUNWAY_NOT_FOUND']);
    expect(await codeOf({ ...base, runway: 'nonsense' })).toEqual([404, 'RUNWAY_NOT_FOUND']);
    const bodyOf = async (change: object) => (await perform({ ...base, ...change })).body;
    expect(await bodyOf({ airport: 'KJKF' })).toMatchObject({ nearest: ['KJFK'] });
    expect(await bodyOf({ runway: '13' })).toMatchObject({
      nearest: ['13L', '13R'],
      offered: ['04L', '04R', '13L', '13R', '22L', '22R', '31L', '31R'],
    });
    expect(await bodyOf({ aircraft: { file: '737-800-7B2' } })).toMatchObject({
      nearest: expect.arrayContaining(['737-800-7B26']) as string[],
      offered: expect.arrayContaining(['A320-251N']) as string[],
    });
    const registration = { ...base.aircraft, userRegistration: 'D-ABCD' };
    expect(await bodyOf({ aircraft: registration })).toMatchObject({ nearest: [], offered: [] });
    expect(await codeOf({ ...base, aircraft: { file: 'Concorde' } })).toEqual([404, 'AIRCRAFT_NOT_FOUND']);
    expect(await codeOf({ ...base, aircraft: { ...base.aircraft, userRegistration: 'D-ABCD' } })).toEqual([
      404,
      'AIRCRAFT_NOT_FOUND',
    ]);
    await runSql(api.context.postgres)`
      UPDATE runway_end SET is_closed = true WHERE icao = 'KBOS' AND ident = '04L'`;
    expect(await codeOf({ ...base, airport: 'KBOS' })).toEqual([404, 'RUNWAY_CLOSED']);
  });

  test('A preview user gets 403 AIRPORT_NOT_ALLOWED, FEATURE_NOT_IN_SUBSCRIPTION or CALCULATION_LIMIT_REACHED (M-2.8.r5, M-4.7.r4)', async () => {
    expect(await codeOf({ ...base, airport: 'KASE', runway: '15' }, preview)).toEqual([
      403,
      'AIRPORT_NOT_ALLOWED',
    ]);
    const features = [
      { notam: { shortenStart: 100 } },
      { inopItems: { mel: ['x'] } },
      { inopItems: { cdl: ['x'] } },
      {
        landingMode: 'inflight',
        weight: { landingWeight: 60_000 },
        configuration: { nonNormalCondition: 'x' },
      },
      { assess: true },
    ];
    for (const feature of features) {
      const answer = await perform({ ...base, ...feature }, preview);
      expect(answer).toMatchObject({
        status: 403,
        body: { error: { code: 'FEATURE_NOT_IN_SUBSCRIPTION' }, feature: expect.any(String) },
      });
    }
    for (let i = 10; i > 0; i -= 1) {
      expect((await perform(base, preview)).body['remainingCalculations']).toBe(i - 1);
    }
    const availableAt = wireTime(addSeconds(api.context.clock.now(), 30 * 86_400));
    const body = { error: { code: 'CALCULATION_LIMIT_REACHED' }, availableAt };
    expect(await perform(base, preview)).toMatchObject({ status: 403, body });
    api.context.clock.advance(30 * 86_400);
    const { token } = (
      await api.call('login', {
        devKey: await api.key(),
        data: { email: preview.email, password: preview.password },
      })
    ).body;
    const later = await api.call('performance', { token: String(token), data: base });
    expect(later.body['remainingCalculations']).toBe(9);
  });

  test('Concurrent calls never exceed the allowance (G-33)', async () => {
    const hurried = await api.user();
    const answers = await Promise.all(Array.from({ length: 25 }, () => perform(base, hurried)));
    const counters = answers.flatMap(({ status, body }) =>
      status === 200 ? [Number(body['remainingCalculations'])] : [],
    );
    expect(counters.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await codeOf(base, hurried)).toEqual([403, 'CALCULATION_LIMIT_REACHED']);
    const refused = answers.filter(({ status }) => status === 403).map(({ body }) => body['availableAt']);
    const availableAt = wireTime(addSeconds(api.context.clock.now(), 30 * 86_400));
    expect(refused).toEqual(Array.from({ length: 15 }, () => availableAt));
  });

  test('A call without a token is 401 AUTH_REQUIRED', async () => {
    expect((await api.call('performance', { data: base })).status).toBe(401);
  });
});
