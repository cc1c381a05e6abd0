/**
 * Rate limits for addresses, bodies, invalid tokens and keys, and accounts, and the order in which they
 * apply.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressLimit, generalLimit } from '#api/limits.ts';
import { testApi } from '../api.ts';
import type { Answer, TestApi, TestUser } from '../api.ts';

/** Small numbers in every limit that scales: 120 a minute become 12, 600 become 60. */
const scale = 0.1;

let api: TestApi;
let open: TestApi;
let user: TestUser;
let devKey: string;

beforeAll(async () => {
  open = await testApi();
  user = await open.user();
  devKey = await open.key();
  api = await testApi({
    databaseUrl: open.context.databaseUrl,
    env: { RATE_LIMIT_SCALE: String(scale), TRUSTED_PROXIES: '1' },
  });
});
afterAll(async () => {
  await api.close();
  await open.close();
});

let lastAddress = 0;
/** Headers of a client at an address that no other test uses. */
const fresh = (): Record<string, string> => {
  lastAddress += 1;
  return from(`198.51.100.${lastAddress}`);
};
const from = (ip: string): Record<string, string> => ({ 'x-forwarded-for': ip });

const codeOf = ({ body }: Answer): unknown => (body['error'] as { code?: string } | undefined)?.code;

/** The distinct codes of a number of calls, in the order of their first appearance. */
const codesOf = async (times: number, call: (i: number) => Promise<Answer>): Promise<unknown[]> => {
  const codes = new Set<unknown>();
  for (let i = 0; i < times; i += 1) codes.add(codeOf(await call(i)));
  return [...codes];
};

const general = generalLimit.points * scale;

describe('limits of invalid calls', () => {
  test('Unknown queries, missing queries and malformed bodies count towards the limits of their IP address', async () => {
    const headers = fresh();
    const unknown = (i: number) => api.call(`nothing${i}`, { headers });
    expect(await codesOf(general + 1, unknown)).toEqual(['UNKNOWN_QUERY', 'RATE_LIMITED']);
    const elsewhere = fresh();
    const broken = async () => {
      const response = await api.fetch('/api', {
        method: 'POST',
        body: '{',
        headers: { ...elsewhere, 'content-type': 'application/json' },
      });
      return {
        status: response.status,
        headers: response.headers,
        body: (await response.json()) as Answer['body'],
      };
    };
    expect(await codesOf(addressLimit.points * scale + 1, broken)).toEqual(['INVALID_JSON', 'RATE_LIMITED']);
  });

  test('Invalid tokens are counted by IP address; invalid developer keys get no separate counters', async () => {
    const headers = fresh();
    const wrongToken = (i: number) => api.call('refreshUserData', { token: `wrong${i}`, headers });
    expect(await codesOf(general + 1, wrongToken)).toEqual(['AUTH_REQUIRED', 'RATE_LIMITED']);
    const elsewhere = fresh();
    const wrongKey = (i: number) => api.call('login', { devKey: `dk_wrong${i}`, headers: elsewhere });
    expect(await codesOf(general + 1, wrongKey)).toEqual(['INVALID_DEV_KEY', 'RATE_LIMITED']);
  });

  test('A user with a valid token has their own counter at every IP address (G-27)', async () => {
    const headers = fresh();
    await codesOf(general + 1, () => api.call('nothing', { headers }));
    expect((await api.call('refreshUserData', { token: user.token, headers })).status).toBe(200);
  });

  test('Large bodies without a valid token are counted by bytes before they are read', async () => {
    const headers = fresh();
    const large = () => api.call('login', { headers, body: { pad: 'x'.repeat(250_000) } });
    const codes = await codesOf(8, large);
    expect(codes.at(-1)).toBe('RATE_LIMITED');
    expect((await api.call('login', { headers, devKey })).status).toBe(400);
    const withToken = await api.call('refreshUserData', {
      token: user.token,
      headers,
      body: { pad: 'x'.repeat(200_000) },
    });
    expect(withToken.status).toBe(200);
  });
});

describe('login', () => {
  const login = (email: string, headers: Record<string, string>, password = 'wrong password') =>
    api.call('login', { devKey, data: { email, password }, headers });

  test('All spellings of an email address count as one account, separately for each network', async () => {
    const spelling = (i: number) =>
      [user.email, user.email.toUpperCase(), ` ${user.email} `, `${user.email}\u0000`][i % 4] ?? '';
    const headers = fresh();
    expect(await codesOf(3, (i) => login(spelling(i), headers))).toContain('RATE_LIMITED');
    const network = (i: number) => from(`2001:db8:7:7:${i.toString(16)}::1`);
    expect(await codesOf(3, (i) => login(user.email, network(i)))).toEqual([
      'INVALID_CREDENTIALS',
      'RATE_LIMITED',
    ]);
  });

  test('An IP address that tries many accounts is blocked; successful logins do not count', async () => {
    const headers = fresh();
    const codes = await codesOf(10, (i) => login(`nobody${i}@example.org`, headers));
    expect(codes).toEqual(['INVALID_CREDENTIALS', 'RATE_LIMITED']);
    const users = await Promise.all(Array.from({ length: 7 }, () => open.user()));
    const office = fresh();
    for (const each of users) expect((await login(each.email, office, each.password)).status).toBe(200);
  });

  test('The response shows the limit with the smallest remaining share', async () => {
    const answer = await login('somebody@example.org', fresh());
    expect(answer.headers.get('ratelimit-policy')).toMatch(/^"login";q=1;/);
    const other = await open.user();
    const next = await api.call('refreshUserData', { token: other.token, headers: fresh() });
    expect(next.headers.get('ratelimit-policy')).toMatch(/^"general";q=12;/);
  });

  test('An email address that registration refuses is a 400 at login, too', async () => {
    for (const email of ['İ@example.org', 'no address', 'a@b'])
      expect([email, (await login(email, fresh())).status]).toEqual([email, 400]);
  });
});

test('Password resets requested from one network limit neither other networks nor the other accounts in it', async () => {
  const headers = fresh();
  const ask = (email: string) => api.call('requestPasswordReset', { devKey, data: { email }, headers });
  expect(await codesOf(3, () => ask('one@example.org'))).toEqual([undefined, 'RATE_LIMITED']);
  expect((await ask('two@example.org')).status).toBe(200);
});

describe('token errors', () => {
  const refusal = async (token?: string) => {
    const answer = await open.call('refreshUserData', token === undefined ? {} : { token });
    const { message } = answer.body['error'] as { message: string };
    return [answer.status, codeOf(answer), message, answer.headers.get('www-authenticate')];
  };

  test('Missing, malformed, expired and revoked tokens have one code and four messages', async () => {
    const other = await open.user();
    const challenge = (text: string) => `Bearer error="invalid_token", error_description="the token ${text}"`;
    const message = (text: string) => `Authentication required: the token ${text}.`;
    expect(await refusal()).toEqual([401, 'AUTH_REQUIRED', 'Authentication required.', 'Bearer']);
    for (const [token, text] of [
      ['malformed', 'is not valid'],
      [`${other.token.slice(0, -4)}AAAA`, 'is not valid'],
    ] as const)
      expect(await refusal(token)).toEqual([401, 'AUTH_REQUIRED', message(text), challenge(text)]);
    open.context.clock.advance(86_401);
    const expired = 'has expired';
    expect(await refusal(other.token)).toEqual([401, 'AUTH_REQUIRED', message(expired), challenge(expired)]);
    open.context.clock.advance(-86_401);
    const revoked = 'has been revoked';
    const { token } = await open.running.services.tokens.issue({
      userId: other.id,
      developerKeyId: null,
      generation: 99,
    });
    expect(await refusal(token)).toEqual([401, 'AUTH_REQUIRED', message(revoked), challenge(revoked)]);
  });
});
