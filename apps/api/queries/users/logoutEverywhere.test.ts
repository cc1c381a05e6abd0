import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';

let api: TestApi;
let key: string;
beforeAll(async () => {
  api = await testApi();
  key = await api.key();
});
afterAll(() => api.close());

const signIn = async ({ email, password }: TestUser): Promise<string> =>
  String((await api.call('login', { devKey: key, data: { email, password } })).body['token']);
const statusOf = async (token: string) => (await api.call('refreshUserData', { token })).status;
const revoked = [401, 'AUTH_REQUIRED'];

describe('logoutEverywhere', () => {
  test('A call ends every session of the user, signing in again works, and other users’ sessions remain (G-03)', async () => {
    const [user, other] = [await api.user(), await api.user()];
    const second = await signIn(user);
    const renewed = String((await api.call('refreshToken', { token: second })).body['token']);
    expect((await api.call('logoutEverywhere', { token: user.token })).body).toMatchObject({
      loggedOut: true,
    });
    for (const token of [user.token, second, renewed])
      expect(refusal(await api.call('refreshUserData', { token }))).toEqual(revoked);
    expect([await statusOf(await signIn(user)), await statusOf(other.token)]).toEqual([200, 200]);
  });
});
