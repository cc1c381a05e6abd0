import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { planOf, shareWith } from '#test/support/plans.ts';
import { runSql } from '#test/support/sql.ts';

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
  await save({ n: 1 });
});

const call = (name: string, fields: Record<string, unknown> = {}, { token } = pilot) =>
  api.call(name, { token, data: { ofpId, ...fields } });
const save = (payload: unknown, fields: Record<string, unknown> = {}) =>
  call('flightDataSave', { payload, ...fields });
const remove = (fields: Record<string, unknown> = {}, user = pilot) => call('flightDataDelete', fields, user);

describe('flightDataDelete', () => {
  test('A deleted section is gone, and a second deletion finds none (M-2.3.g3, M-4.2.q4, M-7.d5)', async () => {
    const { status, body } = await remove();
    expect([status, body]).toEqual([
      200,
      { success: true, apiVersion: '1.3.6', ofpId, dataKey: 'default', deleted: true },
    ]);
    expect(refusal(await call('flightDataGet'))).toEqual([404, 'FLIGHT_DATA_NOT_FOUND']);
    expect(refusal(await remove())).toEqual([404, 'FLIGHT_DATA_NOT_FOUND']);
  });

  test('Deletions that race with saves and have no expectedVersion either delete the section or find none', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 25; round += 1) {
      await save({ round });
      const calls = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? remove() : save({ round, i })));
      const answers = await Promise.all(calls);
      for (const [i, { status, body }] of answers.entries())
        if (i % 2 === 0)
          outcomes.add(`${status} ${String((body['error'] as { code?: string } | undefined)?.code)}`);
    }
    expect(
      [...outcomes].filter((one) => !['200 undefined', '404 FLIGHT_DATA_NOT_FOUND'].includes(one)),
    ).toEqual([]);
  });

  test('A section created again continues its version numbers and has new times', async () => {
    await save({ n: 2 });
    await remove();
    api.context.clock.advance(60);
    const again = await save({ n: 3 }, { expectedVersion: 0 });
    expect(again.body['data']).toMatchObject({
      version: 4,
      createdAt: '2026-09-16 12:01:00',
      updatedAt: '2026-09-16 12:01:00',
    });
    // A device that has not seen the deletion.
    expect(refusal(await save({ n: 9 }, { expectedVersion: 2 }))).toEqual([409, 'VERSION_CONFLICT']);
    api.context.clock.advance(-60);
  });

  test('A deletion with expectedVersion does not delete what another pad has just saved', async () => {
    await save({ n: 2 });
    const stale = await remove({ expectedVersion: 1 });
    expect(refusal(stale)).toEqual([409, 'VERSION_CONFLICT']);
    expect(at(stale, 'current')).toMatchObject({
      version: 2,
      payload: { n: 2 },
    });
    expect(refusal(await remove({ expectedVersion: 'x' }))).toEqual([400, 'INVALID_FIELD']);
    expect((await remove({ expectedVersion: 2 })).status).toBe(200);
  });

  test('A late save says that it recreated a deleted section, and with ifDeleted it is refused; a deletion raises the version and is listed for 30 days', async () => {
    const saved = await save({ n: 2 });
    expect(saved.body).not.toHaveProperty('recreated');
    await remove();
    const deletion = { deletedAt: '2026-09-16 12:00:00', deletedByUserId: pilot.id };
    const late = await Promise.all(
      Array.from({ length: 20 }, (_, n) => save({ n }, { expectedVersion: 2, ifDeleted: 'refuse' })),
    );
    for (const answer of late) {
      expect(refusal(answer)).toEqual([409, 'FLIGHT_DATA_DELETED']);
      expect(answer.body).toMatchObject({ deletedByUserId: pilot.id });
    }
    const listed = await call('flightDataList', { includeDeleted: true });
    expect([at(listed, 'count'), at(listed, 'deleted')]).toEqual([
      0,
      [{ dataKey: 'default', version: 3, deletedAt: expect.any(String), deletedByUserId: pilot.id }],
    ]);
    expect((await call('flightDataList', {})).body).not.toHaveProperty('deleted');
    const raised = await save({ n: 9 }, { expectedVersion: 2 });
    expect([at(raised, 'data', 'version'), at(raised, 'recreated')]).toEqual([
      4,
      { ...deletion, deletedAt: expect.any(String) },
    ]);
    expect((await save({ n: 10 }, { expectedVersion: 4, ifDeleted: 'refuse' })).status).toBe(200);
    await remove();
    await runSql(api.context.postgres)`
      UPDATE flight_data SET updated_at = updated_at - interval '31 days' WHERE ofp_id = ${ofpId}`;
    expect(at(await call('flightDataList', { includeDeleted: true }), 'deleted')).toEqual([]);
    expect(refusal(await call('flightDataList', { includeDeleted: 'x' }))).toEqual([400, 'INVALID_FIELD']);
  });

  test('Of 20 simultaneous deletions one deletes, and the history has one entry for it', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove()));
    expect(answers.filter(({ status }) => status === 200).length).toBe(1);
    const history = await call('flightDataHistory');
    expect(at(history, 'count')).toBe(2);
  });

  test('An editor may delete a section, a viewer and a stranger may not (M-2.3.3c, M-2.3.3e, M-7.s12)', async () => {
    const [editor, viewer, stranger] = [await api.user(), await api.user(), await api.user()];
    await shareWith(api, ofpId, [pilot, editor], 'edit');
    await shareWith(api, ofpId, [pilot, viewer], 'view');
    expect(refusal(await remove({}, viewer))).toEqual([403, 'INSUFFICIENT_PERMISSION']);
    expect(refusal(await remove({}, stranger))).toEqual([404, 'OFP_NOT_FOUND']);
    expect((await remove({}, editor)).status).toBe(200);
    expect(at(await call('flightDataHistory'), 'items', 0)).toMatchObject({
      changeType: 'delete',
      changedByUserId: editor.id,
    });
  });

  test.each<[string, number, Record<string, unknown>]>([
    ['INVALID_OFP_ID', 400, { ofpId: '' }],
    ['INVALID_DATA_KEY', 400, { dataKey: 'a b' }],
    ['OFP_NOT_FOUND', 404, { ofpId: 'OFP-NONE' }],
    ['FLIGHT_DATA_NOT_FOUND', 404, { dataKey: 'none' }],
  ])(
    'The error is %s with status %i for %j (M-7.d2, M-7.d3, M-7.d4, M-7.d5)',
    async (code, status, fields) => {
      expect(refusal(await remove(fields))).toEqual([status, code]);
    },
  );

  test('A call without a token is refused (M-7.d1)', async () => {
    expect(refusal(await api.call('flightDataDelete', { data: { ofpId } }))).toEqual([401, 'AUTH_REQUIRED']);
    expect((await call('flightDataGet')).status).toBe(200);
  });
});
