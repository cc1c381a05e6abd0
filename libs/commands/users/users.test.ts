import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import { passwordResetWrites } from '#store/postgres/users/password-resets.ts';
import { userRepo, userWrites } from '#store/postgres/users/users.ts';
import { addSeconds } from '#domain/time.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { createAccount, disableAccount } from './accounts.ts';
import { findReset, resetPassword } from './credentials.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

const person = {
  passwordHash: 'old',
  firstname: 'Eve',
  lastname: 'Pilot',
  rank: 'FO',
  developerKeyId: null,
} as const;
const create = (email: string) => t.postgres.transaction((tx) => createAccount(tx, t, { ...person, email }));
const codes = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) =>
    result.status === 'fulfilled' ? 'done' : (result.reason as { code: string }).code,
  );

describe('createAccount', () => {
  test('Of two concurrent calls one creates the account, and the other finds it existing', async () => {
    const results = await Promise.allSettled([create('race@example.org'), create('RACE@example.org')]);
    expect(codes(results).sort()).toEqual(['EMAIL_ALREADY_REGISTERED', 'done']);
  });

  test('The crew code is derived from the names unless one is given', async () => {
    expect((await create('crew@example.org')).crewcode).toBe('PILOTE');
    const given = await t.postgres.transaction((tx) =>
      createAccount(tx, t, { ...person, email: 'own@example.org', crewcode: 'OWN1' }),
    );
    expect(given.crewcode).toBe('OWN1');
  });
});

describe('resetPassword', () => {
  const link = async (userId: number, lifeSeconds = 60) => {
    const token = newSecret();
    const [createdAt, expiresAt] = [t.clock.now(), addSeconds(t.clock.now(), lifeSeconds)];
    const target = { returnUrl: null, application: null };
    const reset = { userId, tokenHash: hashOfSecret(token), ...target, createdAt, expiresAt };
    await t.postgres.transaction((tx) => passwordResetWrites(tx).add(reset));
    return token;
  };

  test('Of two concurrent uses of a link one sets its password, and the other is refused (G-03)', async () => {
    const { userId } = await create('reset@example.org');
    const reset = await findReset(t.postgres.db, t, await link(userId));
    const use = (passwordHash: string) =>
      t.postgres.transaction((tx) => resetPassword(tx, t, { reset, passwordHash, renewsApiKey: false }));
    const results = await Promise.allSettled([use('first'), use('second')]);
    expect(codes(results).sort()).toEqual(['INVALID_RESET_TOKEN', 'done']);
    const after = await userRepo(t.postgres.db).credentials('reset@example.org');
    expect(after?.passwordHash).toBe(results[0]?.status === 'fulfilled' ? 'first' : 'second');
    expect(after?.tokenGeneration).toBe(2);
  });

  test('Other links of the user are used up as well, and an expired link is reported as expired', async () => {
    const { userId } = await create('links@example.org');
    const [used, other, expired] = [await link(userId), await link(userId), await link(userId, -1)];
    await expect(findReset(t.postgres.db, t, expired)).rejects.toMatchObject({ code: 'RESET_TOKEN_EXPIRED' });
    const reset = await findReset(t.postgres.db, t, used);
    await t.postgres.transaction((tx) =>
      resetPassword(tx, t, { reset, passwordHash: 'new', renewsApiKey: false }),
    );
    for (const token of [used, other, 'no token'])
      await expect(findReset(t.postgres.db, t, token)).rejects.toMatchObject({ code: 'INVALID_RESET_TOKEN' });
  });
});

describe('disableAccount', () => {
  test('Earlier tokens stay revoked when the account is re-enabled (G-03)', async () => {
    const { userId } = await create('closed@example.org');
    const account = () => userRepo(t.postgres.db).credentials('closed@example.org');
    await t.postgres.transaction((tx) => disableAccount(tx, t, { userId }));
    expect(await account()).toMatchObject({ isDisabled: true, tokenGeneration: 2 });
    await t.postgres.transaction((tx) => userWrites(tx).enable(userId));
    expect(await account()).toMatchObject({ isDisabled: false, tokenGeneration: 2 });
  });

  test('An unknown user is refused', async () => {
    const unknown = { userId: 999_999 };
    await expect(t.postgres.transaction((tx) => disableAccount(tx, t, unknown))).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    });
  });
});
