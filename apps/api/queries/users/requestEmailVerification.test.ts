import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import { addSeconds } from '#domain/time.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { mailedLink, pressConfirm, verifyAddress } from '#test/support/mailed-links.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  user = await api.user();
});

const isVerified = async ({ token } = user) =>
  at(await api.call('refreshUserData', { token }), 'user', 'emailVerified');
const ask = ({ token } = user) => api.call('requestEmailVerification', { token });

test('The registration link verifies the address once, by the button on its page, not when it is opened', async () => {
  expect(await isVerified()).toBe(false);
  const link = await mailedLink(api, user.email);
  const page = await api.fetch(link);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(user.email)]);
  expect(await isVerified()).toBe(false);
  expect(await pressConfirm(api, link)).toMatchObject({
    status: 200,
    text: expect.stringContaining('is confirmed'),
  });
  expect(await isVerified()).toBe(true);
  expect((await pressConfirm(api, link)).status).toBe(400);
  expect((await api.fetch(link)).status).toBe(400);
  expect(refusal(await ask())).toEqual([409, 'EMAIL_ALREADY_VERIFIED']);
});

test('Another link is mailed on request, and an expired, invented or truncated one is refused', async () => {
  const first = await mailedLink(api, user.email);
  const answer = await ask();
  expect(answer.status).toBe(200);
  const second = await mailedLink(api, user.email);
  expect(second).not.toBe(first);
  api.context.clock.advance(86_400);
  for (const [link, status] of [
    [second, 410],
    [`/confirm-email?token=${newSecret()}`, 400],
    ['/confirm-email?token=short', 400],
    ['/confirm-email', 400],
  ] as const) {
    expect([link, (await api.fetch(link)).status]).toEqual([link, status]);
    expect([link, (await pressConfirm(api, link)).status]).toEqual([link, status]);
  }
  const { email, password } = user;
  const login = await api.call('login', { devKey: await api.key(), data: { email, password } });
  const token = String(login.body['token']);
  expect(await isVerified({ ...user, token })).toBe(false);
  await ask({ ...user, token });
  await verifyAddress(api, user);
  expect(await isVerified({ ...user, token })).toBe(true);
});

test('Setting a new password through a mailed link verifies the address, too', async () => {
  const token = newSecret();
  const now = api.context.clock.now();
  await runSql(api.context.postgres)`
    INSERT INTO password_reset (user_id, token_hash, created_at, expires_at)
    VALUES (${user.id}, ${hashOfSecret(token)}, ${now}, ${addSeconds(now, 60)})`;
  const devKey = await api.key();
  const { email } = user;
  const password = 'set by a link';
  expect((await api.call('resetPassword', { devKey, data: { token, password } })).status).toBe(200);
  const login = await api.call('login', { devKey, data: { email, password } });
  expect(at(login, 'user', 'emailVerified')).toBe(true);
});

test('At most five mails are sent per hour, and none without a token', async () => {
  const strict = await testApi({ env: { RATE_LIMIT_SCALE: '1' } });
  try {
    const { token } = await strict.user();
    const answers = [];
    for (let i = 0; i < 6; i += 1)
      answers.push((await strict.call('requestEmailVerification', { token })).status);
    expect(answers).toEqual([200, 200, 200, 200, 200, 429]);
    expect(refusal(await strict.call('requestEmailVerification'))).toEqual([401, 'AUTH_REQUIRED']);
  } finally {
    await strict.close();
  }
});
