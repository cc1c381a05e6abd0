import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import { sql } from '#store/postgres/sql.ts';
import { addSeconds } from '#domain/time.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { signerOf } from '#test/support/signed.ts';
import { loggedCall } from '#test/support/request-log.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let key: string;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  key = await api.key({});
  user = await api.user();
});
afterAll(() => api.close());

/** A link as created by the job. */
const link = async (owner = user, returnUrl: string | null = null): Promise<string> => {
  const token = newSecret();
  const now = api.context.clock.now();
  await runSql(api.context.postgres)`
    INSERT INTO password_reset (user_id, token_hash, return_url, created_at, expires_at)
    VALUES (${owner.id}, ${hashOfSecret(token)}, ${returnUrl}, ${now}, ${addSeconds(now, 3_600)})`;
  return token;
};

const reset = (data: Record<string, unknown>, devKey = key) => api.call('resetPassword', { data, devKey });
const login = (password: string, owner = user) =>
  api.call('login', { devKey: key, data: { email: owner.email, password } });

describe('resetPassword', () => {
  test('The new password works, the old password and old tokens do not (M-4.6.q3a, M-4.6.q3b, M-4.6.q3d, G-03)', async () => {
    const owner = await api.user();
    expect((await api.call('refreshUserData', { token: owner.token })).status).toBe(200);
    const answer = await reset({ token: await link(owner), password: 'brand new' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true, apiVersion: '1.3.6', message: expect.any(String) });
    expect(refusal(await api.call('refreshUserData', { token: owner.token }))[0]).toBe(401);
    expect((await login(owner.password, owner)).status).toBe(401);
    const again = await login('brand new', owner);
    expect(again.status).toBe(200);
    expect((await api.call('refreshUserData', { token: String(at(again, 'token')) })).status).toBe(200);
  });

  test('A mail reports the new password, and the API key is renewed with it on request', async () => {
    const owner = await api.user();
    const { db } = api.context.postgres;
    const apiKey = async () => (await signerOf(api, owner)).apiKey;
    const before = await apiKey();
    await reset({ token: await link(owner), password: 'brand new' });
    expect(await apiKey()).toBe(before);
    await reset({ token: await link(owner), password: 'brand newer', renewApiKey: true });
    expect(await apiKey()).not.toBe(before);
    const mails = await db.any<{ subject: string; text: string }>(sql`
      SELECT subject, body_text AS text FROM outgoing_mail WHERE recipient = ${owner.email} AND key LIKE 'password-changed:%' ORDER BY id`);
    expect(mails.map(({ subject }) => subject)).toEqual(Array(2).fill('Your password was changed'));
    expect(mails.map(({ text }) => /API key (is the same|was renewed)/.exec(text)?.[1])).toEqual([
      'is the same',
      'was renewed',
    ]);
    expect(
      refusal(await reset({ token: await link(owner), password: 'abcdefg', renewApiKey: 'yes' })),
    ).toEqual([400, 'INVALID_FIELD']);
  });

  test('A given returnUrl is returned (M-4.6.q3b)', async () => {
    const answer = await reset({ token: await link(user, 'app://back'), password: 'brand new' });
    expect(answer.body['returnUrl']).toBe('app://back');
  });

  test('A link works once, and then revokes the user’s other links (M-4.6.q3c, M-8.14)', async () => {
    const [first, second] = [await link(), await link()];
    expect((await reset({ token: first, password: 'brand new' })).status).toBe(200);
    expect(refusal(await reset({ token: first, password: 'brand new 2' }))).toEqual([
      400,
      'INVALID_RESET_TOKEN',
    ]);
    expect(refusal(await reset({ token: second, password: 'brand new 2' }))).toEqual([
      400,
      'INVALID_RESET_TOKEN',
    ]);
    expect((await login('brand new')).status).toBe(200);
  });

  test('Of two concurrent uses one succeeds (M-4.6.q3c)', async () => {
    const token = await link();
    const both = await Promise.all(['first one', 'second one'].map((password) => reset({ token, password })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    const logins = await Promise.all(['first one', 'second one'].map((password) => login(password)));
    expect(logins.map(({ status }) => status)).toEqual(
      both.map(({ status }) => (status === 200 ? 200 : 401)),
    );
  });

  test('A link is valid for one hour (M-4.6.q3c, M-8.14, G-02)', async () => {
    const [early, late] = [await link(), await link(await api.user())];
    api.context.clock.advance(3_599);
    expect((await reset({ token: early, password: 'brand new' })).status).toBe(200);
    api.context.clock.advance(61);
    expect(refusal(await reset({ token: late, password: 'brand new' }))).toEqual([
      410,
      'RESET_TOKEN_EXPIRED',
    ]);
  });

  test.each([
    [{ password: 'brand new' }, 'MISSING_FIELD'],
    [{ token: 'x' }, 'MISSING_FIELD'],
    [{ token: 'x', password: '12345' }, 'PASSWORD_TOO_SHORT'],
    [{ token: 'x', password: 'y'.repeat(1_025) }, 'INVALID_FIELD'],
    [{ token: 'x', password: 'brand new' }, 'INVALID_RESET_TOKEN'],
    [{ token: newSecret(), password: 'brand new' }, 'INVALID_RESET_TOKEN'],
  ])('%j is refused (M-4.6.q3a, M-8.11, G-02)', async (data, code) => {
    expect(refusal(await reset(data))).toEqual([400, code]);
  });

  test('Six characters are enough; a refused password does not use up the link (M-4.6.q3a, M-8.11)', async () => {
    const token = await link();
    expect(refusal(await reset({ token, password: '12345' }))).toEqual([400, 'PASSWORD_TOO_SHORT']);
    expect((await reset({ token, password: '123456' })).status).toBe(200);
  });

  test('Any valid key is accepted, and no other (M-4.6.q3a, M-2.1.2a)', async () => {
    const token = await link();
    expect(refusal(await reset({ token, password: 'brand new' }, 'dk_wrong'))).toEqual([
      401,
      'INVALID_DEV_KEY',
    ]);
    expect((await reset({ token, password: 'brand new' })).status).toBe(200);
  });

  test('The token never reaches the request log (M-5.8)', async () => {
    const token = await link();
    const answer = await reset({ token, password: 'canary password' });
    const row = await loggedCall(api, answer);
    expect(row.query).toBe('resetPassword');
    expect(JSON.stringify(row)).not.toContain(token);
    expect(JSON.stringify(row)).not.toContain('canary password');
  });
});

test('Guessing tokens is limited (G-27)', async () => {
  const strict = await testApi({ env: { RATE_LIMIT_SCALE: '1' } });
  const devKey = await strict.key({});
  const go = () => strict.call('resetPassword', { devKey, data: { token: 'x', password: 'brand new' } });
  for (let i = 0; i < 20; i += 1) expect((await go()).status).toBe(400);
  expect(refusal(await go())).toEqual([429, 'RATE_LIMITED']);
  await strict.close();
});
