import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { airline, join } from '#test/support/airlines.ts';
import type { AirlinePeople } from '#test/support/airlines.ts';
import { at, refusal } from '#test/support/answers.ts';
import { documentOf, itemOf, newChecklist, pageOf } from '#test/support/checklists.ts';

let api: TestApi;
let pilot: TestUser;
let other: TestUser;
let alpha: AirlinePeople;
let beta: AirlinePeople;
beforeAll(async () => {
  api = await testApi();
  [pilot, other] = [await api.user(), await api.user()];
  [alpha, beta] = [await airline(api, 'Alpha Air'), await airline(api, 'Beta Air')];
});
afterAll(() => api.close());

const get = (checklistId: unknown, { token } = pilot) =>
  api.call('checklistGet', { token, data: { checklistId } });

describe('checklistGet', () => {
  test('Stored and built-in checklists are returned whole (M-2.2.g1, M-2.2.g2, M-2.2.g3, M-2.2.g4, M-2.2.g5, M-2.2.g6, M-2.2.g7, M-2.2.g8, M-2.2.g9, M-2.2.g10, M-2.2.g11, M-4.1.q2)', async () => {
    const given = {
      name: 'Ours',
      version: '3',
      description: 'Short',
      basedOn: '737ng',
      shareCommunity: true,
    };
    const checklistId = await newChecklist(api, pilot, given);
    const { status, body } = await get(checklistId);
    const saved = {
      aircraftTypes: expect.arrayContaining(['B738']),
      originalRevision: expect.any(Number),
      originalChanged: false,
      revision: expect.any(Number),
      updatedAt: expect.any(String),
    };
    const stored = { ...given, isDefault: false, isMine: true, ratingAverage: 0, ratingCount: 0, ...saved };
    expect([status, body]).toEqual([
      200,
      { success: true, apiVersion: '1.3.6', data: { checklistId, ...stored, checklist: documentOf() } },
    ]);
    expect(at(await get('default:1.3.6:a320-family'), 'data')).toEqual({
      checklistId: 'default:1.3.6:a320-family',
      name: 'A320 family',
      version: '1.0',
      description: expect.stringContaining('A319'),
      aircraftTypes: expect.arrayContaining(['A319', 'A21N']),
      basedOn: null,
      isDefault: true,
      isMine: false,
      shareCommunity: false,
      ratingAverage: 0,
      ratingCount: 0,
      revision: null,
      updatedAt: null,
      checklist: expect.objectContaining({ name: 'A320 family', version: '1.0' }),
    });
  });

  test('A built-in checklist is found by its id, its bare file name and the id of an older version (M-2.2.k1, M-2.2.k2, M-2.2.k3, M-9.2, A-31)', async () => {
    const { body } = await get('default:1.3.6:787');
    expect(at({ ...(await get('787')), body }, 'data', 'checklistId')).toBe('default:1.3.6:787');
    for (const form of ['787', 'default:1.2:787', 'default:1.0.0:787'])
      expect((await get(form)).body).toEqual(body);
  });

  test('A private checklist is only for its user or the members of its airline (M-2.2.3a, M-2.2.3b, M-5.7a, M-7.k11)', async () => {
    const mine = await newChecklist(api, pilot);
    expect(at(await get(mine), 'data', 'isMine')).toBe(true);
    for (const user of [other, alpha.admin, alpha.full])
      expect(refusal(await get(mine, user))).toEqual([403, 'FORBIDDEN']);
    const theirs = await newChecklist(api, alpha.admin, { isVA: true });
    for (const user of [alpha.admin, alpha.member, alpha.full, beta.full])
      expect((await get(theirs, user)).status).toBe(200);
    for (const user of [pilot, beta.admin, beta.member])
      expect(refusal(await get(theirs, user))).toEqual([403, 'FORBIDDEN']);
    const text = JSON.stringify((await get(theirs, pilot)).body);
    expect(text).not.toMatch(/Alpha|Mine|Beacon/);
  });

  test('A shared checklist is for everyone, and belongs to the caller or to the active airline (M-2.2.k6, M-2.2.f10)', async () => {
    const [mine, theirs] = [
      await newChecklist(api, pilot, { shareCommunity: true }),
      await newChecklist(api, alpha.admin, { isVA: true, shareCommunity: true }),
    ];
    expect(at(await get(mine, other), 'data', 'isMine')).toBe(false);
    expect(at(await get(theirs, other), 'data', 'isMine')).toBe(false);
    const user = await api.user();
    for (const va of ['Alpha Air', 'Beta Air']) await join(api, user, va);
    const memberships = at(await api.call('refreshUserData', { token: user.token }), 'user', 'vaMemberships');
    const idOf = (name: string) =>
      (memberships as { id: number; name: string }[]).find((va) => va.name === name)?.id;
    for (const [va, isMine] of [
      ['Beta Air', false],
      ['Alpha Air', true],
    ] as const) {
      await api.call('updateProfile', { token: user.token, data: { activeVaId: idOf(va) } });
      expect([va, at(await get(theirs, user), 'data', 'isMine')]).toEqual([va, isMine]);
    }
  });

  test('An id without a checklist is refused (M-7.k2, M-7.k3, M-7.k14, A-13)', async () => {
    for (const id of [undefined, null, '', ' '])
      expect(refusal(await get(id))).toEqual([400, 'MISSING_CHECKLIST_ID']);
    for (const id of ['abc', 7, 'x'.repeat(201), '../787', '787.json'])
      expect([id, refusal(await get(id))]).toEqual([id, [400, 'INVALID_CHECKLIST_ID']]);
    for (const id of [
      '00000000-0000-4000-8000-000000000000',
      'default:1.3.6:none',
      'default:x:787',
      'default:787',
    ])
      expect([id, refusal(await get(id))]).toEqual([id, [404, 'NOT_FOUND']]);
  });

  test('A call without a token is refused (M-7.k1)', async () => {
    expect(refusal(await api.call('checklistGet', { data: { checklistId: '787' } }))).toEqual([
      401,
      'AUTH_REQUIRED',
    ]);
  });
});

test('The published JSON Schema of a document says what checklistSave accepts (G-14)', async () => {
  const index = await (await api.fetch('/api/schemas')).json();
  expect(index).toMatchObject({
    documents: expect.arrayContaining([
      { name: 'checklist', url: `${api.context.config.BASE_URL}/api/schemas/checklist.json` },
    ]),
  });
  const schema = (await (await api.fetch('/api/schemas/checklist.json')).json()) as Record<string, unknown>;
  expect(schema).toMatchObject({ title: 'checklist', maxBytes: 524_288 });
  const isValid = new Ajv2020({ strict: false, code: { optimize: false } }).compile(schema);
  const list = at(await api.call('checklistList', { token: pilot.token }), 'data', 'defaultChecklists');
  for (const { checklistId } of list as { checklistId: string }[])
    expect([checklistId, isValid(at(await get(checklistId), 'data', 'checklist'))]).toEqual([
      checklistId,
      true,
    ]);
  const documents = [
    {},
    documentOf({ checklists: [] }),
    documentOf({ checklists: [pageOf({ order: -1 })] }),
    documentOf({ checklists: [pageOf({ items: [itemOf({ note: 4 })] })] }),
    documentOf({ checklists: [pageOf({ title: 'x'.repeat(501) })] }),
    documentOf({ checklists: Array.from({ length: 101 }, () => pageOf()) }),
    documentOf({ checklists: [pageOf({ items: Array.from({ length: 501 }, () => itemOf()) })] }),
  ];
  for (const document of documents) expect(isValid(document)).toBe(false);
  expect(isValid(documentOf({ own: 'key', checklists: [pageOf({ items: [] })] }))).toBe(true);
});
