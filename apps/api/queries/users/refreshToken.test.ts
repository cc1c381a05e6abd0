import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';

let api: TestApi;
let key: string;
beforeAll(async () => {
  api = await testApi();
  key = await api.key();
});
afterAll(() => api.close());

const revoked = [401, 'AUTH_REQUIRED'];

describe('refreshToken', () => {
  test('Each new token is valid for 30 days, and the previous one until it expires (G-03)', async () => {
    api.context.clock.set('2026-09-16T12:00:00Z');
    const user = await api.user();
    let { token } = user;
    for (const [days, status] of [
      [0.9, 200],
      [29, 200],
      [29, 200],
      [31, 401],
    ] as const) {
      api.context.clock.advance(days * 86_400);
      const answer = await api.call('refreshToken', { token });
      expect(answer.status).toBe(status);
      if (status === 401) break;
      const expires = new Date(api.context.clock.now().getTime() + 30 * 86_400_000).toISOString();
      expect(answer.body).toMatchObject({ expiresIn: 2_592_000, expires });
      expect((await api.call('refreshUserData', { token })).status).toBe(200);
      token = String(answer.body['token']);
      // The sweep of expired sessions does not end a session that was renewed.
      expect((await api.call('refreshUserData', { token })).status).toBe(200);
    }
    expect(refusal(await api.call('refreshToken', { token: user.token }))).toEqual(revoked);
  });

  test('The token keeps the developer key of its login, whichever key is sent', async () => {
    const [user, narrow] = [await api.user(), await api.key({})];
    const { email, password } = user;
    const login = await api.call('login', { devKey: narrow, data: { email, password } });
    const renewed = await api.call('refreshToken', { token: String(login.body['token']), devKey: key });
    const token = String(renewed.body['token']);
    expect(refusal(await api.call('getUserMeta', { token }))).toEqual([403, 'ACCESS_DENIED']);
  });
});
