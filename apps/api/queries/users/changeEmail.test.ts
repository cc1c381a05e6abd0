import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { mailedLink, pressConfirm } from '#test/support/mailed-links.ts';

let api: TestApi;
let devKey: string;
let user: TestUser;
let newEmail: string;
let changes = 0;
beforeAll(async () => {
  api = await testApi();
  devKey = await api.key();
});
afterAll(() => api.close());
beforeEach(async () => {
  user = await api.user();
  changes += 1;
  newEmail = `New.Address${changes}@example.org`;
});

const ask = (data: Record<string, unknown> = {}) =>
  api.call('changeEmail', { token: user.token, data: { password: user.password, newEmail, ...data } });
const links = () => Promise.all([user.email, newEmail].map((address) => mailedLink(api, address)));
const account = async () => {
  const { body } = await api.call('refreshUserData', { token: user.token });
  const { email, emailVerified } = body['user'] as Record<string, unknown>;
  return [email, emailVerified];
};
const login = async (email: string) =>
  (await api.call('login', { devKey, data: { email, password: user.password } })).status;

test.each([
  ['the old one first', [0, 1]],
  ['the new one first', [1, 0]],
] as const)('The address changes when the second link is used, %s', async (_, [first, second]) => {
  expect((await ask()).status).toBe(200);
  const both = await links();
  const [one = '', two = ''] = [both[first], both[second]];
  for (const link of both) expect((await api.fetch(link)).status).toBe(200);
  expect(await pressConfirm(api, one)).toMatchObject({
    status: 200,
    text: expect.stringContaining('as soon as the link'),
  });
  expect((await pressConfirm(api, one)).status).toBe(400);
  expect(await account()).toEqual([user.email, false]);
  expect(await pressConfirm(api, two)).toMatchObject({
    status: 200,
    text: expect.stringContaining('has the new email address'),
  });
  expect(await account()).toEqual([newEmail, true]);
  expect([await login(user.email), await login(newEmail)]).toEqual([401, 200]);
  expect((await pressConfirm(api, two)).status).toBe(400);
});

test('Simultaneous use of both links changes the address, too', async () => {
  await ask();
  const answers = await Promise.all((await links()).map((link) => pressConfirm(api, link)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await account()).toEqual([newEmail, true]);
});

test('A request replaces the previous one and ends with the sessions, and a link expires after 24 hours', async () => {
  await ask();
  const before = await links();
  await ask();
  const after = await links();
  for (const link of before) expect((await pressConfirm(api, link)).status).toBe(400);
  await api.call('logoutEverywhere', { token: user.token });
  for (const link of after) expect((await pressConfirm(api, link)).status).toBe(400);
  user = await api.user();
  await ask();
  api.context.clock.advance(86_400);
  for (const link of await links()) expect((await pressConfirm(api, link)).status).toBe(410);
  expect(await login(user.email)).toBe(200);
});

test('An address registered meanwhile is refused, and nothing changes', async () => {
  await ask();
  const [old = '', fresh = ''] = await links();
  await pressConfirm(api, old);
  const person = { email: newEmail.toLowerCase(), password: 'xxxxxx', firstname: 'A', lastname: 'B' };
  expect((await api.call('register', { devKey, data: person })).status).toBe(200);
  expect((await pressConfirm(api, fresh)).status).toBe(409);
  expect(await account()).toEqual([user.email, false]);
});

test('Every input error has its code', async () => {
  const other = await api.user();
  for (const [data, status, code] of [
    [{ password: 'wrong horse' }, 403, 'INCORRECT_PASSWORD'],
    [{ password: undefined }, 400, 'MISSING_FIELD'],
    [{ newEmail: 'no address' }, 400, 'INVALID_EMAIL'],
    [{ newEmail: undefined }, 400, 'MISSING_FIELD'],
    [{ newEmail: other.email.toUpperCase() }, 409, 'EMAIL_ALREADY_REGISTERED'],
    [{ newEmail: user.email }, 409, 'EMAIL_ALREADY_REGISTERED'],
  ] as const)
    expect([data, ...refusal(await ask(data))]).toEqual([data, status, code]);
  expect(refusal(await api.call('changeEmail', { data: {} }))).toEqual([401, 'AUTH_REQUIRED']);
});
