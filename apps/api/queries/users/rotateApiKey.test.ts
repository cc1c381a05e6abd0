import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { signerOf } from '#test/support/signed.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

test('The new key signs, the previous one is refused, and every view of the account shows the new one (M-4.8.e2)', async () => {
  const pilot = await api.user();
  const before = await signerOf(api, pilot);
  expect((await before.call('user_subscriptions')).status).toBe(200);
  const { status, body } = await api.call('rotateApiKey', { token: pilot.token });
  expect([status, body['apiKey']]).toEqual([200, expect.stringMatching(/^API(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)]);
  expect(body['apiKey']).not.toBe(before.apiKey);
  expect(refusal(await before.call('user_subscriptions'))).toEqual([401, 'INVALID_API_KEY']);
  const after = await signerOf(api, pilot);
  expect(after.apiKey).toBe(body['apiKey']);
  expect((await after.call('user_subscriptions')).status).toBe(200);
  const { body: shown } = await api.call('refreshUserData', { token: pilot.token });
  expect(shown['user']).toMatchObject({ apiKey: after.apiKey });
});

test('A key without FULL user_info may not renew the API key', async () => {
  const { token } = await api.user();
  const devKey = await api.key({ userInfo: 'MEDIUM' });
  expect(refusal(await api.call('rotateApiKey', { token, devKey }))).toEqual([403, 'ACCESS_DENIED']);
});
