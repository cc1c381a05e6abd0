import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedPartners } from '#operator/seed.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  await seedPartners(api.context.postgres);
  user = await api.user();
});
afterAll(() => api.close());

describe('getUserMeta', () => {
  test('The lists are the same as in the user object (M-2.7.m1, M-2.7.m2, M-2.7.m3, M-2.7.m4, M-2.7.m5)', async () => {
    const answer = await api.call('getUserMeta', { token: user.token });
    const person = at(await api.call('refreshUserData', { token: user.token }), 'user') as Record<
      string,
      unknown
    >;
    expect(answer.body).toEqual({
      success: true,
      apiVersion: '1.3.6',
      ranks: ['LTC', 'CAPT', 'FO', 'JFO'],
      vaPartners: person['vaPartners'],
      vaMemberships: [],
      activeVa: null,
    });
    expect(answer.body['vaPartners']).not.toEqual([]);
  });

  test('Any user_info level suffices, and a key without it is refused (M-4.6.q6, M-5.2a, M-5.2f, G-04, G-18)', async () => {
    for (const userInfo of ['SIMPLE', 'MEDIUM', 'FULL'] as const) {
      const devKey = await api.key({ userInfo });
      expect((await api.call('getUserMeta', { token: user.token, devKey })).status).toBe(200);
      const inHeader = { token: user.token, headers: { 'x-dev-key': devKey } };
      expect((await api.call('getUserMeta', inHeader)).status).toBe(200);
    }
    const denied = await api.call('getUserMeta', {
      token: user.token,
      devKey: await api.key({ weather: true }),
    });
    expect(refusal(denied)).toEqual([403, 'ACCESS_DENIED']);
    const wrong = await api.call('getUserMeta', { token: user.token, devKey: 'dk_wrong' });
    expect(refusal(wrong)).toEqual([401, 'INVALID_DEV_KEY']);
    expect(refusal(await api.call('getUserMeta'))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
