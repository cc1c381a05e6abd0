import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { airline, gateRefusals } from '#test/support/airlines.ts';
import type { AirlinePeople } from '#test/support/airlines.ts';
import { at, refusal } from '#test/support/answers.ts';
import { newChecklist } from '#test/support/checklists.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let pilot: TestUser;
let other: TestUser;
let alpha: AirlinePeople;
beforeAll(async () => {
  api = await testApi();
  [pilot, other] = [await api.user(), await api.user()];
  alpha = await airline(api, 'Alpha Air');
  await airline(api, 'Beta Air');
});
afterAll(() => api.close());

const remove = (data: unknown, { token } = pilot) => api.call('checklistDelete', { token, data });
const get = (checklistId: string, { token } = pilot) =>
  api.call('checklistGet', { token, data: { checklistId } });

describe('checklistDelete', () => {
  test('Deleting a checklist deletes its ratings (M-2.2.7, M-2.2.s2, M-4.1.q4, M-7.k14)', async () => {
    const checklistId = await newChecklist(api, pilot, { shareCommunity: true });
    const rated = await api.call('checklistRate', { token: other.token, data: { checklistId, rating: 4 } });
    expect(rated.status).toBe(200);
    const { status, body } = await remove({ checklistId });
    expect([status, body]).toEqual([
      200,
      { success: true, apiVersion: '1.3.6', data: { checklistId, deleted: true } },
    ]);
    expect(refusal(await get(checklistId))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await remove({ checklistId }))).toEqual([404, 'NOT_FOUND']);
    expect(await api.context.postgres.db.any(sql`SELECT 1 FROM checklist_rating`)).toEqual([]);
  });

  test('Airline checklists are deleted only by its admins, a user’s own only by that user (M-2.2.k4, M-2.2.k5, M-2.2.k6, M-2.2.9, M-4.1.q4, M-7.k11, M-7.k12, M-7.k13, A-14)', async () => {
    const mine = await newChecklist(api, pilot, { shareCommunity: true });
    for (const user of [other, alpha.admin])
      expect(refusal(await remove({ checklistId: mine }, user))).toEqual([404, 'NOT_FOUND']);
    const [first, second] = [
      await newChecklist(api, alpha.admin, { isVA: true }),
      await newChecklist(api, alpha.admin, { isVA: true }),
    ];
    expect(refusal(await remove({ checklistId: first }, alpha.admin))).toEqual([404, 'NOT_FOUND']);
    for (const { what, user, data, refusal: expected } of await gateRefusals(
      api,
      alpha,
      'Alpha Air',
      'Beta Air',
    ))
      expect([what, refusal(await remove({ ...data, checklistId: first }, user))]).toEqual([what, expected]);
    expect((await remove({ checklistId: first, isVA: true }, alpha.admin)).status).toBe(200);
    const named = { checklistId: second, isVA: true, vaName: 'alpha air' };
    expect(at(await remove(named, alpha.full), 'data')).toEqual({ checklistId: second, deleted: true });
  });

  test('Ids that cannot be deleted are refused (M-2.2.2, M-7.k2, M-7.k3, M-7.k4)', async () => {
    for (const data of [{}, { checklistId: null }, { checklistId: '' }])
      expect(refusal(await remove(data))).toEqual([400, 'MISSING_CHECKLIST_ID']);
    for (const checklistId of ['abc', 7, '737ng'])
      expect(refusal(await remove({ checklistId }))).toEqual([400, 'INVALID_CHECKLIST_ID']);
    expect(refusal(await remove({ checklistId: 'default:1.3.6:737ng' }))).toEqual([403, 'READ_ONLY_DEFAULT']);
  });

  test('A database failure is DB_ERROR, and the checklist remains (M-7.k15)', async () => {
    const { postgres } = api.context;
    const checklistId = await newChecklist(api, pilot);
    await runSql(postgres)`CREATE TABLE broken (id uuid REFERENCES checklist (id))`;
    await runSql(postgres)`INSERT INTO broken VALUES (${checklistId})`;
    expect(refusal(await remove({ checklistId }))).toEqual([500, 'DB_ERROR']);
    await runSql(postgres)`DROP TABLE broken`;
    expect((await get(checklistId)).status).toBe(200);
  });

  test('A call without a token is refused (M-7.k1)', async () => {
    expect(refusal(await api.call('checklistDelete', { data: { checklistId: 'x' } }))).toEqual([
      401,
      'AUTH_REQUIRED',
    ]);
  });
});
