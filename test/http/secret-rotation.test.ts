/** The runbook "Rotation of secrets" in docs/operations.md, step by step on one database. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callSignature } from '#store/auth/confirmations.ts';
import { openSealed } from '#store/auth/secrets.ts';
import { keyIdOf } from '#platform/config/config.ts';
import { sealedRepo } from '#store/postgres/users/sealed.ts';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { createTestDatabase, testContext } from '../harness.ts';
import type { TestDatabase } from '../harness.ts';
import { at, refusal } from '../support/answers.ts';
import { ops } from '../support/ops.ts';
import { planOf } from '../support/plans.ts';
import { apiKeyOf } from '../support/signed.ts';

const [before, after] = ['before-'.repeat(6), 'after-'.repeat(6)];
/** All secrets are rotated at once: token keys, which also encrypt stored data, and the safety code. */
const secretsOf = (keys: string) => ({ JWT_SECRET: keys, SAFETY_CODE: keys });

let database: TestDatabase;
let api: TestApi;
let user: TestUser;
let friend: TestUser;
let apiKey: string;
let hookSecret: string;
let shares: { shareCode: string; shareToken: string }[];
/** Stops what runs, if any, and starts with these values. */
const startWith = async (keys: string): Promise<void> => {
  await api?.close();
  api = await testApi({ databaseUrl: database.url, env: secretsOf(keys) });
};
const issued = async () => (await api.call('ofpShareList', { token: user.token })).body['issued'];
const accepts = async (shareCode: string | undefined) => {
  const answer = await api.call('ofpShareAccept', { token: friend.token, data: { shareCode } });
  return [answer.status, at(answer, 'share', 'status')];
};
const signedWith = async (safetyCode: string) => {
  const timestamp = String(Math.floor(api.context.clock.now().getTime() / 1_000));
  const call = { userId: user.id, apiKey, timestamp, action: 'user_subscriptions' };
  const headers = {
    'x-api-key': apiKey,
    'x-timestamp': timestamp,
    'x-signature': callSignature(safetyCode, call),
  };
  return (await api.fetch('/subscription.php?action=user_subscriptions', { headers })).status;
};
const opened = async () => {
  const { json } = await ops(api.context, 'secrets list --json');
  return Object.fromEntries(
    (json['secrets'] as { kind: string; key: string; count: number }[]).map((row) => [
      `${row.kind} ${row.key}`,
      row.count,
    ]),
  );
};

beforeAll(async () => {
  database = await createTestDatabase();
  await startWith(before);
  user = await api.user({ pin: '4711' });
  friend = await api.user();
  apiKey = await apiKeyOf(api, user);
  const ofpId = await planOf(api, user);
  shares = [];
  for (let n = 0; n < 3; n += 1) {
    const { body } = await api.call('ofpShare', { token: user.token, data: { ofpId } });
    shares.push(body['share'] as { shareCode: string; shareToken: string });
  }
  const { json } = await ops(api.context, 'endpoint add --devkey 1 --url https://efb.example/hooks --json');
  hookSecret = String(json['secret']);
});
const storedHookSecret = async (keys: string) => {
  const { sealed } = await api.context.postgres.db.one<{ sealed: Buffer }>(
    sql`SELECT secret_sealed AS sealed FROM webhook_endpoint`,
  );
  return openSealed(sealed, 'webhook seal', [keys]);
};
afterAll(async () => {
  await api.close();
  await database.drop();
});

test('A start without the key of stored secrets lists them and is refused', async () => {
  const start = testContext({ databaseUrl: database.url, env: secretsOf(after) });
  const key = `(key ${keyIdOf(before)})`;
  await expect(start).rejects.toThrow(
    `ENCRYPTION_KEYS: 2 API keys ${key}, 1 PINs ${key}, 3 shares ${key}, 1 webhook secrets ${key} open with none of the keys`,
  );
});

test('With the new value first, secrets issued with the old one still work, and new ones use the new one', async () => {
  await startWith(`${after},${before}`);
  expect((await api.call('refreshUserData', { token: user.token })).status).toBe(200);
  expect(await accepts(shares[0]?.shareCode)).toEqual([200, 'accepted']);
  expect(await issued()).toMatchObject(shares.map(() => ({ shareCode: expect.stringMatching(/./) })));
  expect([await signedWith(before), await signedWith(after)]).toEqual([200, 200]);
  const { body } = await api.call('subscriptionSignature', {
    token: user.token,
    data: { action: 'user_subscriptions' },
  });
  const { timestamp, signature } = body as { timestamp: string; signature: string };
  expect(signature).toBe(
    callSignature(after, { userId: user.id, apiKey, timestamp, action: 'user_subscriptions' }),
  );
});

test('After `secrets rotate` the old value can be removed while API key, PIN, codes and links stay the same', async () => {
  expect(await opened()).toEqual({
    [`API keys ${keyIdOf(before)}`]: 2,
    [`PINs ${keyIdOf(before)}`]: 1,
    [`shares ${keyIdOf(before)}`]: 3,
    [`webhook secrets ${keyIdOf(before)}`]: 1,
  });
  expect((await ops(api.context, 'secrets rotate --json')).json).toMatchObject({
    accounts: 2,
    shares: 3,
    webhooks: 1,
    unopened: { accounts: 0, shares: 0, webhooks: 0 },
  });
  expect(await opened()).toEqual({
    [`API keys ${keyIdOf(after)}`]: 2,
    [`PINs ${keyIdOf(after)}`]: 1,
    [`shares ${keyIdOf(after)}`]: 3,
    [`webhook secrets ${keyIdOf(after)}`]: 1,
  });
  expect(await storedHookSecret(after)).toBe(hookSecret);
  // Notes compared at startup; a key without sealed data is forgotten.
  const noted = () => sealedRepo(api.context.postgres.db).keys();
  expect(new Set(await noted())).toEqual(new Set([before, after].map(keyIdOf)));
  await startWith(after);
  expect(await noted()).toEqual([keyIdOf(after)]);
  expect(refusal(await api.call('refreshUserData', { token: user.token }))).toEqual([401, 'AUTH_REQUIRED']);
  for (const each of [user, friend]) {
    const answer = await api.call('login', {
      devKey: await api.key(),
      data: { email: each.email, password: each.password },
    });
    each.token = String(at(answer, 'token'));
    expect(at(answer, 'user', 'apiKey')).toBe(await apiKeyOf(api, each));
  }
  expect(await apiKeyOf(api, user)).toBe(apiKey);
  expect([await signedWith(before), await signedWith(after)]).toEqual([401, 200]);
  expect(await accepts(shares[1]?.shareCode)).toEqual([200, 'accepted']);
  expect(await issued()).toMatchObject(
    shares.toReversed().map(({ shareCode, shareToken }) => ({ shareCode, shareToken })),
  );
});

test('With a lost key the rotation reports and completes the rest; --discard renews the API keys, keeps the links and disables webhooks', async () => {
  const lost = 'lost-'.repeat(8);
  await startWith(`${lost},${after}`);
  await ops(api.context, 'secrets rotate');
  await api.user();
  const changed = await testContext({
    databaseUrl: database.url,
    application: 'ops',
    env: secretsOf(after),
  });
  const refused = await ops(changed, 'secrets rotate');
  expect([refused.status, refused.err]).toEqual([
    1,
    expect.stringContaining('3 accounts, 3 shares and 1 webhook endpoints'),
  ]);
  expect((await ops(changed, 'secrets rotate --discard')).status).toBe(0);
  await changed.close();
  await startWith(after);
  const again = await apiKeyOf(api, user);
  expect(again).not.toBe(apiKey);
  const [{ pinSealed }] = (await api.context.postgres.db.any<{ pinSealed: Buffer | null }>(
    sql`SELECT pin_sealed FROM app_user WHERE id = ${user.id}`,
  )) as [{ pinSealed: Buffer | null }];
  expect(pinSealed).toBeNull();
  expect((await ops(api.context, 'endpoint list --json')).json['endpoints']).toMatchObject([
    { disabledAt: expect.anything() },
  ]);
  expect(await storedHookSecret(after)).not.toBe(hookSecret);
  expect(await issued()).toMatchObject(shares.map(() => ({ shareCode: null, shareToken: null })));
  const accepted = await api.call('ofpShareAccept', {
    token: friend.token,
    data: { shareToken: shares[2]?.shareToken },
  });
  expect(at(accepted, 'share', 'status')).toBe('accepted');
});
