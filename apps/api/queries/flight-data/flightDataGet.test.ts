import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { planOf, shareWith } from '#test/support/plans.ts';
import { statementsDuring } from '#test/support/statements.ts';

let api: TestApi;
let pilot: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  ofpId = await planOf(api, pilot);
});
afterAll(() => api.close());

const get = (fields: Record<string, unknown> = {}, { token } = pilot) =>
  api.call('flightDataGet', { token, data: { ofpId, ...fields } });

describe('flightDataGet', () => {
  test('The answer has the whole row with its payload decoded, and the key is optional (M-2.3.g1, M-4.2.q2)', async () => {
    await api.call('flightDataSave', {
      token: pilot.token,
      data: { ofpId, payload: { a: [1, { b: null }] } },
    });
    const answer = await get();
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        apiVersion: '1.3.6',
        data: {
          ofpId,
          dataKey: 'default',
          payload: { a: [1, { b: null }] },
          version: 1,
          createdAt: '2026-09-16 12:00:00',
          updatedAt: '2026-09-16 12:00:00',
          createdByUserId: pilot.id,
          updatedByUserId: pilot.id,
        },
      },
    ]);
    expect((await get({ dataKey: 'default' })).body).toEqual(answer.body);
  });

  test('One statement checks permission and reads the data, for history and list, too', async () => {
    const data = { ofpId };
    for (const query of ['flightDataGet', 'flightDataHistory', 'flightDataList']) {
      const statements = await statementsDuring(() => api.call(query, { token: pilot.token, data }));
      expect(statements.filter((text) => /\b(?:ofp|flight_data)\b/.test(text))).toHaveLength(1);
    }
  });

  test('The answer is the same JSON, compressed or not', async () => {
    const large = { list: Array.from({ length: 5_000 }, (_, i) => `entry ${i} äöü`) };
    await api.call('flightDataSave', {
      token: pilot.token,
      data: { ofpId, dataKey: 'large', payload: large },
    });
    for (const encoding of ['identity', 'gzip']) {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${pilot.token}`,
        'accept-encoding': encoding,
      };
      const body = JSON.stringify({ query: 'flightDataGet', data: { ofpId, dataKey: 'large' } });
      const response = await api.fetch('/api', { method: 'POST', headers, body });
      expect(response.headers.get('content-encoding') ?? 'identity').toBe(encoding);
      expect(await response.json()).toMatchObject({ data: { payload: large } });
    }
  });

  test('Either kind of share reads the owner’s row; a stranger and a revoked or expired share do not (M-2.3.3a, M-2.3.3b, A-21)', async () => {
    const [viewer, editor, stranger] = [await api.user(), await api.user(), await api.user()];
    await shareWith(api, ofpId, [pilot, viewer], 'view');
    await shareWith(api, ofpId, [pilot, editor], 'edit');
    const { body } = await get();
    for (const reader of [viewer, editor]) expect((await get({}, reader)).body).toEqual(body);
    const refused = await get({}, stranger);
    expect(refusal(refused)).toEqual([404, 'OFP_NOT_FOUND']);
    expect(refused.body).toEqual((await get({ ofpId: 'OFP-NONE' }, stranger)).body);
  });

  test.each<[string, number, Record<string, unknown>]>([
    ['INVALID_OFP_ID', 400, { ofpId: 'a/b' }],
    ['INVALID_DATA_KEY', 400, { dataKey: 'k'.repeat(65) }],
    ['OFP_NOT_FOUND', 404, { ofpId: 'OFP-NONE' }],
    ['FLIGHT_DATA_NOT_FOUND', 404, { dataKey: 'none' }],
  ])(
    'The error is %s with status %i for %j (M-7.d2, M-7.d3, M-7.d4, M-7.d5)',
    async (code, status, fields) => {
      expect(refusal(await get(fields))).toEqual([status, code]);
    },
  );

  test('A call without a token is refused (M-7.d1)', async () => {
    expect(refusal(await api.call('flightDataGet', { data: { ofpId } }))).toEqual([401, 'AUTH_REQUIRED']);
  });
});
