import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { importAirports } from '#test/support/airports.ts';

let api: TestApi;
let user: TestUser;
let pro: TestUser;

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  pro = await api.user();
  await api.grant(pro, 'EFB_PRO_Y');
  await importAirports(api.context, ['KJFK', 'KDCA']);
});
afterAll(() => api.close());

type Fields = Record<string, unknown>;
const load = (file: string, who: TestUser = user) =>
  api.call('aircraft', {
    token: who.token,
    data: { aircraft: file, userRegistration: null, virtualAirline: null },
  });

describe('aircraft, successful calls', () => {
  test('The answer has all sections and the airports of the subscription (M-2.8.a1, M-2.8.a2, M-2.8.a3, M-2.8.a4, M-2.8.a5, M-2.8.a6, M-2.8.a7, M-2.8.a8, M-2.8.a9, M-2.8.a10, M-2.8.a11, M-2.8.a12, M-2.8.a13, M-2.8.a14, M-2.8.a15, M-2.8.r5)', async () => {
    const { status, body } = await load('737-800-7B26');
    expect(status).toBe(200);
    expect(Object.keys(body['aircraft'] as Fields).sort()).toEqual([
      'calculationLimit',
      'checklists',
      'formData',
      'landing',
      'model',
      'profile',
      'takeoff',
      'weight',
    ]);
    expect(body).toMatchObject({ apiVersion: '1.3.6', remainingCalculations: 10, extraCalculations: 0 });
    expect(body['availableAirport']).toEqual([
      { icao: 'KJFK', iata: null, name: expect.any(String), longuestRunwayLength: expect.any(Number) },
    ]);
    const all = (await load('737-800-7B26', pro)).body;
    expect((all['availableAirport'] as Fields[]).map(({ icao }) => icao)).toEqual(['KDCA', 'KJFK']);
  });

  test('Weights are in kg, limits in degrees C and hPa, and plausible on every profile (M-2.8.w1, M-2.8.w2, M-2.8.w3, M-2.8.w4, M-2.8.w5, M-2.8.w6, M-2.8.w7, M-2.8.w8, M-2.8.c1, M-2.8.c2, M-2.8.c3, M-2.8.c4, M-2.8.r1)', async () => {
    const { body } = await api.call('allowedAircrafts', { token: user.token });
    for (const { profile } of body['availableAircraft'] as { profile: { file: string } }[]) {
      const { aircraft } = (await load(profile.file)).body as {
        aircraft: {
          weight: Record<string, number | boolean | null>;
          calculationLimit: Record<string, number>;
        };
      };
      const { oew, mzfw, mslw, mstow, msrw } = aircraft.weight as Record<string, number>;
      expect(Number(oew)).toBeGreaterThan(20_000);
      expect([oew, mzfw, mslw, mstow, msrw].map(Number)).toEqual(
        [oew, mzfw, mslw, mstow, msrw].map(Number).sort((a, b) => a - b),
      );
      expect(typeof aircraft.weight['isFlexibleTOW']).toBe('boolean');
      expect(aircraft.weight).toHaveProperty('flexibleTOW');
      expect(aircraft.weight).toHaveProperty('performanceLimitedWeight');
      const { maxTemperatureC, minTemperatureC, maxQNHhPa, minQNHhPa } = aircraft.calculationLimit;
      expect([
        Number(minTemperatureC) < -30,
        Number(maxTemperatureC) > 45,
        Number(minQNHhPa) < 950,
        Number(maxQNHhPa) > 1040,
      ]).toEqual([true, true, true, true]);
    }
  });

  test('Takeoff and landing blocks have crosswind tables (M-2.8.t1, M-2.8.t2, M-2.8.t3, M-2.8.t4, M-2.8.t5, M-2.8.t6, M-2.8.t7, M-2.8.t8, M-2.8.t9, M-2.8.t10, M-2.8.l1, M-2.8.l2, M-2.8.l3, M-2.8.l4, M-2.8.l5, M-2.8.l6, M-2.8.l7, M-2.8.l8, M-2.8.l9, M-2.8.l10, M-2.8.l11, M-2.8.x1, M-2.8.x2, M-2.8.x3, M-2.8.x4, M-2.8.x5, M-2.8.x6, M-2.8.x7, M-2.8.x8, M-2.8.x9)', async () => {
    for (const file of ['737-800-7B26', 'A320-251N']) {
      const { takeoff, landing } = (await load(file)).body['aircraft'] as {
        takeoff: Fields;
        landing: Fields;
      };
      for (const name of ['n1label', 'isCGAvailable', 'useAlternateCG', 'useAlternateN1', 'isN1displayed'])
        expect(takeoff).toHaveProperty(name);
      for (const name of [
        'vrefFlapRef',
        'vrefAdditiveDefault',
        'vrefAdditiveMax',
        'assumedAirDistanceRef',
        'displayResultUnfactoredLandingDistances',
        'autolandFlapsOption',
        'useAlternateCG',
        'vrefLabel',
      ]) {
        expect(landing).toHaveProperty(name);
      }
      expect(landing['brakeCooling']).toMatchObject({
        isBrakeCoolingActive: expect.any(Boolean),
        userTurnaroundTime: null,
      });
      for (const block of [takeoff, landing]) {
        const limit = block['windLimit'] as Fields;
        for (const name of ['headwind', 'tailwind', 'windshearWarningFCTM', 'windshearRecommendedFlaps'])
          expect(limit).toHaveProperty(name);
        const rows = limit['crosswindLimitsPerRunwayConditions'] as Fields[];
        expect(rows.length).toBeGreaterThanOrEqual(5);
        for (const row of rows) {
          expect(Object.keys(row).sort()).toEqual(
            [
              'increaseableWindLimit',
              'increaseableWindLimitAftCG',
              'increaseableWindLimitFwdCG',
              'increaseableWindLimitRunwayMinimumFlaps',
              'increaseableWindLimitRunwayWidth',
              'increaseableWindLimitText',
              'increaseableWindLimitValue',
              'runwayCondition',
              'windLimit',
            ].sort(),
          );
        }
      }
    }
  });

  test('The list formData has every entry with its fields, and one default per list (M-2.8.ft1, M-2.8.ft2, M-2.8.ft3, M-2.8.ft4, M-2.8.ft5, M-2.8.ft6, M-2.8.ft7, M-2.8.ft8, M-2.8.fl1, M-2.8.fl2, M-2.8.fl3, M-2.8.fl4, M-2.8.fl5, M-2.8.fl6, M-2.8.fl7, M-2.8.fl8, M-2.8.fl9, M-2.8.fl10, M-2.8.fl11, M-2.8.fo1, M-2.8.fo2, M-2.8.oe1, M-2.8.oe2, M-2.8.oe3, M-2.8.oe4, M-2.8.oe5, M-2.8.oe6, M-2.8.oe7, M-2.8.oe8, M-2.8.oe9, M-2.8.oe10, M-2.8.oe11, M-2.8.oe12, M-2.8.oe13, M-2.8.oe14)', async () => {
    type Option = Fields & { isDefault: boolean };
    for (const file of ['737-800-7B26', 'A320-251N']) {
      const { formData } = (await load(file)).body['aircraft'] as {
        formData: Record<string, Record<string, Option[] | Record<string, Option[]>>>;
      };
      expect(formData).toHaveProperty('userEditedRawData');
      const seen = new Set<string>();
      for (const use of ['takeoff', 'landing']) {
        const { inopitem, ...lists } = formData[use] ?? {};
        expect(inopitem).toMatchObject({ mel: expect.any(Array), cdl: expect.any(Array) });
        for (const [name, list] of Object.entries(lists)) {
          expect([use, name, (list as Option[]).filter(({ isDefault }) => isDefault).length <= 1]).toEqual([
            use,
            name,
            true,
          ]);
          for (const option of list as Option[]) {
            expect(option).toMatchObject({
              description: expect.any(String),
              value: expect.any(String),
              order: expect.any(Number),
              isDefault: expect.any(Boolean),
              paramName: expect.any(String),
            });
            for (const key of Object.keys(option)) seen.add(key);
          }
        }
      }
      for (const name of [
        'minValue',
        'maxValue',
        'shortDisplay',
        'requiresDepth',
        'isSlippery',
        'flap',
        'autobrakeInop',
        'autolandAvailable',
        'vrefAdd',
        'source',
      ]) {
        expect([file, name, seen.has(name)]).toEqual([file, name, true]);
      }
    }
  });

  test('The subscription is spelt as in this answer (M-2.8.s1, M-2.8.s2, M-2.8.s3, M-2.8.s4, M-2.8.s5, M-2.8.s6, M-2.8.s7, M-2.8.s8, M-2.8.s9, M-2.8.s10, M-2.8.s11, M-2.8.s12, M-2.8.s13, M-2.8.s14, M-2.8.s15, M-2.8.s16, M-2.8.s17)', async () => {
    const free = (await load('A320-251N')).body['subscription'];
    expect(free).toMatchObject({
      id: null,
      level: 0,
      isNnc: false,
      isMostfav: false,
      isDemo: true,
      manufacturer: 'Airbus',
      variantId: 'A320-251N',
    });
    const paid = (await load('A320-251N', pro)).body['subscription'] as Fields;
    expect(paid).toMatchObject({
      id: expect.any(Number),
      level: 3,
      isAirportNotam: true,
      isNotam: true,
      isNnc: true,
      isMel: true,
      isCdl: true,
      isMostfav: true,
      isFleetDatabase: true,
      isCommercial: false,
      isDemo: false,
    });
    for (const name of ['category', 'modelGroup', 'model', 'variant'])
      expect(typeof paid[name]).toBe('string');
  });
});

describe('aircraft, refused calls', () => {
  test('"All three keys required on load": a missing one is MISSING_FIELD, null is a valid value, a wrong type is INVALID_FIELD (M-2.8.1, M-4.7.q2)', async () => {
    const whole: Fields = { aircraft: 'A320-251N', userRegistration: null, virtualAirline: null };
    const ask = (data: Fields) => api.call('aircraft', { token: user.token, data });
    expect((await ask(whole)).status).toBe(200);
    for (const left of Object.keys(whole)) {
      const data = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== left));
      expect(await ask(data)).toMatchObject({
        status: 400,
        body: { error: { code: 'MISSING_FIELD', message: `Missing required field: ${left}.` } },
      });
    }
    const address = '/api/get/aircraft?aircraft=A320-251N&userRegistration=&virtualAirline=';
    const headers = { authorization: `Bearer ${user.token}` };
    expect((await api.fetch(address, { headers })).status).toBe(200);
    for (const name of Object.keys(whole)) {
      const wrong = await api.call('aircraft', { token: user.token, data: { ...whole, [name]: 7 } });
      expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'INVALID_FIELD' } } });
    }
  });

  test('Unknown aircraft are 404 AIRCRAFT_NOT_FOUND, and calls without a token 401 AUTH_REQUIRED', async () => {
    for (const file of ['Concorde', '../../etc/passwd', '__proto__']) {
      expect(await load(file)).toMatchObject({
        status: 404,
        body: { error: { code: 'AIRCRAFT_NOT_FOUND' }, nearest: [] },
      });
    }
    const near = (await load('A320')).body;
    expect(near['nearest']).toEqual(['A320-214', 'A320-251N']);
    expect(near['offered']).toEqual(expect.arrayContaining(['A320-251N', '737-800-7B26']));
    // For a user whose id is larger than any existing one.
    const data = {
      aircraft: 'User_9999999999_D-AIZA.json',
      userRegistration: 'D-AIZA',
      virtualAirline: null,
    };
    expect(refusal(await api.call('aircraft', { token: user.token, data }))).toEqual([
      404,
      'AIRCRAFT_NOT_FOUND',
    ]);
    expect((await api.call('aircraft', { data: {} })).status).toBe(401);
  });
});
