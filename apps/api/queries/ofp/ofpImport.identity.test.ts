/** Decides which stored plan an imported document belongs to. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parseDocument } from '#data/ofp/parse.ts';
import type { PlanOptions } from '#simulated/planner/plan.ts';
import { testApi } from '#test/api.ts';
import type { Answer, TestApi, TestUser } from '#test/api.ts';
import { at } from '#test/support/answers.ts';
import { planDocument } from '#test/support/ofp.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  user = await api.user();
});

const importPlan = (data: unknown) => api.call('ofpImport', { token: user.token, data });
const document = (options: Partial<PlanOptions> = {}) => ({
  source: 'json',
  document: planDocument(options),
});
const outcome = ({ status, body }: Answer) => [status, body['created'], body['updated'], body['unchanged']];

describe('ofpImport of a stored flight', () => {
  test('A corrected plan with the same ids and time is a new revision, since the content decides', async () => {
    const first = await importPlan(document());
    const corrected: Record<string, object> = planDocument();
    const tlr = { landing: { conditions: { surface_condition: 'wet' } } };
    const again = await importPlan({ source: 'json', document: { ...corrected, tlr } });
    expect(outcome(again)).toEqual([200, false, true, false]);
    expect(again.body['ofpId']).toBe(first.body['ofpId']);
  });

  test('A plan stored without NOTAM gets them from an import that keeps NOTAM, and loses them in one that does not', async () => {
    const stored = async (keepNotams?: boolean) => {
      const answer = await importPlan({ ...document(), keepNotams });
      const { ofpId } = answer.body;
      const got = await api.call('ofpGet', { token: user.token, data: { ofpId, view: 'normalized' } });
      const notams = at(got, 'normalized', 'notams') as unknown[];
      return [...outcome(answer).slice(1), notams.length > 0];
    };
    expect(await stored(false)).toEqual([true, false, false, false]);
    expect(await stored(false)).toEqual([false, false, true, false]);
    expect(await stored()).toEqual([false, true, false, true]);
    expect(await stored()).toEqual([false, false, true, true]);
    expect(await stored(false)).toEqual([false, true, false, false]);
  });

  test('A plan without ids is recognised with or without its NOTAM', async () => {
    const bare = { source: 'json', document: { ...planDocument(), params: {} } };
    const first = await importPlan({ ...bare, keepNotams: false });
    expect(outcome(first)).toEqual([200, true, false, false]);
    for (const [keepNotams, updated] of [
      [false, false],
      [true, true],
      [true, false],
      [false, true],
    ]) {
      const again = await importPlan({ ...bare, keepNotams });
      expect([keepNotams, ...outcome(again)]).toEqual([keepNotams, 200, false, updated, !updated]);
      expect(again.body['ofpId']).toBe(first.body['ofpId']);
    }
  });

  test.each([{}, { params: {} }])(
    'A plan stored by an earlier version without its NOTAM is unchanged or gets them (%j)',
    async (ids) => {
      const given = { source: 'json', document: { ...planDocument(), ...ids } };
      const { ofpId } = (await importPlan({ ...given, keepNotams: false })).body;
      const whole = parseDocument({ content: JSON.stringify(given.document), keepNotams: true });
      // As stored before `keepNotams` was part of the identity.
      await runSql(api.context.postgres)`
      UPDATE ofp SET content_hash = ${whole.kind === 'plan' ? whole.contentHash : ''} WHERE id = ${ofpId}`;
      const again = await importPlan({ ...given, keepNotams: false });
      expect([again.body['ofpId'], ...outcome(again)]).toEqual([ofpId, 200, false, false, true]);
      const kept = await importPlan(given);
      expect([kept.body['ofpId'], ...outcome(kept)]).toEqual([ofpId, 200, false, true, false]);
    },
  );

  test('A regenerated plan for the same flight names the one it supersedes and replaces it on request', async () => {
    const first = await importPlan(document());
    expect(first.body['supersedes']).toBeNull();
    const regenerated = { requestId: '184000010', generatedAt: new Date('2026-09-16T11:00:00Z') };
    const second = await importPlan(document(regenerated));
    expect(outcome(second)).toEqual([200, true, false, false]);
    expect(second.body['supersedes']).toBe(first.body['ofpId']);
    const next = { ...regenerated, requestId: '184000011', out: new Date('2026-09-17T14:00:00Z') };
    expect((await importPlan(document(next))).body['supersedes']).toBeNull();
    const third = await importPlan({
      ...document({ requestId: '184000012', generatedAt: new Date('2026-09-16T11:30:00Z') }),
      replaceSuperseded: true,
    });
    expect(outcome(third)).toEqual([200, false, true, false]);
    expect([third.body['ofpId'], third.body['supersedes']]).toEqual(Array(2).fill(second.body['ofpId']));
  });

  test('Flight data, checklists and shares stay with a plan that replaces a superseded one', async () => {
    const { ofpId } = (await importPlan(document())).body as { ofpId: string };
    const call = async (query: string, data: object, { token } = user) => {
      const answer = await api.call(query, { token, data: { ofpId, ...data } });
      expect([query, answer.status, answer.body['error']]).toEqual([query, 200, undefined]);
      return answer;
    };
    const checklists = { payload: { completed: ['BEFORE START'] }, dataKey: 'checklists' };
    await call('flightDataSave', { payload: { fuel: 7_400 } });
    await call('flightDataSave', checklists);
    const recipient = await api.user();
    const shareToken = at(await call('ofpShare', { permission: 'edit' }), 'share', 'shareToken');
    expect((await api.call('ofpShareAccept', { token: recipient.token, data: { shareToken } })).status).toBe(
      200,
    );
    const regenerated = { requestId: '184000021', generatedAt: new Date('2026-09-16T11:40:00Z') };
    const next = await importPlan({ ...document(regenerated), replaceSuperseded: true });
    expect([next.body['ofpId'], next.body['updated']]).toEqual([ofpId, true]);
    for (const reader of [user, recipient]) {
      expect(at(await call('ofpGet', { view: 'summary' }, reader), 'ofp', 'revision')).toBe(2);
      const kept = JSON.stringify((await call('flightDataGet', { dataKey: 'checklists' }, reader)).body);
      expect(kept).toContain('BEFORE START');
      expect(JSON.stringify((await call('flightDataGet', {}, reader)).body)).toContain('7400');
    }
    const shares = (await call('ofpShareList', {})).body;
    expect(JSON.stringify(shares)).toContain(ofpId);
  });

  test('A plan from the future, a finished flight and a plan without weights, fuel and times are reported', async () => {
    const codesOf = async (data: unknown) =>
      ((await importPlan(data)).body['warnings'] as { code: string }[]).map(({ code }) => code);
    const { weights: _, fuel: __, times: ___, ...rest } = planDocument();
    const missing = ['NO_WEIGHTS', 'NO_FUEL', 'NO_TIMES'];
    expect(await codesOf({ source: 'json', document: rest })).toEqual(missing);
    const late = { generatedAt: new Date('2026-09-17T10:00:00Z'), out: new Date('2026-09-14T10:00:00Z') };
    expect(await codesOf(document(late))).toEqual(['GENERATED_IN_FUTURE', 'FLIGHT_IS_OVER']);
  });
});
