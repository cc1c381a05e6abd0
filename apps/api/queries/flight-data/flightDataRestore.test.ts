import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { planOf, shareWith } from '#test/support/plans.ts';

let api: TestApi;
let pilot: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
});
afterAll(() => api.close());
beforeEach(async () => {
  ofpId = await planOf(api, pilot);
  for (const payload of [{ n: 1 }, 'second']) await call('flightDataSave', { payload });
});

type Fields = Record<string, unknown>;
const call = (name: string, fields: Fields = {}, { token } = pilot) =>
  api.call(name, { token, data: { ofpId, ...fields } });
const restore = (fields: Fields, user = pilot) => call('flightDataRestore', fields, user);

describe('flightDataRestore', () => {
  test('An earlier version becomes the newest one, and the history keeps all versions (M-2.3.h11)', async () => {
    const { status, body } = await restore({ version: 1, expectedVersion: 2 });
    expect([status, body['data']]).toEqual([200, expect.objectContaining({ version: 3, payload: { n: 1 } })]);
    expect((await call('flightDataGet')).body['data']).toEqual(body['data']);
    const { body: history } = await call('flightDataHistory', { includePayload: true });
    expect(history).toMatchObject({
      items: [{ version: 3, payload: { n: 1 } }, { version: 2, payload: 'second' }, { version: 1 }],
    });
  });

  test('A deleted section can be restored, by an editor, too', async () => {
    const editor = await api.user();
    await shareWith(api, ofpId, [pilot, editor], 'edit');
    await call('flightDataDelete');
    const answer = await restore({ version: 2 }, editor);
    expect(at(answer, 'data')).toMatchObject({ version: 4, payload: 'second', updatedByUserId: editor.id });
    expect(at(answer, 'recreated')).toMatchObject({ deletedByUserId: pilot.id });
  });

  test('Recipients who may only read restore nothing', async () => {
    const reader = await api.user();
    await shareWith(api, ofpId, [pilot, reader]);
    expect(refusal(await restore({ version: 1 }, reader))).toEqual([403, 'INSUFFICIENT_PERMISSION']);
  });

  test.each<[string, number, Fields]>([
    ['VERSION_CONFLICT', 409, { version: 1, expectedVersion: 1 }],
    ['VERSION_CONFLICT', 409, { version: 1, lastDownloadedAt: '2020-01-01T00:00:00Z' }],
    ['VERSION_NOT_FOUND', 404, { version: 3 }],
    ['FLIGHT_DATA_NOT_FOUND', 404, { version: 1, dataKey: 'none' }],
    ['INVALID_FIELD', 400, { version: 0 }],
    ['INVALID_FIELD', 400, {}],
    ['INVALID_DATA_KEY', 400, { version: 1, dataKey: 'a b' }],
    ['INVALID_TIMESTAMP', 400, { version: 1, lastDownloadedAt: 'yesterday' }],
    ['OFP_NOT_FOUND', 404, { version: 1, ofpId: 'OFP-NONE' }],
  ])('The error is %s with status %i for %j', async (code, status, fields) => {
    expect(refusal(await restore(fields))).toEqual([status, code]);
    expect(at(await call('flightDataGet'), 'data', 'version')).toBe(2);
  });
});
