import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

describe('deviceAuthorize', () => {
  test('The answer has a user code without vowels and a long device code, both stored only as hashes (RFC 8628)', async () => {
    const { status, body } = await api.call('deviceAuthorize', { devKey: await api.key({}) });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        deviceCode: expect.stringMatching(/^[\w-]{43}$/),
        userCode: expect.stringMatching(/^[B-DF-HJ-NP-TV-Z]{4}-[B-DF-HJ-NP-TV-Z]{4}$/),
        verificationUri: `${api.context.config.WEB_BASE_URL}/device`,
        expiresIn: 600,
        interval: 5,
      }),
    ]);
    expect(body['verificationUriComplete']).toBe(
      `${api.context.config.WEB_BASE_URL}/device?user_code=${String(body['userCode'])}`,
    );
    const rows = await api.context.postgres.db.any<{ row: string }>(
      sql`SELECT l::text AS row FROM device_login l`,
    );
    expect(rows).toHaveLength(1);
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(String(body['deviceCode']));
    expect(stored).not.toContain(String(body['userCode']).replace('-', ''));
  });

  test('An application without a valid key gets no device code', async () => {
    expect(refusal(await api.call('deviceAuthorize'))).toEqual([401, 'INVALID_DEV_KEY']);
    expect(refusal(await api.call('deviceAuthorize', { devKey: 'dk_unknown' }))).toEqual([
      401,
      'INVALID_DEV_KEY',
    ]);
  });
});
