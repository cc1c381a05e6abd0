import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#data/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { planDocument } from '#test/support/ofp.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
});
afterAll(() => api.close());

const importPlan = async (requestId: string): Promise<string> => {
  const data = { source: 'json', document: planDocument({ requestId }) };
  return String((await api.call('ofpImport', { token: user.token, data })).body['ofpId']);
};
const remove = (ofpId: unknown, { token } = user) => api.call('ofpDelete', { token, data: { ofpId } });

describe('ofpDelete', () => {
  test('Deletes the plan with its documents, and no other (M-4.2.q7, G-06)', async () => {
    const [gone, kept] = [await importPlan('1'), await importPlan('2')];
    expect((await remove(gone)).body).toEqual({
      success: true,
      apiVersion: '1.3.6',
      ofpId: gone,
      deleted: true,
    });
    const rows = await api.context.postgres.db.any(
      sql`SELECT ofp_id AS id FROM ofp_revision UNION SELECT id FROM ofp`,
    );
    expect(rows).toEqual([{ id: kept }]);
    expect(refusal(await remove(gone))).toEqual([404, 'OFP_NOT_FOUND']);
  });

  test('Only the owner may delete it (M-2.3.4a)', async () => {
    const ofpId = await importPlan('3');
    expect(refusal(await remove(ofpId, await api.user()))).toEqual([404, 'OFP_NOT_FOUND']);
    expect((await remove(ofpId)).status).toBe(200);
  });

  test.each([undefined, '', '../x', 'a b', 7, null])('An id %j is refused (M-7.d2)', async (ofpId) => {
    expect(refusal(await remove(ofpId))).toEqual([400, 'INVALID_OFP_ID']);
  });

  test('A call without a token is refused', async () => {
    expect(refusal(await api.call('ofpDelete', { data: { ofpId: 'OFP-x' } }))).toEqual([
      401,
      'AUTH_REQUIRED',
    ]);
  });
});
