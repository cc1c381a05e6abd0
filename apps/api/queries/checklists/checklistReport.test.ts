import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { airline } from '#test/support/airlines.ts';
import { at, refusal } from '#test/support/answers.ts';
import { newChecklist } from '#test/support/checklists.ts';
import { decide, ops } from '#test/support/ops.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let owner: TestUser;
let reader: TestUser;
beforeAll(async () => {
  api = await testApi({ env: { RATE_LIMIT_SCALE: '1' } });
  [owner, reader] = [await api.user(), await api.user()];
});
afterAll(() => api.close());

const report = (checklistId: unknown, fields: Record<string, unknown> = {}, { token } = reader) =>
  api.call('checklistReport', { token, data: { checklistId, reason: 'WRONG', ...fields } });
const operator = async (line: string) => (await ops(api.context, `${line} --json`)).json;
const isListed = async (checklistId: string): Promise<boolean> => {
  const lists = at(await api.call('checklistList', { token: reader.token }), 'data', 'communityChecklists');
  return (lists as { checklistId: string }[]).some((one) => one.checklistId === checklistId);
};

describe('checklistReport', () => {
  test('The operator dismisses a report or removes the checklist from the community, and either is audited (G-05)', async () => {
    const checklistId = await newChecklist(api, owner, { name: 'Odd', shareCommunity: true });
    const first = await report(checklistId, { description: '  The flaps stay up.  ' });
    expect(at(first, 'data')).toEqual({ checklistId, reportId: expect.any(Number) });
    const reportId = Number(at(first, 'data', 'reportId'));
    expect(refusal(await report(checklistId))).toEqual([409, 'ALREADY_REPORTED']);
    const other = await api.user();
    expect((await report(checklistId, { reason: 'COPYRIGHT' }, other)).status).toBe(200);
    const { reports } = await operator('checklist reports');
    expect(reports).toEqual([
      expect.objectContaining({ reporter: other.email, reason: 'COPYRIGHT', description: null }),
      {
        id: reportId,
        checklistId,
        name: 'Odd',
        owner: owner.email,
        shared: true,
        reporter: reader.email,
        reason: 'WRONG',
        description: 'The flaps stay up.',
        changedSince: false,
        createdAt: expect.any(String),
        closedAt: null,
        outcome: null,
        revision: expect.any(Number),
      },
    ]);
    // A report that the operator has not looked at is not dismissed.
    expect((await ops(api.context, `checklist dismiss --id ${reportId}`)).status).toBe(2);
    expect((await decide(api.context, `checklist dismiss --id ${reportId}`)).status).toBe(0);
    expect((await decide(api.context, `checklist dismiss --id ${reportId}`)).status).toBe(1);
    // Once it is answered, the user may report it again.
    expect((await report(checklistId)).status).toBe(200);
    expect(await isListed(checklistId)).toBe(true);
    expect(await operator(`checklist unshare --id ${checklistId}`)).toMatchObject({ closedReports: 2 });
    expect(await isListed(checklistId)).toBe(false);
    expect(await operator('checklist reports')).toMatchObject({ reports: [] });
    const closed = (await operator('checklist reports --closed'))['reports'] as { outcome: string }[];
    expect(closed.map(({ outcome }) => outcome)).toEqual(['unshared', 'unshared', 'dismissed']);
    const { audit } = await operator('audit list');
    expect((audit as { action: string }[]).map(({ action }) => action)).toEqual([
      'checklist unshare',
      'checklist dismiss',
    ]);
  });

  test('Only checklists shared by others can be reported', async () => {
    const mine = await newChecklist(api, reader, { shareCommunity: true });
    const { admin, member } = await airline(api, 'Alpha Air');
    const ofAirline = await newChecklist(api, admin, { isVA: true, shareCommunity: true });
    const closed = await newChecklist(api, owner);
    expect(refusal(await report(mine))).toEqual([403, 'CANNOT_REPORT_OWN']);
    expect(refusal(await report(ofAirline, {}, member))).toEqual([403, 'CANNOT_REPORT_OWN']);
    for (const id of [closed, 'default:1.3.6:787'])
      expect(refusal(await report(id))).toEqual([403, 'NOT_SHARED']);
    expect(refusal(await report('00000000-0000-4000-8000-000000000000'))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await report(''))).toEqual([400, 'MISSING_CHECKLIST_ID']);
    expect(refusal(await report('what?'))).toEqual([400, 'INVALID_CHECKLIST_ID']);
    for (const reason of [undefined, 'wrong', 4])
      expect(refusal(await report(ofAirline, { reason }))).toEqual([400, 'INVALID_REASON']);
    expect(refusal(await report(ofAirline, { description: 'x'.repeat(2_001) }))).toEqual([
      400,
      'INVALID_FIELD',
    ]);
    expect(refusal(await api.call('checklistReport', { data: { checklistId: mine } }))).toEqual([
      401,
      'AUTH_REQUIRED',
    ]);
  });

  test('A user can report at most 20 times a day', async () => {
    const eager = await api.user();
    const statuses = new Set<number>();
    for (let n = 0; n < 20; n += 1) statuses.add((await report('default:1.3.6:787', {}, eager)).status);
    expect([...statuses]).toEqual([403]);
    expect(refusal(await report('default:1.3.6:787', {}, eager))).toEqual([429, 'RATE_LIMITED']);
  });

  test('A database failure is DB_ERROR, and nothing is reported', async () => {
    const run = runSql(api.context.postgres);
    const checklistId = await newChecklist(api, owner, { name: 'Sound', shareCommunity: true });
    await run`ALTER TABLE checklist_report ADD CONSTRAINT broken CHECK (description <> 'Broken') NOT VALID`;
    expect(refusal(await report(checklistId, { description: 'Broken' }))).toEqual([500, 'DB_ERROR']);
    await run`ALTER TABLE checklist_report DROP CONSTRAINT broken`;
    expect((await report(checklistId)).status).toBe(200);
  });
});
