import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { runSql } from '#test/support/sql.ts';

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

describe('logout', () => {
  test('A logout ends this session with its renewed tokens, and no other (G-03)', async () => {
    const user = await api.user();
    const [phone, tablet] = [await signIn(user), await signIn(user)];
    const renewed = String((await api.call('refreshToken', { token: phone })).body['token']);
    for (const token of [user.token, phone, tablet, renewed]) expect(await statusOf(token)).toBe(200);
    const answer = await api.call('logout', { token: renewed });
    expect([answer.status, answer.body]).toEqual([
      200,
      { success: true, apiVersion: '1.3.6', loggedOut: true },
    ]);
    for (const token of [phone, renewed]) {
      const refused = await api.call('refreshUserData', { token });
      expect(refusal(refused)).toEqual(revoked);
      expect(refused.body).toMatchObject({ error: { message: expect.stringMatching(/has been revoked/) } });
    }
    expect(refusal(await api.call('refreshToken', { token: phone }))).toEqual(revoked);
    expect([await statusOf(user.token), await statusOf(tablet)]).toEqual([200, 200]);
  });

  test('A token from before the session table ends with all others of its user, and never with another user’s', async () => {
    const [user, other] = [await api.user(), await api.user()];
    const { token: old } = await api.running.services.tokens.issue({
      userId: user.id,
      developerKeyId: null,
      generation: 1,
    });
    await api.call('logout', { token: old });
    for (const token of [old, user.token])
      expect(refusal(await api.call('ofpList', { token }))).toEqual(revoked);
    expect(await statusOf(other.token)).toBe(200);
    const { session } = await api.context.postgres.db.one<{ session: number }>(
      sql`SELECT id AS session FROM user_session WHERE user_id = ${other.id}`,
    );
    const { token: foreign } = await api.running.services.tokens.issue({
      userId: user.id,
      developerKeyId: null,
      generation: 2,
      session,
    });
    expect(refusal(await api.call('logout', { token: foreign }))).toEqual(revoked);
  });

  test('A session whose process missed the logout ends at its next call', async () => {
    const user = await api.user();
    expect(await statusOf(user.token)).toBe(200);
    await runSql(api.context.postgres)`DELETE FROM user_session WHERE user_id = ${user.id}`;
    expect(await statusOf(user.token)).toBe(401);
  });
});
