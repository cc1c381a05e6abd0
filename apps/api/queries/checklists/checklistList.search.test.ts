import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadBuiltInChecklists } from '#data/checklists/built-in.ts';
import { sql } from '#store/postgres/sql.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { airline } from '#test/support/airlines.ts';
import { at, refusal } from '#test/support/answers.ts';
import { newChecklist, saveChecklist } from '#test/support/checklists.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let pilot: TestUser;
let other: TestUser;
beforeAll(async () => {
  api = await testApi();
  [pilot, other] = [await api.user(), await api.user()];
});
afterAll(() => api.close());

type Item = Record<string, unknown>;
const lists = ['userChecklists', 'vaChecklists', 'communityChecklists', 'defaultChecklists'] as const;
const list = async (data: Item, { token } = pilot): Promise<Record<string, Item[]>> =>
  at(await api.call('checklistList', { token, data }), 'data') as Record<string, Item[]>;
const names = async (data: Item, { token } = pilot): Promise<unknown[][]> => {
  const found = await list(data, { token } as TestUser);
  return lists.map((key) => (found[key] ?? []).map(({ name }) => name));
};
const get = async (checklistId: string, { token } = pilot): Promise<Item> =>
  at(await api.call('checklistGet', { token, data: { checklistId } }), 'data') as Item;

test('Every list is searched by type and by beginnings of words, ignoring case and accents, page by page', async () => {
  const { admin } = await airline(api, 'Alpha Air');
  const share = (name: string, more: Item = {}) =>
    newChecklist(api, other, { name, shareCommunity: true, ...more });
  await newChecklist(api, pilot, { name: 'Málaga night', aircraftTypes: ['a20n', 'A20N', 'A21N'] });
  await newChecklist(api, admin, { name: 'Alpha night', isVA: true, aircraftTypes: ['B738'] });
  await share('Night freight', { description: 'Single-pilot, Zürich', aircraftTypes: ['B738'] });
  await share('737-800 cold', { basedOn: 'default:1.3.6:737ng' });
  await share('No type');
  expect(await names({ search: 'NIGHT' }, admin)).toEqual([[], ['Alpha night'], ['Night freight'], []]);
  expect(await names({ search: 'malag' })).toEqual([['Málaga night'], [], [], []]);
  expect(await names({ search: 'zurich pilot' })).toEqual([[], [], ['Night freight'], []]);
  expect(await names({ search: 'zurich stranger' })).toEqual([[], [], [], []]);
  expect((await names({ search: '800' }))[2]).toEqual(['737-800 cold']);
  expect((await names({ search: '-800 ng' }))[3]).toEqual(['737 NG']);
  expect(await names({ aircraft: 'a21n', scope: 'own' })).toEqual([['Málaga night'], [], [], []]);
  // A copy inherits the types of its original, and a profile belongs to one type.
  for (const aircraft of ['B738', '737-800-7b26']) {
    const [own, , community, builtIn] = await names({ aircraft });
    expect([own, new Set(community), builtIn]).toEqual([
      [],
      new Set(['737-800 cold', 'Night freight']),
      ['737 NG'],
    ]);
  }
  expect(await names({ aircraft: 'B738', search: 'night' })).toEqual([[], [], ['Night freight'], []]);
  const pages = [0, 1, 2].map(async (offset) => (await names({ aircraft: 'B738', limit: 1, offset }))[2]);
  expect((await Promise.all(pages)).map((page) => page?.length)).toEqual([1, 1, 0]);
  expect(await names({ search: '- ' })).toEqual(await names({}));
  const { token } = pilot;
  for (const data of [{ aircraft: 'Boeing 737' }, { aircraft: 7 }, { search: 'x'.repeat(65) }])
    expect(refusal(await api.call('checklistList', { token, data }))).toEqual([400, 'INVALID_FIELD']);
  const saved = await saveChecklist(api, pilot, { aircraftTypes: ['Boeing'] });
  expect(refusal(saved)).toEqual([400, 'INVALID_FIELD']);
});

test('A search of shared checklists reads the index, not the table', async () => {
  const { postgres } = api.context;
  const plan = await postgres.transaction(async (tx) => {
    await tx.run(sql`SET LOCAL enable_seqscan = off`);
    return tx.any<{ 'QUERY PLAN': string }>(
      sql`EXPLAIN SELECT FROM checklist WHERE share_community AND aircraft_types @> ARRAY['B738']
        AND checklist_words(name, description, aircraft_types) @@ search_query('night')`,
    );
  });
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('checklist_search');
});

test('A copy shows whether its original has changed since it was copied or last compared', async () => {
  const original = await newChecklist(api, other, { shareCommunity: true, aircraftTypes: ['A388'] });
  const copied = Number((await get(original))['revision']);
  const copy = await newChecklist(api, pilot, { name: 'Copy', basedOn: original });
  const state = async () => {
    const { originalRevision, originalChanged } = await get(copy);
    const { userChecklists = [] } = await list({ search: 'copy' });
    const [item = {}] = userChecklists;
    expect([item['originalRevision'], item['originalChanged']]).toEqual([originalRevision, originalChanged]);
    return [originalRevision, originalChanged];
  };
  const save = (fields: Item) => saveChecklist(api, pilot, { checklistId: copy, name: 'Copy', ...fields });
  expect(await get(copy)).toMatchObject({ aircraftTypes: ['A388'] });
  expect(await state()).toEqual([copied, false]);
  // A rating does not change the checklist.
  await api.call('checklistRate', { token: pilot.token, data: { checklistId: original, rating: 4 } });
  expect(await state()).toEqual([copied, false]);
  const changed = at(
    await saveChecklist(api, other, { checklistId: original, name: 'B' }),
    'data',
    'revision',
  );
  expect(await state()).toEqual([changed, true]);
  // A save does not count as a comparison, even if it names the original again.
  await save({ basedOn: original });
  expect(await state()).toEqual([changed, true]);
  await save({ originalRevision: changed });
  expect(await state()).toEqual([changed, false]);
  // A copy made offline names its original.
  const late = await newChecklist(api, pilot, { basedOn: original, originalRevision: copied });
  expect(await get(late)).toMatchObject({ originalRevision: changed, originalChanged: true });
  // An original that is no longer shared reveals nothing, except to its owner.
  await saveChecklist(api, other, { checklistId: original, shareCommunity: false });
  expect(await state()).toEqual([undefined, undefined]);
  await save({ basedOn: null });
  expect(await get(copy)).not.toHaveProperty('originalChanged');
  expect(refusal(await save({ originalRevision: -1 }))).toEqual([400, 'INVALID_FIELD']);
});

test('A copy of a built-in checklist detects a changed original by a number derived from its contents', async () => {
  const basedOn = 'default:1.2:787';
  const checklistId = await newChecklist(api, pilot, { basedOn, name: 'Dreamliner' });
  const { originalRevision, originalChanged } = await get(checklistId);
  expect([originalRevision, originalChanged]).toEqual([expect.any(Number), false]);
  await runSql(api.context.postgres)`UPDATE checklist SET origin_revision = 1 WHERE id = ${checklistId}`;
  expect(await get(checklistId)).toMatchObject({ originalRevision, originalChanged: true });
});

test('Each built-in checklist is listed for the types whose aircraft use it', async () => {
  const builtIns = await loadBuiltInChecklists();
  for (const { id, checklists, model } of (await loadProfiles(() => [])).values())
    expect([id, builtIns.find(({ file }) => file === checklists?.file)?.aircraftTypes]).toEqual([
      id,
      expect.arrayContaining([model.type]),
    ]);
});
