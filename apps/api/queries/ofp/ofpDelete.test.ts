import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { planDocument } from '#test/support/ofp.ts';
import { shareWith } from '#test/support/plans.ts';

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
  test('The plan is deleted with its documents, and no other plan (M-4.2.q7, G-06)', async () => {
    const [gone, kept] = [await importPlan('1'), await importPlan('2')];
    expect((await remove(gone)).body).toEqual({
      success: true,
      apiVersion: '1.3.6',
      ofpId: gone,
      deleted: true,
      flightDataDeleted: 0,
      sharesRevoked: 0,
    });
    const rows = await api.context.postgres.db.any(
      sql`SELECT ofp_id AS id FROM ofp_revision UNION SELECT id FROM ofp`,
    );
    expect(rows).toEqual([{ id: kept }]);
    expect(refusal(await remove(gone))).toEqual([404, 'OFP_NOT_FOUND']);
  });

  test('Only the owner may delete a plan, not a recipient with edit permission (M-2.3.4a, M-7.s12)', async () => {
    const [ofpId, editor] = [await importPlan('3'), await api.user()];
    await shareWith(api, ofpId, [user, editor], 'edit');
    expect(refusal(await remove(ofpId, editor))).toEqual([403, 'INSUFFICIENT_PERMISSION']);
    expect(refusal(await remove(ofpId, await api.user()))).toEqual([404, 'OFP_NOT_FOUND']);
    expect((await remove(ofpId)).status).toBe(200);
  });

  test('Deleting a plan deletes its flight data and revokes its shares, of this plan only (J-03, M-2.3.4a)', async () => {
    const [ofpId, other] = [await importPlan('4'), await importPlan('5')];
    const recipient = await api.user();
    const of = (name: string, data: object, { token } = user) => api.call(name, { token, data });
    for (const id of [ofpId, other])
      for (const dataKey of ['a', 'b', 'c']) await of('flightDataSave', { ofpId: id, dataKey, payload: {} });
    await of('flightDataDelete', { ofpId, dataKey: 'c' });
    const shares = [];
    for (const id of [ofpId, ofpId, ofpId, other])
      shares.push((await of('ofpShare', { ofpId: id })).body['share'] as Record<string, unknown>);
    await of('ofpShareAccept', { shareToken: shares[0]?.['shareToken'] }, recipient);
    await of('ofpShareRevoke', { id: shares[2]?.['id'] });
    expect((await remove(ofpId)).body).toMatchObject({ flightDataDeleted: 2, sharesRevoked: 2 });
    for (const { token } of [user, recipient])
      expect(refusal(await of('flightDataList', { ofpId }, { ...user, token }))).toEqual([
        404,
        'OFP_NOT_FOUND',
      ]);
    const redeemed = await of('ofpShareAccept', { shareToken: shares[1]?.['shareToken'] }, recipient);
    expect(refusal(redeemed)).toEqual([410, 'SHARE_REVOKED']);
    expect((await of('flightDataList', { ofpId: other })).body['count']).toBe(3);
    const left = await api.context.postgres.db.any(sql`SELECT id FROM flight_data WHERE ofp_id = ${ofpId}`);
    expect(left).toEqual([]);
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
