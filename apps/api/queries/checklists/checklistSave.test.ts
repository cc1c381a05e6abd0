import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { airline, gateRefusals } from '#test/support/airlines.ts';
import type { AirlinePeople } from '#test/support/airlines.ts';
import { at, refusal } from '#test/support/answers.ts';
import { documentOf, itemOf, newChecklist, pageOf, saveChecklist } from '#test/support/checklists.ts';
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

type Fields = Record<string, unknown>;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const unknownId = '00000000-0000-4000-8000-000000000000';

const save = (fields: Fields = {}, user = pilot) => saveChecklist(api, user, fields);
const get = async (checklistId: unknown, { token } = pilot): Promise<Fields> =>
  at(await api.call('checklistGet', { token, data: { checklistId } }), 'data') as Fields;
const list = async ({ token } = pilot): Promise<Record<string, Fields[]>> =>
  at(await api.call('checklistList', { token }), 'data') as Record<string, Fields[]>;

describe('checklistSave', () => {
  test('A save without an id creates a checklist, and one with the id of an own checklist replaces it (M-2.2.k1, M-2.2.s1, M-4.1.q3a, M-4.1.q3b)', async () => {
    const created = await save();
    const id = at(created, 'data', 'checklistId');
    expect([created.status, created.body]).toEqual([
      200,
      {
        success: true,
        apiVersion: '1.3.6',
        data: {
          checklistId: expect.stringMatching(uuid),
          revision: expect.any(Number),
          updatedAt: expect.any(String),
          saved: true,
        },
      },
    ]);
    const replaced = await save({
      checklistId: String(id).toUpperCase(),
      name: 'Renamed',
      checklist: documentOf({ name: 'B' }),
    });
    expect(at(replaced, 'data')).toMatchObject({ checklistId: id, saved: true });
    expect(await get(id)).toMatchObject({ name: 'Renamed', checklist: { name: 'B' } });
    for (const none of [null, ''])
      expect(at(await save({ checklistId: none }), 'data', 'checklistId')).not.toBe(id);
  });

  test('Every field is returned; omitted ones have defaults, and on an update their stored values (M-2.2.f1, M-2.2.f2, M-2.2.f3, M-2.2.f4, M-2.2.f5, M-2.2.f6, M-2.2.f7, M-2.2.f8, M-2.2.f9, M-2.2.f10, M-4.1.q3c)', async () => {
    const plain = await newChecklist(api, pilot, { name: '  A320 cold  ' });
    const defaults = { version: '1.0', description: null, basedOn: null, shareCommunity: false };
    const unrated = { isDefault: false, isMine: true, ratingAverage: 0, ratingCount: 0 };
    expect(await get(plain)).toMatchObject({
      checklistId: plain,
      name: 'A320 cold',
      ...defaults,
      ...unrated,
    });
    const given = { version: '2', description: 'Ours', basedOn: 'default:1.3.6:737ng', shareCommunity: true };
    for (const [field, value] of Object.entries(given)) {
      const id = await newChecklist(api, pilot, { [field]: value });
      expect(await get(id)).toMatchObject({ ...defaults, [field]: value });
    }
    const id = await newChecklist(api, pilot, given);
    await save({ checklistId: id });
    expect(await get(id)).toMatchObject(given);
    await save({ checklistId: id, version: null, description: null, basedOn: null, shareCommunity: 0 });
    expect(await get(id)).toMatchObject(defaults);
  });

  test('A document is returned exactly as saved, including unknown keys (M-2.2.d3, M-2.2.d4, G-14)', async () => {
    const checklist = documentOf({
      zebra: { deep: [1, 'two', null] },
      checklists: [
        pageOf({
          order: 30,
          items: [itemOf({ order: 7, note: 'Zoë ✈ 😀' }), { ...itemOf({ order: 0 }), note: null }],
        }),
        pageOf({ title: '', order: 0, items: [] }),
        pageOf({ colour: 'red', items: [itemOf({ isLine: true, response: '', __proto__x: 1 })] }),
      ],
    });
    const saved = (await get(await newChecklist(api, pilot, { checklist })))['checklist'];
    expect(saved).toEqual(checklist);
    expect(JSON.stringify(saved)).toBe(JSON.stringify(checklist));
  });

  test('Structure and bounds are checked alike for users and airlines (M-2.2.d1, M-2.2.d2, M-2.2.d3, M-2.2.1b, M-4.1.q3e, M-7.k7, G-14, A-16)', async () => {
    const long = (length: number) => 'x'.repeat(length);
    const one = (item: Fields) => documentOf({ checklists: [pageOf({ items: [itemOf(item)] })] });
    const page = (fields: Fields) => documentOf({ checklists: [pageOf(fields)] });
    const without = (key: string) => ({ ...itemOf(), [key]: undefined });
    const invalid: [string, unknown][] = [
      ...[undefined, null, 'text', 4, [], {}].map((value): [string, unknown] => ['whole', value]),
      ...[undefined, null, [], {}, 'x'].map((value): [string, unknown] => [
        'pages',
        documentOf({ checklists: value }),
      ]),
      ['name', documentOf({ name: 4 })],
      ['version', documentOf({ version: 4 })],
      ['page', documentOf({ checklists: [null] })],
      ['101 pages', documentOf({ checklists: Array.from({ length: 101 }, () => pageOf()) })],
      ['title', page({ title: 4 })],
      ['long title', page({ title: long(501) })],
      ...['1', 1.5, -1, null].map((order): [string, unknown] => ['page order', page({ order })]),
      ...[null, {}, 'x', ['x']].map((items): [string, unknown] => ['items', page({ items })]),
      ['501 items', page({ items: Array.from({ length: 501 }, () => itemOf()) })],
      ...['challenge', 'response', 'isLine', 'selfDetected', 'order'].flatMap((key): [string, unknown][] => [
        [`${key} of a wrong type`, one({ [key]: [] })],
        [`${key} missing`, page({ items: [without(key)] })],
      ]),
      ['note', one({ note: 4 })],
      ['long challenge', one({ challenge: long(501) })],
      ['long response', one({ response: long(501) })],
      ['long note', one({ note: long(2_001) })],
      ['over 512 kB', documentOf({ extra: long(524_288) })],
    ];
    for (const [what, checklist] of invalid)
      expect([what, refusal(await save({ checklist }))]).toEqual([what, [400, 'INVALID_STRUCTURE']]);
    for (const checklist of [documentOf({ checklists: [] }), one({ order: 'x' })]) {
      const asAirline = await save({ checklist, isVA: true }, alpha.admin);
      expect(refusal(asAirline)).toEqual([400, 'INVALID_STRUCTURE']);
    }
    expect(refusal(await save({ description: long(256) }))).toEqual([400, 'INVALID_STRUCTURE']);
    expect(refusal(await save({ shareCommunity: 'yes' }))).toEqual([400, 'INVALID_STRUCTURE']);
    const valid = [
      page({ title: long(500), items: Array.from({ length: 500 }, () => itemOf({ note: undefined })) }),
      documentOf({ checklists: Array.from({ length: 100 }, () => pageOf()), version: null }),
      one({ challenge: '😀'.repeat(500), note: long(2_000) }),
      documentOf({ extra: long(500_000) }),
    ];
    for (const checklist of valid) expect((await save({ checklist })).status).toBe(200);
  });

  test('A refusal names every problem with its path', async () => {
    const checklist = documentOf({
      checklists: [pageOf({ order: -1, items: [itemOf(), itemOf({ isLine: 1 })] })],
    });
    expect(at(await save({ checklist }), 'error', 'details')).toEqual([
      'checklist.checklists.0.order: must be at least 0',
      'checklist.checklists.0.items.1.isLine: must be true or false',
    ]);
  });

  test('Names, versions and descriptions are accepted up to their limits in characters (M-7.k5, M-7.k6, M-8.1)', async () => {
    for (const name of [undefined, null, '', '  ', 4, 'x'.repeat(151)])
      expect(refusal(await save({ name }))).toEqual([400, 'INVALID_NAME']);
    for (const version of [4, 'x'.repeat(31)])
      expect(refusal(await save({ version }))).toEqual([400, 'INVALID_VERSION']);
    const longest = { name: '😀'.repeat(150), version: 'v'.repeat(30), description: 'é'.repeat(255) };
    expect(await get(await newChecklist(api, pilot, longest))).toMatchObject(longest);
  });

  test.each([
    ['a line break', 'A320\nnormal'],
    ['a mark that reverses text', 'A320 \u202egpj'],
    ['a space that nobody sees', 'A\u200b320'],
    ['a paragraph separator', 'A320\u2029normal'],
  ])('A name with %s is refused, while joiners of emoji and of Persian are accepted', async (_, name) => {
    expect(refusal(await save({ name }))).toEqual([400, 'INVALID_NAME']);
    for (const joined of ['👩\u200d✈️ check', 'می\u200cخواهم'])
      expect(await get(await newChecklist(api, pilot, { name: joined }))).toMatchObject({ name: joined });
  });

  test('Ids that the caller may not write are refused (M-2.2.2, M-2.2.k7, M-7.k3, M-7.k4)', async () => {
    for (const checklistId of ['abc', 5, '737ng', `${unknownId}0`])
      expect(refusal(await save({ checklistId }))).toEqual([400, 'INVALID_CHECKLIST_ID']);
    for (const checklistId of ['default:1.3.6:737ng', 'default:9:none'])
      expect(refusal(await save({ checklistId }))).toEqual([403, 'READ_ONLY_DEFAULT']);
    expect(refusal(await save({ basedOn: 'no id' }))).toEqual([400, 'INVALID_CHECKLIST_ID']);
  });

  test('Other users’ checklists, shared or not, are not found by a save (M-2.2.k4, M-2.2.k6, M-7.k14, A-14)', async () => {
    for (const shareCommunity of [false, true]) {
      const id = await newChecklist(api, pilot, { shareCommunity });
      for (const user of [other, alpha.full])
        expect(refusal(await save({ checklistId: id, name: 'Stolen' }, user))).toEqual([404, 'NOT_FOUND']);
      const asAirline = { checklistId: id, name: 'Stolen', isVA: true, vaName: 'Alpha Air' };
      expect(refusal(await save(asAirline, alpha.full))).toEqual([404, 'NOT_FOUND']);
      expect(await get(id)).toMatchObject({ name: 'Mine' });
    }
    expect(refusal(await save({ checklistId: unknownId }))).toEqual([404, 'NOT_FOUND']);
  });

  test('Admins save for their airline under the same rules as for the fleet (M-2.2.k5, M-2.2.9, M-4.1.q3d, M-5.7b, M-7.k11, M-7.k12, M-7.k13, M-2.4.3a, M-2.4.3b, M-2.4.3c, M-2.4.3d, M-2.4.3e, M-2.4.3f, M-2.4.3g)', async () => {
    const id = await newChecklist(api, alpha.admin, { isVA: true, name: 'Airline' });
    expect((await list(alpha.member))['vaChecklists']).toContainEqual(
      expect.objectContaining({ checklist_id: id }),
    );
    const byName = { isVA: 1, vaName: ' ALPHA air', checklistId: id };
    expect((await save({ ...byName, name: 'By the admin' }, alpha.admin)).status).toBe(200);
    expect((await save({ ...byName, name: 'By the other admin' }, alpha.full)).status).toBe(200);
    expect(await get(id, alpha.member)).toMatchObject({ name: 'By the other admin' });
    // Without isVA the user saves in their own name, but does not own the checklist.
    expect(refusal(await save({ checklistId: id }, alpha.admin))).toEqual([404, 'NOT_FOUND']);
    for (const { what, user, data, refusal: expected } of await gateRefusals(
      api,
      alpha,
      'Alpha Air',
      'Beta Air',
    )) {
      expect([what, refusal(await save(data, user))]).toEqual([what, expected]);
      expect([what, refusal(await save({ ...data, checklistId: id, name: 'Stolen' }, user))]).toEqual([
        what,
        expected,
      ]);
    }
    expect(await get(id, alpha.member)).toMatchObject({ name: 'By the other admin' });
    expect(refusal(await save({ isVA: 'yes' }, alpha.admin))).toEqual([400, 'INVALID_INPUT']);
  });

  test('A copy of a built-in checklist leaves it unchanged (M-2.2.6, M-2.2.k7)', async () => {
    const checklistId = 'default:1.3.6:a320-family';
    const before = JSON.stringify(await get(checklistId));
    const { name, checklist } = await get(checklistId);
    const copy = await newChecklist(api, pilot, { name, checklist, basedOn: checklistId });
    expect(await get(copy)).toMatchObject({ basedOn: checklistId, isDefault: false, checklist });
    await save({ checklistId: copy, name: 'Changed' });
    expect(await get(copy)).toMatchObject({ basedOn: checklistId, checklist: documentOf() });
    expect(JSON.stringify(await get(checklistId))).toBe(before);
  });

  test('The original of a copy must exist and be readable when copied, and may be deleted later', async () => {
    const hidden = await newChecklist(api, other);
    for (const basedOn of [unknownId, hidden, 'default:1.3.6:none', 'none'])
      expect(refusal(await save({ basedOn }))).toEqual([404, 'NOT_FOUND']);
    const basedOn = await newChecklist(api, other, { shareCommunity: true });
    const copy = await newChecklist(api, pilot, { basedOn });
    await api.call('checklistDelete', { token: other.token, data: { checklistId: basedOn } });
    expect((await save({ checklistId: copy, basedOn })).status).toBe(200);
    expect(refusal(await save({ checklistId: copy, basedOn: hidden }))).toEqual([404, 'NOT_FOUND']);
    expect(await get(copy)).toMatchObject({ basedOn });
  });

  test('A database failure is DB_ERROR, and nothing is stored (M-7.k15)', async () => {
    const { postgres } = api.context;
    const id = await newChecklist(api, pilot);
    await runSql(postgres)`ALTER TABLE checklist ADD CONSTRAINT broken CHECK (name <> 'Broken')`;
    for (const fields of [{}, { checklistId: id }])
      expect(refusal(await save({ ...fields, name: 'Broken' }))).toEqual([500, 'DB_ERROR']);
    await runSql(postgres)`ALTER TABLE checklist DROP CONSTRAINT broken`;
    expect((await list())['userChecklists']?.filter(({ name }) => name === 'Broken')).toEqual([]);
    expect(await get(id)).toMatchObject({ name: 'Mine' });
  });

  test('A call without a token is refused (M-7.k1)', async () => {
    const data = { name: 'x', checklist: documentOf() };
    expect(refusal(await api.call('checklistSave', { data }))).toEqual([401, 'AUTH_REQUIRED']);
  });
});

describe('two pads editing one checklist', () => {
  const guarded = (checklistId: unknown, expectedVersion: unknown, name: string) =>
    save({ checklistId, expectedVersion, name });
  const remove = (checklistId: unknown, expectedVersion?: unknown) =>
    api.call('checklistDelete', { token: pilot.token, data: { checklistId, expectedVersion } });

  test('Of 20 saves with the same revision one is stored, the others get the stored row', async () => {
    const created = at(await save({ name: 'Shared' }), 'data') as Fields;
    const { checklistId, revision } = created;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, pad) => guarded(checklistId, revision, `Pad ${pad}`)),
    );
    const stored = answers.filter(({ status }) => status === 200);
    expect(stored).toHaveLength(1);
    const current = await get(checklistId);
    expect(stored.map((answer) => at(answer, 'data', 'revision'))).toEqual([current['revision']]);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(refusal(answer)).toEqual([409, 'VERSION_CONFLICT']);
      expect(at(answer, 'current')).toEqual(current);
    }
  });

  test('A deletion does not discard what another pad has saved meanwhile, and a late save does not restore the row', async () => {
    const { checklistId, revision } = at(await save(), 'data') as Fields;
    const saved = await guarded(checklistId, revision, 'Later');
    expect(refusal(await remove(checklistId, revision))).toEqual([409, 'VERSION_CONFLICT']);
    expect((await remove(checklistId, at(saved, 'data', 'revision'))).status).toBe(200);
    expect(refusal(await guarded(checklistId, revision, 'Ghost'))).toEqual([404, 'NOT_FOUND']);
    expect(refusal(await save({ expectedVersion: 7 }))).toEqual([409, 'VERSION_CONFLICT']);
    expect(refusal(await guarded(checklistId, -1, 'Ghost'))).toEqual([400, 'INVALID_FIELD']);
    expect(refusal(await remove(checklistId, 'x'))).toEqual([400, 'INVALID_FIELD']);
  });

  test('Without expectedVersion the last save wins, and a rating does not change the revision', async () => {
    const { checklistId } = at(await save({ shareCommunity: true }), 'data') as Fields;
    const revision = at(await save({ checklistId, name: 'Second' }), 'data', 'revision');
    await api.call('checklistRate', { token: other.token, data: { checklistId, rating: 5 } });
    expect((await guarded(checklistId, revision, 'Third')).status).toBe(200);
  });
});
