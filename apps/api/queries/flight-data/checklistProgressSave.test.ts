import { afterAll, beforeEach, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { documentOf, itemOf, newChecklist, pageOf } from '#test/support/checklists.ts';
import { planOf, shareWith } from '#test/support/plans.ts';
import { insertAllBySql, runSql } from '#test/support/sql.ts';
import { until } from '#test/support/until.ts';

let api: TestApi;
let captain: TestUser;
let officer: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
  [captain, officer] = [await api.user(), await api.user()];
});
beforeEach(async () => {
  ofpId = await planOf(api, captain, 'Crew flight');
  await shareWith(api, ofpId, [captain, officer], 'edit');
});
afterAll(() => api.close());

const checklistId = 'default:1.3.6:a320-family';
const item = (page: number, number: number, done = true) => ({ page, item: number, done });
const numbered = (length: number, from = 0) =>
  Array.from({ length }, (_, i) => itemOf({ order: i + from, note: null }));
const pageOfThree = documentOf({ checklists: [pageOf({ items: numbered(3, 1) })] });
const longList = documentOf({
  checklists: [1, 2, 3, 4, 5].map((order) => pageOf({ order, items: numbered(500) })),
});
const save = (data: object, { token } = captain) =>
  api.call('checklistProgressSave', { token, data: { ofpId, checklistId, items: [], ...data } });
const read = async (data: object = {}, { token } = captain) => {
  const { body } = await api.call('checklistProgress', { token, data: { ofpId, ...data } });
  return body['checklists'] as {
    checklistId: string;
    revision: number;
    items: { page: number; item: number; byUserId: number }[];
  }[];
};
const ticks = async () => ((await read())[0]?.items ?? []).map((one) => [one.page, one.item, one.byUserId]);

test('Items are ticked, read in order with their pilot, and unticked', async () => {
  expect(await read()).toEqual([]);
  const { body } = await save({ items: [item(2, 1), item(1, 10), item(1, 2)] });
  expect(body).toMatchObject({
    ofpId,
    checklistId,
    items: [
      { page: 1, item: 2, byUserId: captain.id, doneAt: expect.stringMatching(/^2026-.*Z$/) },
      { page: 1, item: 10 },
      { page: 2, item: 1 },
    ],
  });
  await save({ items: [item(1, 2, false), item(3, 1)] }, officer);
  expect(await ticks()).toEqual([
    [1, 10, captain.id],
    [2, 1, captain.id],
    [3, 1, officer.id],
  ]);
  await save({ reset: true, items: [item(9, 8)] });
  expect(await ticks()).toEqual([[9, 8, captain.id]]);
});

test('Simultaneous ticks by two pilots all count, and an item belongs to the first', async () => {
  await save({ items: [item(1, 1)] }, officer);
  await save({ items: [item(1, 1), item(1, 2)] });
  const both = Array.from({ length: 11 }, (_, i) =>
    save({ items: [item(3, i + 1)] }, i % 2 === 0 ? captain : officer),
  );
  for (const { status } of await Promise.all(both)) expect(status).toBe(200);
  const now = await ticks();
  expect(now.slice(0, 2)).toEqual([
    [1, 1, officer.id],
    [1, 2, captain.id],
  ]);
  expect(now.slice(2)).toEqual(both.map((_, i) => [3, i + 1, i % 2 === 0 ? captain.id : officer.id]));
});

test('Other pads receive ticks through the change feed, and expectedVersion protects ticks they have not seen', async () => {
  const { body: before } = await api.call('changes', { token: officer.token, data: {} });
  const { body: first } = await save({ items: [item(1, 1)], expectedVersion: 0 });
  const heard = await api.call('changes', { token: officer.token, data: { since: before['cursor'] } });
  expect(heard.body['changes']).toMatchObject([
    {
      kind: 'checklistProgress',
      id: ofpId,
      dataKey: checklistId,
      revision: first['revision'],
      byUserId: captain.id,
    },
  ]);
  const stale = await save({ items: [item(1, 2)], expectedVersion: 0 }, officer);
  expect(refusal(stale)).toEqual([409, 'VERSION_CONFLICT']);
  expect(JSON.stringify(stale.body)).toContain(`"revision":${String(first['revision'])}`);
  expect((await save({ items: [item(1, 2)], expectedVersion: first['revision'] }, officer)).status).toBe(200);
  const absent = await save({ checklistId: '787', expectedVersion: 7 });
  expect(refusal(absent)).toEqual([409, 'VERSION_CONFLICT']);
});

test('All valid ids of a checklist share one progress, also for pads waiting for changes (M-2.2.k1, M-2.2.k3, A-31)', async () => {
  const uuid = await newChecklist(api, captain, { checklist: pageOfThree });
  const forms = { [checklistId]: ['a320-family', 'default:1.3.5:a320-family'], [uuid]: [uuid.toUpperCase()] };
  const { body: before } = await api.call('changes', { token: officer.token, data: {} });
  for (const [id, others] of Object.entries(forms)) {
    await save({ checklistId: id, items: [item(1, 1)] });
    for (const [i, form] of others.entries()) {
      const { body } = await save({ checklistId: form, items: [item(1, i + 2)] }, officer);
      expect(body).toMatchObject({ checklistId: id, items: Array.from({ length: i + 2 }, () => ({})) });
      expect(await read({ checklistId: form })).toEqual(await read({ checklistId: id }));
    }
  }
  expect((await read()).map((one) => one.checklistId)).toEqual(
    [uuid, checklistId].toSorted((a, b) => (a < b ? -1 : 1)),
  );
  const heard = await api.call('changes', { token: officer.token, data: { since: before['cursor'] } });
  expect(heard.body['changes']).toMatchObject([{ dataKey: checklistId }, { dataKey: uuid }]);
});

test('A flight that continues under another API version keeps its ticks (A-31)', async () => {
  await save({ items: [item(1, 1)] });
  await runSql(api.context.postgres)`
    UPDATE checklist_progress SET checklist_id = 'default:1.3.5:a320-family' WHERE ofp_id = ${ofpId}`;
  const [kept] = await read({ checklistId });
  expect(kept).toMatchObject({ checklistId, items: [{ page: 1, item: 1 }] });
  const { body: before } = await api.call('changes', { token: officer.token, data: {} });
  await save({ items: [item(1, 2)], expectedVersion: kept?.revision }, officer);
  expect(await ticks()).toEqual([
    [1, 1, captain.id],
    [1, 2, officer.id],
  ]);
  expect(await read()).toHaveLength(1);
  const heard = await api.call('changes', { token: officer.token, data: { since: before['cursor'] } });
  expect(heard.body['changes']).toMatchObject([{ dataKey: checklistId }]);
});

/** A row as stored by an earlier API version with other ids. */
const storeAs = (id: string, ...ticked: string[]) => {
  const done = Object.fromEntries(
    ticked.map((key) => [key, { by: captain.id, at: '2026-09-16T10:00:00.000Z' }]),
  );
  return runSql(api.context.postgres)`
    INSERT INTO checklist_progress (ofp_id, checklist_id, done, updated_at)
    VALUES (${ofpId}, ${id}, ${JSON.stringify(done)}, now())`;
};

test('Of rows of one checklist under several ids the last saved one is read, and a save deletes the others (A-31)', async () => {
  await storeAs('default:1.3.5:a320-family', '1.1');
  await storeAs(checklistId, '2.1');
  await storeAs('a320-family', '3.1');
  const [shown, ...others] = await read();
  expect([shown?.checklistId, await ticks(), others]).toEqual([checklistId, [[3, 1, captain.id]], []]);
  expect(refusal(await save({ expectedVersion: Number(shown?.revision) - 1 }))).toEqual([
    409,
    'VERSION_CONFLICT',
  ]);
  const { status } = await save({ items: [item(4, 1)], expectedVersion: shown?.revision });
  expect([status, await ticks()]).toEqual([
    200,
    [
      [3, 1, captain.id],
      [4, 1, captain.id],
    ],
  ]);
  await storeAs('a320-family', '5.1');
  await runSql(api.context.postgres)`
    UPDATE checklist_progress SET revision = nextval('row_revision')
    WHERE ofp_id = ${ofpId} AND checklist_id = ${checklistId}`;
  await save({ items: [item(6, 1)] });
  expect((await ticks()).map(([page]) => page)).toEqual([3, 4, 6]);
  const stored = await insertAllBySql(api.context.postgres)`
    SELECT checklist_id FROM checklist_progress WHERE ofp_id = ${ofpId}`;
  expect(stored).toEqual([{ checklistId }]);
});

test('Rows of one checklist under several ids count once towards PROGRESS_FULL', async () => {
  for (let i = 0; i < 48; i += 1) await storeAs(`list-${i}`);
  const [last, further] = [await newChecklist(api, captain), await newChecklist(api, captain)];
  await storeAs('default:1.3.5:a320-family');
  await storeAs('a320-family');
  expect((await save({ checklistId: last })).status).toBe(200);
  expect(refusal(await save({ checklistId: further }))).toEqual([409, 'PROGRESS_FULL']);
});

test('A row stored by another API version during a save does not break it (A-31)', async () => {
  await storeAs('a320-family', '1.1');
  let saving: ReturnType<typeof save> | undefined;
  await api.context.postgres.transaction(async (tx) => {
    await tx.run(sql`
      INSERT INTO checklist_progress (ofp_id, checklist_id, done, updated_at)
      VALUES (${ofpId}, ${checklistId}, '{"2.1": {"by": 1, "at": "2026-09-16T10:00:00.000Z"}}', now())`);
    saving = save({ items: [item(3, 1)] });
    await until('the save waits for the row', () =>
      api.context.postgres.db.maybe(sql`
        SELECT 1 AS found FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1`),
    );
  });
  expect((await saving)?.status).toBe(200);
  expect((await ticks()).map(([page]) => page)).toEqual([2, 3]);
  expect(await read()).toHaveLength(1);
});

test('Each checklist has its own progress, up to 50 per flight with 2,000 items', async () => {
  await save({ items: [item(1, 1)] });
  for (let i = 1; i < 49; i += 1) await storeAs(`list-${i}`);
  const long = await newChecklist(api, captain, { checklist: longList });
  expect((await save({ checklistId: long })).status).toBe(200);
  expect(refusal(await save({ checklistId: '787' }))).toEqual([409, 'PROGRESS_FULL']);
  expect(await read({ checklistId })).toHaveLength(1);
  expect(await read()).toHaveLength(50);
  const many = Array.from({ length: 2_000 }, (_, i) => item(1 + Math.floor(i / 500), i % 500));
  expect((await save({ checklistId: long, reset: true, items: many })).status).toBe(200);
  expect(refusal(await save({ checklistId: long, items: [item(5, 1)] }))).toEqual([409, 'PROGRESS_FULL']);
  expect((await read({ checklistId: long }))[0]?.items).toHaveLength(2_000);
});

test('Only items of an existing checklist can be ticked, and removed ones can still be unticked', async () => {
  const mine = await newChecklist(api, captain, { checklist: pageOfThree });
  for (const [id, refused] of [
    ['00000000-0000-4000-8000-000000000000', [404, 'NOT_FOUND']],
    ['default:1.3.6:a400', [404, 'NOT_FOUND']],
    ['My checklist', [400, 'INVALID_CHECKLIST_ID']],
    ['', [400, 'MISSING_CHECKLIST_ID']],
  ] as const)
    expect(refusal(await save({ checklistId: id, items: [item(1, 1)] }))).toEqual(refused);
  expect(refusal(await save({ ofpId: 'no such' }))).toEqual([400, 'INVALID_OFP_ID']);
  for (const [id, page, number] of [
    [checklistId, 13, 1],
    [checklistId, 1, 19],
    [checklistId, 0, 1],
    [mine, 1, 4],
    [mine, 2, 1],
  ] as const) {
    const answer = await save({ checklistId: id, items: [item(1, 1), item(page, number)] }, officer);
    expect(refusal(answer)).toEqual([400, 'INVALID_FIELD']);
    expect(answer.body['error']).toMatchObject({
      param: 'items',
      message: `items.1: there is no item ${number} on page ${page} of the checklist.`,
    });
  }
  expect(await read()).toEqual([]);
  await save({ checklistId: mine, items: [item(1, 1), item(1, 3)] });
  await api.call('checklistSave', {
    token: captain.token,
    data: { checklistId: mine, name: 'Shorter', checklist: documentOf() },
  });
  expect((await save({ checklistId: mine, items: [item(1, 3, false), item(7, 7, false)] })).status).toBe(200);
  expect(await ticks()).toEqual([[1, 1, captain.id]]);
});

test('Nobody can save on a flight whose owner is disabled, and its progress stays readable', async () => {
  const owner = await api.user();
  const theirs = await planOf(api, owner, 'Disabled');
  await shareWith(api, theirs, [owner, officer], 'edit');
  await runSql(api.context.postgres)`UPDATE app_user SET disabled_at = now() WHERE id = ${owner.id}`;
  expect(refusal(await save({ ofpId: theirs }, officer))).toEqual([403, 'OWNER_DISABLED']);
  expect(await read({ ofpId: theirs }, officer)).toEqual([]);
});

test('A viewer reads the progress and changes nothing, and strangers find no plan', async () => {
  const viewer = await api.user();
  await shareWith(api, ofpId, [captain, viewer], 'view');
  await save({ items: [item(1, 1)] });
  expect(await read({}, viewer)).toHaveLength(1);
  expect(refusal(await save({ items: [item(1, 2)] }, viewer))).toEqual([403, 'INSUFFICIENT_PERMISSION']);
  const stranger = await api.user();
  expect(refusal(await save({}, stranger))).toEqual([404, 'OFP_NOT_FOUND']);
  const asked = await api.call('checklistProgress', { token: stranger.token, data: { ofpId } });
  expect(refusal(asked)).toEqual([404, 'OFP_NOT_FOUND']);
  for (const items of [[{ page: -1, item: 1, done: true }], [{ page: 1, item: 1 }], 'all'])
    expect(refusal(await save({ items }))).toEqual([400, 'INVALID_FIELD']);
});
