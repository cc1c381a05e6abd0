/** Revoking a developer key ends the tokens issued with it, wherever they are used. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOfKey } from '#platform/developer-keys.ts';
import { loadRegistries } from '#api/registry.ts';
import { testApi } from '../api.ts';
import type { Answer, CallOptions, TestApi } from '../api.ts';
import { runSql } from '../support/sql.ts';

let api: TestApi;
let revoked: string;
let other: string;
/** Issued for the revoked key. */
let token: string;
/** Issued for a key that is in use. */
let valid: string;
let names: string[];
/** Answer to the token while its key was in use. */
let before: Answer;
beforeAll(async () => {
  api = await testApi();
  [revoked, other] = [await api.key(), await api.key()];
  const pilot = await api.user();
  valid = pilot.token;
  const login = { data: { email: pilot.email, password: pilot.password } };
  token = String((await api.call('login', { ...login, devKey: revoked })).body['token']);
  before = await api.call('refreshUserData', { token });
  await runSql(api.context.postgres)`
    UPDATE developer_key SET revoked_at = now() WHERE key_hash = ${hashOfKey(revoked)}`;
  const { operations } = (await loadRegistries()).queries;
  names = operations.filter(({ auth }) => auth === 'jwt').map(({ name }) => name);
});
afterAll(() => api.close());

/** Forms without a code have the message. */
const isRefused = ({ body }: Answer): boolean =>
  /INVALID_DEV_KEY|The developer key /.test(JSON.stringify(body));

const admitted = async (options: () => CallOptions): Promise<string[]> => {
  const passed: string[] = [];
  for (const name of names) if (!isRefused(await api.call(name, options()))) passed.push(name);
  return passed;
};

describe('a revoked developer key', () => {
  test('Its token is refused by every query, whichever key is sent along (M-5.2g, G-04)', async () => {
    expect(before.status).toBe(200);
    expect(names.length).toBeGreaterThan(50);
    expect(await admitted(() => ({ token }))).toEqual([]);
    expect(await admitted(() => ({ token, devKey: other }))).toEqual([]);
    const { status, body } = await api.call('refreshUserData', { token });
    expect([status, body]).toMatchObject([
      401,
      { error: { code: 'INVALID_DEV_KEY', message: expect.stringContaining('has been revoked') as string } },
    ]);
  });

  test('The revoked key is refused by every query, including those that need none (M-5.2g)', async () => {
    expect(await admitted(() => ({ token: valid, headers: { 'x-dev-key': revoked } }))).toEqual([]);
    const status = { data: { icao: 'KJFK' }, headers: { 'x-dev-key': revoked } };
    expect(isRefused(await api.call('airportStatus', status))).toBe(true);
    expect((await api.call('refreshUserData', { token: valid, devKey: other })).status).toBe(200);
  });
});
