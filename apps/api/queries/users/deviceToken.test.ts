import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answerDeviceLogin } from '#commands/users/credentials.ts';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { ops } from '#test/support/ops.ts';

let api: TestApi;
let key: string;
let pilot: TestUser;
let deviceCode: string;
let userCode: string;
beforeAll(async () => {
  api = await testApi();
  key = await api.key({ userInfo: 'SIMPLE' });
});
afterAll(() => api.close());
beforeEach(async () => {
  pilot = await api.user();
  await begin();
});

const begin = async () => {
  const { body } = await api.call('deviceAuthorize', { devKey: key });
  [deviceCode, userCode] = [String(body['deviceCode']), String(body['userCode'])];
};
const ask = (devKey = key, code = deviceCode) =>
  api.call('deviceToken', { devKey, data: { deviceCode: code } });
const askAfter = (seconds: number) => {
  api.context.clock.advance(seconds);
  return ask();
};
const answer = (given: string, token = pilot.token) =>
  api.call('deviceConfirm', { token, data: { userCode, answer: given } });
/** Data left behind by a login. */
const signIns = () =>
  api.context.postgres.db.one<Record<string, unknown>>(sql`
    SELECT last_login_at, (SELECT count(*) FROM user_session WHERE user_id = u.id) AS sessions
    FROM app_user u WHERE id = ${pilot.id}`);
const refresh = (token: unknown) => api.call('refreshUserData', { token: String(token) });

describe('deviceToken', () => {
  test('A device gets the token of the user who authorised it, once', async () => {
    expect(refusal(await ask())).toEqual([400, 'AUTHORIZATION_PENDING']);
    await answer('approve');
    const answered = await askAfter(5);
    expect([answered.status, at(answered, 'user', 'id'), answered.body['expiresIn']]).toEqual([
      200,
      pilot.id,
      86_400,
    ]);
    const refreshed = await refresh(answered.body['token']);
    expect(at(refreshed, 'user')).toEqual(at(answered, 'user'));
    // The user object of a SIMPLE key.
    expect(Object.keys(at(answered, 'user') as object)).not.toContain('email');
    expect(refusal(await askAfter(5))).toEqual([400, 'INVALID_DEVICE_CODE']);
  });

  test('A device that polls too soon must wait 5 seconds longer each time', async () => {
    const codes: unknown[] = [];
    for (const seconds of [0, 5, 1, 5, 10, 15, 0, 19, 20]) codes.push(refusal(await askAfter(seconds))[1]);
    expect(codes).toEqual([
      'AUTHORIZATION_PENDING',
      'AUTHORIZATION_PENDING',
      // From now on 10 s,
      'SLOW_DOWN',
      // then 15 s,
      'SLOW_DOWN',
      // 20 s,
      'SLOW_DOWN',
      // and 25 s.
      'SLOW_DOWN',
      'SLOW_DOWN',
      'SLOW_DOWN',
      'SLOW_DOWN',
    ]);
    await answer('approve');
    expect((await ask()).status).toBe(200);
  });

  test('A refused, expired or unknown code and another application’s code yield no token', async () => {
    const other = await api.key();
    expect(refusal(await ask(other))).toEqual([400, 'INVALID_DEVICE_CODE']);
    expect(refusal(await ask(key, 'x'))).toEqual([400, 'INVALID_DEVICE_CODE']);
    expect(refusal(await api.call('deviceToken', { devKey: key, data: {} }))).toEqual([400, 'MISSING_FIELD']);
    expect(refusal(await ask(key, 'x'.repeat(101)))).toEqual([400, 'INVALID_FIELD']);
    await answer('refuse');
    expect(refusal(await ask())).toEqual([403, 'DEVICE_LOGIN_REFUSED']);
    await begin();
    await answer('approve');
    expect(refusal(await askAfter(600))).toEqual([400, 'DEVICE_CODE_EXPIRED']);
  });

  test('Ending a user’s sessions ends earlier approvals and the tokens of devices, too', async () => {
    await answer('approve');
    await api.call('logoutEverywhere', { token: pilot.token });
    const before = await signIns();
    expect(refusal(await ask())).toEqual([403, 'DEVICE_LOGIN_REFUSED']);
    expect(await signIns()).toEqual(before);
    const login = await api.call('login', {
      devKey: key,
      data: { email: pilot.email, password: pilot.password },
    });
    pilot.token = String(login.body['token']);
    await begin();
    await answer('approve');
    const { token } = (await ask()).body;
    expect((await refresh(token)).status).toBe(200);
    await api.call('logout', { token: String(token) });
    expect([(await refresh(token)).status, (await refresh(pilot.token)).status]).toEqual([401, 200]);
  });

  test('A revoked application gets no token, and a disabled account authorises no device', async () => {
    const { json } = await ops(api.context, 'devkey create --name Panel --json');
    key = String(json['key']);
    await begin();
    await answer('approve');
    await ops(api.context, `devkey revoke --id ${String(json['id'])}`);
    expect(refusal(await ask())).toEqual([401, 'INVALID_DEV_KEY']);
    key = await api.key();
    await begin();
    await answer('approve');
    await ops(api.context, `user disable --email ${pilot.email}`);
    const before = await signIns();
    expect(refusal(await ask())).toEqual([403, 'DEVICE_LOGIN_REFUSED']);
    expect(await signIns()).toEqual(before);
  });

  test('An approval whose session has ended meanwhile authorises no device', async () => {
    const { postgres } = api.context;
    await postgres.transaction((tx) =>
      answerDeviceLogin(tx, api.context, { userCode, userId: pilot.id, generation: -1, isApproved: true }),
    );
    expect(refusal(await ask())).toEqual([403, 'DEVICE_LOGIN_REFUSED']);
  });
});
