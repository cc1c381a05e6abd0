import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';

let api: TestApi;
let devKey: string;
beforeAll(async () => {
  api = await testApi();
  devKey = await api.key();
});
afterAll(() => api.close());

const change = ({ token }: TestUser, data: Record<string, unknown>) =>
  api.call('changePassword', { token, data });
const login = ({ email }: TestUser, password: string) =>
  api.call('login', { devKey, data: { email, password } });
const statusOf = async (token: unknown) =>
  (await api.call('refreshUserData', { token: String(token) })).status;

test('A password change ends every session, returns the token of a new one, and is reported by mail (G-03)', async () => {
  const user = await api.user();
  const { token: other } = (await login(user, user.password)).body;
  const newPassword = 'battery staple';
  const { status, body } = await change(user, { oldPassword: user.password, newPassword });
  expect([status, body]).toEqual([
    200,
    {
      success: true,
      apiVersion: '1.3.6',
      token: expect.any(String),
      expires: expect.any(String),
      expiresIn: 86_400,
    },
  ]);
  expect(await Promise.all([user.token, other, body['token']].map(statusOf))).toEqual([401, 401, 200]);
  expect((await api.call('refreshToken', { token: String(body['token']) })).status).toBe(200);
  expect(refusal(await login(user, user.password))).toEqual([401, 'INVALID_CREDENTIALS']);
  expect((await login(user, newPassword)).status).toBe(200);
  const { subject } = await api.context.postgres.db.one<{ subject: string }>(
    sql`SELECT subject FROM outgoing_mail WHERE recipient = ${user.email} ORDER BY id DESC LIMIT 1`,
  );
  expect(subject).toBe('Your password was changed');
});

test('Of two simultaneous changes one succeeds, and the other is refused', async () => {
  const user = await api.user();
  const passwords = ['the first one', 'the second one'];
  const answers = await Promise.all(
    passwords.map((newPassword) => change(user, { oldPassword: user.password, newPassword })),
  );
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 401]);
  const logins = await Promise.all(passwords.map((password) => login(user, password)));
  expect(logins.map(({ status }) => status)).toEqual(answers.map(({ status }) => status));
});

test('Every input error has its code and changes nothing', async () => {
  const user = await api.user();
  const oldPassword = user.password;
  for (const [data, status, code] of [
    [{ oldPassword: 'wrong horse', newPassword: 'battery staple' }, 403, 'INCORRECT_PASSWORD'],
    [{ oldPassword, newPassword: '12345' }, 400, 'PASSWORD_TOO_SHORT'],
    [{ oldPassword, newPassword: 7 }, 400, 'INVALID_FIELD'],
    [{ oldPassword }, 400, 'MISSING_FIELD'],
    [{ newPassword: 'battery staple' }, 400, 'MISSING_FIELD'],
  ] as const)
    expect([data, ...refusal(await change(user, data))]).toEqual([data, status, code]);
  expect(refusal(await api.call('changePassword', { data: {} }))).toEqual([401, 'AUTH_REQUIRED']);
  expect(await statusOf(user.token)).toBe(200);
});
