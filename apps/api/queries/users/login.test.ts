import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { hash, watch } from '#test/support/argon2.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let key: string;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  key = await api.key();
  user = await api.user();
});
afterEach(() => {
  delete watch.hash;
  delete watch.verify;
});
afterAll(() => api.close());

const login = (data: Record<string, unknown>, devKey = key) => api.call('login', { data, devKey });
const own = () => ({ email: user.email, password: user.password });

describe('login', () => {
  test('A login returns a valid token, as login and as signIn (G-01, M-5.1, M-2.7.r3, M-2.7.r4, M-2.7.r5)', async () => {
    const answer = await login(own());
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, apiVersion: '1.3.6', expiresIn: 86_400 });
    expect(at(answer, 'user', 'id')).toBe(user.id);
    const refreshed = await api.call('refreshUserData', { token: String(at(answer, 'token')) });
    expect(at(refreshed, 'user')).toEqual(at(answer, 'user'));
    const other = await api.call('signIn', { body: { ...own(), devKey: key } });
    expect(at(other, 'user', 'email')).toBe(user.email);
  });

  test('The email address is case-insensitive, the password is case-sensitive (G-01)', async () => {
    expect((await login({ ...own(), email: user.email.toUpperCase() })).status).toBe(200);
    expect(refusal(await login({ ...own(), password: user.password.toUpperCase() }))[0]).toBe(401);
  });

  test('An unknown email address and a wrong password give the same answer (G-01)', async () => {
    const wrong = await login({ ...own(), password: 'not this one' });
    const unknown = await login({ email: 'nobody@example.org', password: 'not this one' });
    expect(refusal(wrong)).toEqual([401, 'INVALID_CREDENTIALS']);
    expect(unknown.body).toEqual(wrong.body);
  });

  test('An unknown email address takes as long as a wrong password (G-01)', async () => {
    /**
     * Records hash comparisons: with which password, and at what cost. Nothing else in a login takes long.
     */
    const workOf = async (email: string) => {
      const compared: string[][] = [];
      const hashed: string[] = [];
      watch.verify = (stored, password) => void compared.push([stored.split('$', 4).join('$'), password]);
      watch.hash = (password) => void hashed.push(password);
      await login({ email, password: 'not this one' });
      return { compared, hashed };
    };
    // The first call creates the hash that later ones are compared with.
    await workOf('nobody@example.org');
    const known = await workOf(user.email);
    expect(known).toEqual({ compared: [['$argon2id$v=19$m=19456,t=2,p=1', 'not this one']], hashed: [] });
    expect(await workOf('nobody@example.org')).toEqual(known);
  });

  test('A login whose sessions are ended during password verification opens no session (G-01, G-03)', async () => {
    const pilot = await api.user();
    watch.verify = async () => {
      await api.call('logoutEverywhere', { token: pilot.token });
      return true;
    };
    expect(refusal(await login({ email: pilot.email, password: pilot.password }))).toEqual([
      401,
      'INVALID_CREDENTIALS',
    ]);
    expect(
      await api.context.postgres.db.any(sql`SELECT id FROM user_session WHERE user_id = ${pilot.id}`),
    ).toEqual([]);
  });

  test('Any valid key can log in, and no other key (M-5.2f, G-02)', async () => {
    const weakest = await api.key({});
    expect((await login(own(), weakest)).status).toBe(200);
    expect(refusal(await login(own(), 'dk_unknown'))).toEqual([401, 'INVALID_DEV_KEY']);
    expect(refusal(await api.call('login', { data: own() }))).toEqual([401, 'INVALID_DEV_KEY']);
  });

  test.each([
    [{ password: 'x' }, 'MISSING_FIELD'],
    [{ email: 'a@b.example' }, 'MISSING_FIELD'],
    [{ email: 'a@b.example', password: { $ne: '' } }, 'INVALID_FIELD'],
    [{ email: 'nobody', password: 'x' }, 'INVALID_EMAIL'],
    [{ email: 'p\u0130lot@example.org', password: 'x' }, 'INVALID_EMAIL'],
    [{ email: `${'x'.repeat(250)}@example.org`, password: 'x' }, 'INVALID_EMAIL'],
    [{ email: 'a@b.example', password: 'x'.repeat(2_000) }, 'INVALID_FIELD'],
  ])('%j is refused (G-02)', async (data, code) => {
    expect(refusal(await login(data))).toEqual([400, code]);
  });

  test('A disabled account is reported as such only with the right password (G-01)', async () => {
    const locked = await api.user();
    await runSql(api.context.postgres)`UPDATE app_user SET disabled_at = now() WHERE id = ${locked.id}`;
    const right = await login({ email: locked.email, password: locked.password });
    expect(refusal(right)).toEqual([403, 'ACCOUNT_DISABLED']);
    const wrong = await login({ email: locked.email, password: 'not this one' });
    expect(refusal(wrong)).toEqual([401, 'INVALID_CREDENTIALS']);
  });

  test('The statistics start at the previous login (G-01, G-16)', async () => {
    const pilot = await api.user();
    const { clock } = api.context;
    const data = { email: pilot.email, password: pilot.password };
    clock.set('2026-09-17T08:00:00Z');
    await login(data);
    clock.set('2026-09-18T08:00:00Z');
    const second = await login(data);
    expect(at(second, 'user', 'lastLogin')).toBe('2026-09-18 08:00:00');
    expect(at(second, 'user', 'userStatisticsSinceLastLogin', 'since')).toBe('2026-09-17 08:00:00');
  });

  test('A hash weaker than the policy is replaced at the next login (M-5.1)', async () => {
    const { db } = api.context.postgres;
    const weak = await hash('weakly kept', { memoryCost: 4_096, timeCost: 1, parallelism: 1 });
    const pilot = await api.user();
    await runSql(api.context.postgres)`UPDATE app_user SET password_hash = ${weak} WHERE id = ${pilot.id}`;
    const data = { email: pilot.email, password: 'weakly kept' };
    expect((await login(data)).status).toBe(200);
    const row = await db.one<{ hash: string }>(
      sql`SELECT password_hash AS hash FROM app_user WHERE id = ${pilot.id}`,
    );
    expect(row.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await login(data)).status).toBe(200);
  });
});

test('The eleventh attempt in 15 minutes for one email address and IP is refused, another email address is not (G-01, G-27)', async () => {
  const strict = await testApi({ env: { RATE_LIMIT_SCALE: '1' } });
  const devKey = await strict.key();
  const attempt = (email: string) => strict.call('login', { devKey, data: { email, password: 'guess' } });
  for (let i = 0; i < 10; i += 1) expect((await attempt('target@example.org')).status).toBe(401);
  const next = await attempt('TARGET@example.org');
  expect(refusal(next)).toEqual([429, 'RATE_LIMITED']);
  expect(Number(next.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await attempt('other@example.org')).status).toBe(401);
  strict.context.clock.advance(901);
  expect((await attempt('target@example.org')).status).toBe(401);
  await strict.close();
});

test.each([
  ['an account', true],
  ['nobody', false],
])('Every spelling of the domain counts as %s, at login and at /device (G-01, G-27)', async (_, isKnown) => {
  const strict = await testApi({ env: { RATE_LIMIT_SCALE: '1' } });
  const devKey = await strict.key();
  if (isKnown) {
    const names = { firstname: 'Anna', lastname: 'Müller' };
    const data = { email: 'anna@müller.example', password: 'correct horse', ...names };
    await strict.call('register', { devKey, data });
  }
  const id = await identityRepo(strict.context.postgres.db).idByEmail('anna@xn--mller-kva.example');
  expect(id !== null).toBe(isKnown);
  const attempt = (email: string) => strict.call('login', { devKey, data: { email, password: 'guess' } });
  const { body } = await strict.call('deviceAuthorize', { devKey });
  const atDevice = (email: string) =>
    strict.fetch('/device', {
      method: 'POST',
      body: new URLSearchParams({
        user_code: String(body['userCode']),
        answer: 'approve',
        email,
        password: 'x',
      }),
    });
  // Variation selectors, which do not belong to the domain name.
  const marks = Array.from({ length: 8 }, (__, index) => String.fromCodePoint(0xfe_00 + index));
  for (const spelling of ['müller', 'mu\u0308ller', ...marks.map((mark) => `mül${mark}ler`)])
    expect(refusal(await attempt(`anna@${spelling}.example`))).toEqual([401, 'INVALID_CREDENTIALS']);
  for (const spelling of ['xn--mller-kva', 'MÜLLER', 'mül\u034fler', 'mül\u180bler'])
    expect(refusal(await attempt(`anna@${spelling}.example`))).toEqual([429, 'RATE_LIMITED']);
  expect((await atDevice('anna@mül\ufe0fler.example')).status).toBe(429);
  expect(refusal(await attempt('berta@müller.example'))).toEqual([401, 'INVALID_CREDENTIALS']);
  await strict.close();
});
