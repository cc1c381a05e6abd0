import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';

let api: TestApi;
let pilot: TestUser;
let devKey: string;
let userCode: string;
beforeAll(async () => {
  api = await testApi();
  devKey = await api.key();
});
afterAll(() => api.close());
beforeEach(async () => {
  pilot = await api.user();
  userCode = String((await api.call('deviceAuthorize', { devKey })).body['userCode']);
});

const confirm = (data: unknown, token = pilot.token) => api.call('deviceConfirm', { token, data });

describe('deviceConfirm', () => {
  test('The answer names the waiting application, then authorises or refuses it once, however the code is typed', async () => {
    const expires = new Date(api.context.clock.now().getTime() + 600_000).toISOString();
    const waiting = { application: 'test', expires };
    expect((await confirm({ userCode })).body).toMatchObject({ ...waiting, state: 'waiting' });
    const typed = ` ${userCode.toLowerCase().replace('-', ' — ')} `;
    expect((await confirm({ userCode: typed, answer: 'approve' })).body).toMatchObject({
      ...waiting,
      state: 'approved',
    });
    for (const answer of [undefined, 'approve', 'refuse'])
      expect(refusal(await confirm({ userCode, answer }))).toEqual([404, 'INVALID_USER_CODE']);
    const other = String((await api.call('deviceAuthorize', { devKey })).body['userCode']);
    expect((await confirm({ userCode: other, answer: 'refuse' })).body).toMatchObject({ state: 'refused' });
  });

  test.each(['approve', 'decision', 'response', 'anwser'])(
    'An unknown field %s is named, and the device keeps waiting',
    async (name) => {
      const { status, body } = await confirm({ userCode, [name]: 'approve' });
      expect([status, body['state'], body['ignored']]).toEqual([
        200,
        'waiting',
        [expect.stringMatching(new RegExp(`^${name} is not known and was ignored; .*answer`))],
      ]);
    },
  );

  test.each([
    [{}, 400, 'MISSING_FIELD'],
    [{ userCode: 'x'.repeat(41) }, 400, 'INVALID_FIELD'],
    [{ userCode: 'BCDF-GHJK', answer: 'yes' }, 400, 'INVALID_FIELD'],
    [{ userCode: 'BCDF-GHJK' }, 404, 'INVALID_USER_CODE'],
    [{ userCode: 'AEIO-UAEI' }, 404, 'INVALID_USER_CODE'],
  ])('%j is refused', async (data, status, code) => {
    expect(refusal(await confirm(data))).toEqual([status, code]);
  });

  test('An expired code authorises nothing, and confirming needs an account', async () => {
    expect(refusal(await api.call('deviceConfirm', { data: { userCode } }))).toEqual([401, 'AUTH_REQUIRED']);
    api.context.clock.advance(600);
    expect(refusal(await confirm({ userCode, answer: 'approve' }))).toEqual([404, 'INVALID_USER_CODE']);
  });
});

test('After ten wrong codes in an hour a user is refused, after thirty a network', async () => {
  const strict = await testApi({ env: { RATE_LIMIT_SCALE: '1' } });
  const [first, ...more] = [
    await strict.user(),
    await strict.user(),
    await strict.user(),
    await strict.user(),
  ];
  const guess = ({ token }: TestUser) =>
    strict.call('deviceConfirm', { token, data: { userCode: 'BCDF-GHJK' } });
  // All at once, so each has to be counted before it is evaluated.
  const guessed = await Promise.all(Array.from({ length: 60 }, () => guess(first)));
  expect(guessed.filter(({ status }) => status === 404)).toHaveLength(10);
  expect(guessed.filter(({ status }) => status === 429)).toHaveLength(50);
  expect(refusal(await guess(first))).toEqual([429, 'RATE_LIMITED']);
  const statuses: number[] = [];
  for (const user of more) for (let n = 0; n < 10; n += 1) statuses.push((await guess(user)).status);
  expect(statuses.filter((status) => status === 404)).toHaveLength(20);
  await strict.close();
});
