import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { planOf, shareWith } from '#test/support/plans.ts';

let api: TestApi;
let pilot: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  ofpId = await planOf(api, pilot);
});
afterAll(() => api.close());

const list = ({ token } = pilot, plan: unknown = ofpId) =>
  api.call('flightDataList', { token, data: { ofpId: plan } });
const save = (dataKey: string, payload: unknown, { token } = pilot) =>
  api.call('flightDataSave', { token, data: { ofpId, dataKey, payload } });

describe('flightDataList', () => {
  test('Every row is listed by key without its payload (M-2.3.l1, M-2.3.l2, M-2.3.l3, M-2.3.l4, M-2.3.l5, M-2.3.l6, M-2.3.l7, M-2.3.l8, M-2.3.l9, M-2.3.l10, M-2.1.6)', async () => {
    const editor = await api.user();
    await shareWith(api, ofpId, [pilot, editor], 'edit');
    expect((await list()).body).toEqual({ success: true, apiVersion: '1.3.6', ofpId, count: 0, items: [] });
    await save('notes', 'grüße "x"');
    await save('fuel', { kg: 8_400 });
    api.context.clock.advance(60);
    await save('fuel', { kg: 8_500 }, editor);
    const of = { createdAt: '2026-09-16 12:00:00', createdByUserId: pilot.id };
    const answer = await list();
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        apiVersion: '1.3.6',
        ofpId,
        count: 2,
        items: [
          {
            dataKey: 'fuel',
            version: 2,
            ...of,
            updatedAt: '2026-09-16 12:01:00',
            updatedByUserId: editor.id,
            payloadBytes: 11,
          },
          // A text is measured without the quotes and escapes of JSON.
          {
            dataKey: 'notes',
            version: 1,
            ...of,
            updatedAt: '2026-09-16 12:00:00',
            updatedByUserId: pilot.id,
            payloadBytes: 11,
          },
        ],
      },
    ]);
    expect((await list(editor)).body).toEqual(answer.body);
    await api.call('flightDataDelete', { token: pilot.token, data: { ofpId, dataKey: 'fuel' } });
    expect((await list()).body['count']).toBe(1);
  });

  test('A viewer may list; strangers and unknown plans get the same refusal (M-2.3.3a, M-2.3.3b, M-7.d2, M-7.d4, M-4.2.q1)', async () => {
    const [viewer, stranger] = [await api.user(), await api.user()];
    await shareWith(api, ofpId, [pilot, viewer], 'view');
    expect((await list(viewer)).status).toBe(200);
    expect(refusal(await list(stranger))).toEqual([404, 'OFP_NOT_FOUND']);
    expect(refusal(await list(pilot, 'OFP-NONE'))).toEqual([404, 'OFP_NOT_FOUND']);
    for (const plan of [null, '', '../x', 'a b'])
      expect(refusal(await list(pilot, plan))).toEqual([400, 'INVALID_OFP_ID']);
    const withoutId = await api.call('flightDataList', { token: pilot.token, data: {} });
    expect(refusal(withoutId)).toEqual([400, 'INVALID_OFP_ID']);
    const withoutToken = await api.call('flightDataList', { data: { ofpId } });
    expect(refusal(withoutToken)).toEqual([401, 'AUTH_REQUIRED']);
  });
});
