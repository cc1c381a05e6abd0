import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSealed } from '#store/auth/secrets.ts';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { loggedCall } from '#test/support/request-log.ts';

let api: TestApi;
let key: string;
beforeAll(async () => {
  api = await testApi();
  key = await api.key({ userInfo: 'FULL' });
});
afterAll(() => api.close());

const anna = {
  email: 'anna.mueller@mail.example',
  password: 'secret-1',
  firstname: 'Anna',
  lastname: 'Müller',
};
let serial = 0;
const fresh = (extra: Record<string, unknown> = {}) => {
  serial += 1;
  return { ...anna, email: `pilot${serial}@mail.example`, ...extra };
};

describe('register', () => {
  test('The returned token is valid immediately (M-2.7.r1, M-2.7.r2, M-2.7.r3, M-2.7.r4, M-2.7.r5, M-2.7.r6, M-4.6.q1j, G-03)', async () => {
    const answer = await api.call('register', { data: anna, devKey: key });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: true, apiVersion: '1.3.6', expiresIn: 86_400 });
    expect(at(answer, 'expires')).toBe(
      new Date(api.context.clock.now().getTime() + 86_400_000).toISOString(),
    );
    expect(at(answer, 'user', 'email')).toBe(anna.email);
    const again = await api.call('refreshUserData', { token: String(at(answer, 'token')) });
    expect(at(again, 'user')).toEqual(at(answer, 'user'));
  });

  test('The API key has the specified form (M-2.7.r7)', async () => {
    const answer = await api.call('signUp', { data: fresh(), devKey: key });
    expect(at(answer, 'user', 'apiKey')).toMatch(/^API-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  });

  test('Only a key with FULL user_info can register (M-4.6.q1a, M-2.1.2a, M-5.2a, G-04)', async () => {
    for (const userInfo of ['SIMPLE', 'MEDIUM', null] as const) {
      const weak = await api.key({ userInfo });
      const answer = await api.call('register', { data: fresh(), devKey: weak });
      expect(refusal(answer)).toEqual([403, 'ACCESS_DENIED']);
    }
    for (const body of [{}, { devKey: 'dk_wrong' }]) {
      const answer = await api.call('register', { data: fresh(), body });
      expect(refusal(answer)).toEqual([401, 'INVALID_DEV_KEY']);
    }
    for (const options of [{ headers: { 'x-dev-key': key } }, { body: { dev_key: key } }, { devKey: key }]) {
      expect((await api.call('register', { data: fresh(), ...options })).status).toBe(200);
    }
  });

  test('Email addresses are unique regardless of case, even when two calls race (M-4.6.q1b)', async () => {
    const user = fresh();
    const racing = await Promise.all([1, 2, 3].map(() => api.call('register', { data: user, devKey: key })));
    expect(racing.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const upper = await api.call('register', {
      data: { ...user, email: user.email.toUpperCase() },
      devKey: key,
    });
    expect(refusal(upper)).toEqual([409, 'EMAIL_ALREADY_REGISTERED']);
  });

  const refusedFields: [string, unknown, string][] = [
    ['email', undefined, 'MISSING_FIELD'],
    ['email', 'not a mail', 'INVALID_EMAIL'],
    ['email', 7, 'INVALID_FIELD'],
    ['email', `${'x'.repeat(250)}@a.example`, 'INVALID_EMAIL'],
    ['email', 'a@mül ler.example', 'INVALID_EMAIL'],
    ['password', undefined, 'MISSING_FIELD'],
    ['password', '12345', 'PASSWORD_TOO_SHORT'],
    ['firstname', undefined, 'MISSING_FIELD'],
    ['lastname', '  ', 'MISSING_FIELD'],
    ['firstname', 'x'.repeat(51), 'INVALID_FIELD'],
    ['firstname', 'Anna\nBcc: a@b.example', 'INVALID_FIELD'],
    ['lastname', 'see https://evil.example', 'INVALID_FIELD'],
    ['rank', 'JFO', 'INVALID_RANK'],
    ['crewcode', 'x'.repeat(21), 'INVALID_FIELD'],
    ['pin', '123', 'INVALID_FIELD'],
    ['pin', 1_234_567, 'INVALID_FIELD'],
    ['plannerId', 1.5, 'INVALID_FIELD'],
    ['userPreferences', { defaultUnit: 'FURLONG' }, 'INVALID_FIELD'],
    ['userPreferences', { multiplayerNetwork: 'ELSEWHERE' }, 'INVALID_FIELD'],
  ];

  test.each(refusedFields)(
    '%s = %j is %s (M-4.6.q1c, M-4.6.q1d, M-4.6.q1e, M-8.11, M-8.12, A-08, G-02)',
    async (field, value, code) => {
      const user = fresh({ [field]: value });
      const answer = await api.call('register', { data: user, devKey: key });
      expect(refusal(answer)).toEqual([400, code]);
      const stored = await api.context.postgres.db.any(
        sql`SELECT 1 FROM app_user WHERE email = ${user.email}`,
      );
      expect(stored).toEqual([]);
    },
  );

  test.each(['email', 'password', 'firstname', 'lastname'])('A missing %s is named (G-02)', async (field) => {
    const answer = await api.call('register', { data: fresh({ [field]: undefined }), devKey: key });
    expect(at(answer, 'error', 'message')).toBe(`Missing required field: ${field}.`);
  });

  test('Lengths at the limit are accepted, and characters outside the basic plane count once (M-4.6.q1c, M-8.11, M-8.12)', async () => {
    const user = fresh({ password: '123456', firstname: '𝔸'.repeat(50), crewcode: 'x'.repeat(20) });
    expect((await api.call('register', { data: user, devKey: key })).status).toBe(200);
  });

  test('International mail domains are accepted, in either form for the same account, and an invalid PIN is explained', async () => {
    const user = fresh({ email: 'anna@müller.example' });
    const answer = await api.call('register', { data: user, devKey: key });
    expect([answer.status, at(answer, 'user', 'email')]).toEqual([200, 'anna@xn--mller-kva.example']);
    const again = { data: { ...user, email: 'anna@xn--mller-kva.example' }, devKey: key };
    expect(refusal(await api.call('register', again))).toEqual([409, 'EMAIL_ALREADY_REGISTERED']);
    const { body } = await api.call('register', { data: fresh({ pin: '12' }), devKey: key });
    expect(at({ body } as never, 'error', 'details')).toEqual(['pin: must have 4 to 6 digits']);
  });

  test('The rank is CAPT by default, or FO or LTC (M-4.6.q1e)', async () => {
    for (const [given, expected] of [
      [undefined, 'CAPT'],
      ['CAPT', 'CAPT'],
      ['FO', 'FO'],
      ['LTC', 'LTC'],
    ]) {
      const answer = await api.call('register', { data: fresh({ rank: given }), devKey: key });
      expect(at(answer, 'user', 'rank')).toBe(expected);
    }
  });

  test('The crew code is derived from the names unless it is given (M-4.6.q1f)', async () => {
    expect(at(await api.call('register', { data: fresh(), devKey: key }), 'user', 'crewcode')).toBe('MULLEA');
    const own = await api.call('register', { data: fresh({ crewcode: 'Fly1' }), devKey: key });
    expect(at(own, 'user', 'crewcode')).toBe('Fly1');
  });

  test('The PIN is stored encrypted and never returned (M-4.6.q1g)', async () => {
    const user = fresh({ pin: '908173' });
    const answer = await api.call('register', { data: user, devKey: key });
    expect(JSON.stringify(answer.body)).not.toContain('908173');
    const row = await api.context.postgres.db.one<{ sealed: Buffer }>(
      sql`SELECT pin_sealed AS sealed FROM app_user WHERE email = ${user.email}`,
    );
    expect(openSealed(row.sealed, 'PIN seal', api.context.config.ENCRYPTION_KEYS)).toBe('908173');
  });

  test('The fields plannerId and multiplayerNetwork become preferences (M-4.6.q1h, M-4.6.q1i, A-09)', async () => {
    const userPreferences = { defaultUnit: 'HYBRID2', multiplayerNetwork: 'VATSIM' };
    const answer = await api.call('register', {
      data: fresh({ plannerId: 4711, userPreferences }),
      devKey: key,
    });
    const shown = at(answer, 'user', 'userPreferences');
    expect(shown).toMatchObject({
      defaultUnit: 'HYBRID2',
      onlineServer: 'VATSIM',
      planner: { plannerUserId: 4711 },
    });
    expect(shown).not.toHaveProperty('multiplayerNetwork');
    expect(shown).not.toHaveProperty('plannerId');
  });

  test('Fields may be beside query instead of inside data (G-01)', async () => {
    const answer = await api.call('register', { body: { ...fresh(), devKey: key } });
    expect(answer.status).toBe(200);
  });

  test('Neither password nor hash leaves the service, and the log contains neither (M-5.8)', async () => {
    const user = fresh({ password: 'canary-password' });
    const answer = await api.call('register', { data: user, devKey: key });
    const row = await loggedCall(api, answer);
    expect(row.response).toContain('redacted');
    for (const text of [JSON.stringify(answer.body), JSON.stringify(row)]) {
      expect(text).not.toContain('canary-password');
      expect(text).not.toContain('argon2id');
      expect(text).not.toContain(key);
    }
  });
});

test('The 21st registration within an hour from one IP address is refused (G-27)', async () => {
  const strict = await testApi({ env: { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '1' } });
  const devKey = await strict.key();
  const from = (ip: string) =>
    strict.call('register', { data: fresh(), devKey, headers: { 'x-forwarded-for': ip } });
  for (let i = 0; i < 20; i += 1) expect((await from('192.0.2.1')).status).toBe(200);
  const next = await from('192.0.2.1');
  expect(refusal(next)).toEqual([429, 'RATE_LIMITED']);
  expect(Number(next.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await from('192.0.2.2')).status).toBe(200);
  await strict.close();
});
