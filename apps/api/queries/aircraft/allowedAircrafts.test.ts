import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';

let api: TestApi;
let user: TestUser;
let pro: TestUser;

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  pro = await api.user();
  await api.grant(pro, 'EFB_PRO_Y');
});
afterAll(() => api.close());

type Fields = Record<string, unknown>;

describe('allowedAircrafts, successful calls', () => {
  test('Every standard aircraft is listed, regardless of the subscription (M-4.7.q1, M-2.8.2, M-2.8.3, M-2.8.6, M-2.8.p1, M-2.8.p2, M-2.8.p3, M-2.8.p4, M-2.8.p5, M-2.8.p6, M-2.8.m1, M-2.8.m2, M-2.8.m3, M-2.8.m4, M-2.8.m5, M-2.8.m6, M-2.8.m7, M-2.8.m8, M-2.8.m9, M-2.8.m10)', async () => {
    const { status, body } = await api.call('allowedAircrafts', { token: user.token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ apiVersion: '1.3.6', userFleet: [], virtualAirlineFleet: [] });
    const list = body['availableAircraft'] as { profile: Fields; model: Fields }[];
    expect(new Set(list.map(({ model }) => model['manufacturer']))).toEqual(new Set(['Airbus', 'Boeing']));
    for (const { profile, model } of list) {
      expect(profile).toEqual({
        title: expect.any(String),
        description: expect.any(String),
        userRegistration: null,
        virtualAirline: null,
        file: expect.any(String),
        isBeta: expect.any(Boolean),
      });
      for (const name of [
        'manufacturer',
        'category',
        'variant',
        'type',
        'engines',
        'brakes',
        'certification',
        'folderGroup',
      ]) {
        expect(typeof model[name]).toBe('string');
      }
      expect(model['enginesThrustLimitTime']).toEqual(expect.any(Number));
      expect(model['maxCertifiedTakeoffAndLandingAltitude']).toEqual(expect.any(Number));
    }
    expect((await api.call('allowedAircrafts', { token: pro.token })).body['availableAircraft']).toEqual(
      list,
    );
  });

  test('A call without a token is 401 AUTH_REQUIRED', async () => {
    expect((await api.call('allowedAircrafts')).status).toBe(401);
  });
});
