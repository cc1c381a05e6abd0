/** Every row edited by clients has a revision, and a change with an older one is refused with the stored row. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Answer, TestUser } from '../api.ts';
import { at, refusal } from '../support/answers.ts';
import { documentOf } from '../support/checklists.ts';
import { libraryApi } from '../support/library.ts';
import type { LibraryApi } from '../support/library.ts';
import { planTree } from '../support/ofp.ts';
import { planOf } from '../support/plans.ts';

let library: LibraryApi;
let user: TestUser;
beforeAll(async () => {
  library = await libraryApi();
  user = await library.member();
});
afterAll(() => library.close());

const url = 'https://vimeo.com/76979871';
const call = (query: string, data: Record<string, unknown> = {}) => library.call(query, user, data);
const link = async (): Promise<string> => String(at(await call('libraryUpload', { url }), 'fileId'));
const shown = async (kind: 'files' | 'folders', id: string) =>
  (await library.sync(user))[kind].find((entry) => entry['id'] === id)?.['revision'];
const ofFile = (id: string) => () => shown('files', id);
const ofFolder = (id: string) => () => shown('folders', id);

interface Row {
  /** A change that succeeds any number of times without `expectedVersion`, or a deletion. */
  query: string;
  data: (attempt: number) => Record<string, unknown>;
  /** As a list or a read shows it. */
  revision: () => Promise<unknown>;
  /** Path in the answer and in the conflict. */
  saved: readonly string[];
  current: readonly string[];
}

const changes: Record<string, () => Promise<Row>> = {
  'a renamed file': async () => {
    const fileId = await link();
    return {
      query: 'libraryFileRename',
      data: (attempt) => ({ fileId, name: `Name ${attempt}` }),
      revision: ofFile(fileId),
      saved: ['file', 'revision'],
      current: ['current', 'revision'],
    };
  },
  'a moved file': async () => {
    const [fileId, folderId] = [await link(), await library.folder(user, 'Target')];
    return {
      query: 'libraryFileMove',
      data: () => ({ fileId, folderId }),
      revision: ofFile(fileId),
      saved: ['file', 'revision'],
      current: ['current', 'revision'],
    };
  },
  'a replaced file': async () => {
    const fileId = await link();
    return {
      query: 'libraryUpload',
      data: () => ({ fileId, url }),
      revision: ofFile(fileId),
      saved: ['revision'],
      current: ['current', 'revision'],
    };
  },
  'a file that is replaced by its name': async () => {
    const folderId = await library.folder(user, 'Names');
    const added = await call('libraryUpload', { url, name: 'One', folderId });
    return {
      query: 'libraryUpload',
      data: () => ({ url, name: 'One', folderId, replace: true }),
      revision: ofFile(String(at(added, 'fileId'))),
      saved: ['revision'],
      current: ['current', 'revision'],
    };
  },
  'a renamed folder': async () => {
    const folderId = await library.folder(user, 'Old');
    return {
      query: 'libraryFolderRename',
      data: (attempt) => ({ folderId, name: `Name ${attempt}` }),
      revision: ofFolder(folderId),
      saved: ['folder', 'revision'],
      current: ['current', 'revision'],
    };
  },
  preferences: () =>
    Promise.resolve({
      query: 'saveUserSettings',
      data: (attempt: number) => ({ export: { datalinkCallsign: `DLH${attempt}` } }),
      revision: async () => at(await call('refreshUserData'), 'user', 'preferencesRevision'),
      saved: ['revision'],
      current: ['revision'],
    }),
  'the profile': () =>
    Promise.resolve({
      query: 'updateProfile',
      data: (attempt: number) => ({ crewcode: `C${attempt}` }),
      revision: async () => at(await call('refreshUserData'), 'user', 'revision'),
      saved: ['user', 'revision'],
      current: ['current', 'revision'],
    }),
};

const deletions: Record<string, () => Promise<Row>> = {
  'a deleted file': async () => {
    const fileId = await link();
    return {
      query: 'libraryFileDelete',
      data: () => ({ fileId }),
      revision: ofFile(fileId),
      saved: [],
      current: ['current', 'revision'],
    };
  },
  'a deleted folder': async () => {
    const folderId = await library.folder(user, 'Gone');
    return {
      query: 'libraryFolderDelete',
      data: () => ({ folderId }),
      revision: ofFolder(folderId),
      saved: [],
      current: ['current', 'revision'],
    };
  },
  'a plan': async () => {
    const imported = await call('ofpImport', { source: 'json', document: planTree() });
    const ofpId = at(imported, 'ofpId');
    return {
      query: 'ofpDelete',
      data: () => ({ ofpId }),
      revision: async () => at(await call('ofpGet', { ofpId, view: 'summary' }), 'ofp', 'revision'),
      saved: [],
      current: ['current', 'revision'],
    };
  },
};

/** Statuses of 20 parallel calls with the revision that is stored; before them one with another revision is refused. */
const race = async ({ query, data, revision, current }: Row) => {
  const seen = Number(await revision());
  const stale = await call(query, { ...data(0), expectedVersion: seen + 1_000_000 });
  expect([stale.status, Number(at(stale, ...current))]).toEqual([409, seen]);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, attempt) =>
      call(query, { ...data(attempt), expectedVersion: attempt % 2 === 0 ? seen : String(seen) }),
    ),
  );
  return { seen, answers, statuses: answers.map(({ status }) => status).sort((a, b) => a - b) };
};
const oneOf20 = (others: number) => [200, ...Array.from({ length: 19 }, () => others)];

const rowNamed = async (rows: Record<string, () => Promise<Row>>, name: string): Promise<Row> => {
  const make = rows[name];
  if (!make) throw new Error(`no row ${name}`);
  return make();
};

test.each(Object.keys(changes))(
  'Of 20 parallel changes of %s with the same revision one succeeds, the others are refused with the stored row (M-7.d10)',
  async (name) => {
    const row = await rowNamed(changes, name);
    const { seen, answers, statuses } = await race(row);
    expect(statuses).toEqual(oneOf20(409));
    const stored = Number(await row.revision());
    expect(stored).toBeGreaterThan(seen);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map((answer) => Number(at(answer, ...row.current))))).toEqual(new Set([stored]));
    const again = await call(row.query, row.data(21));
    expect(Number(at(again, ...row.saved))).toBe(Number(await row.revision()));
    expect(Number(await row.revision())).toBeGreaterThan(stored);
  },
);

test.each(Object.keys(deletions))(
  'Of 20 parallel deletions of %s with the same revision one succeeds, and none with another revision (M-7.d10)',
  async (name) => {
    const { statuses } = await race(await rowNamed(deletions, name));
    expect(statuses).toEqual(oneOf20(404));
  },
);

test('A share is revoked with its revision, and revoking it again needs none (M-7.d10)', async () => {
  const ofpId = await planOf(library.api, user);
  const id = at(await call('ofpShare', { ofpId }), 'share', 'id');
  const { seen, answers, statuses } = await race({
    query: 'ofpShareRevoke',
    data: () => ({ id }),
    revision: async () => at(await call('ofpShareList', { ofpId }), 'issued', 0, 'revision'),
    saved: [],
    current: ['current', 'revision'],
  });
  expect(new Set(statuses)).toEqual(new Set([200]));
  const revisions = new Set(answers.map((answer) => Number(at(answer, 'share', 'revision'))));
  expect([...revisions].map((revision) => revision > seen)).toEqual([true]);
});

test('A folder and a file are created with a revision, where 0 expects that none exists (M-7.d10)', async () => {
  const folder = await call('libraryFolderCreate', { name: 'New' });
  expect(at(folder, 'folder', 'revision')).toBe(await shown('folders', String(at(folder, 'folder', 'id'))));
  const file = await call('libraryUpload', { url, name: 'First', replace: true, expectedVersion: 0 });
  expect(at(file, 'revision')).toBe(await shown('files', String(at(file, 'fileId'))));
  const second = await call('libraryUpload', { url, name: 'First', replace: true, expectedVersion: 0 });
  expect(refusal(second)).toEqual([409, 'VERSION_CONFLICT']);
});

test('An invalid revision is refused by every change that takes one', async () => {
  const ofpId = await planOf(library.api, user);
  const id = at(await call('ofpShare', { ofpId }), 'share', 'id');
  const fileId = await link();
  const folderId = await library.folder(user, 'Kept');
  for (const [query, data] of [
    ['libraryFileRename', { fileId, name: 'Other' }],
    ['libraryFileDelete', { fileId }],
    ['libraryFolderRename', { folderId, name: 'Other' }],
    ['libraryFolderDelete', { folderId }],
    ['ofpShareRevoke', { id }],
    ['ofpDelete', { ofpId }],
  ] as const)
    expect([query, ...refusal(await call(query, { ...data, expectedVersion: 'latest' }))]).toEqual([
      query,
      400,
      'INVALID_FIELD',
    ]);
  expect([await shown('files', fileId), await shown('folders', folderId)]).toEqual([
    expect.anything(),
    expect.anything(),
  ]);
});

const neverThere = (row: object) =>
  'registration' in row
    ? { registration: 'D-NEVER' }
    : { checklistId: '00000000-0000-4000-8000-000000000000' };

/** Rows of which tombstones remain, and a save that comes after the deletion. */
const tombstones = {
  checklistSave: {
    list: 'checklistList',
    remove: 'checklistDelete',
    create: { name: 'Mine', checklist: documentOf() },
    key: (saved: Answer) => ({ checklistId: at(saved, 'data', 'checklistId') }),
    deleted: 'CHECKLIST_DELETED',
    late: [404, 'NOT_FOUND'],
  },
  fleetSave: {
    list: 'fleetList',
    remove: 'fleetDelete',
    create: { registration: 'D-LATE', basedOnProfile: 'A320-214', profileData: { weight: { mslw: 64_000 } } },
    key: () => ({ registration: 'D-LATE' }),
    deleted: 'PROFILE_DELETED',
    late: [409, 'VERSION_CONFLICT'],
  },
} as const;

test.each(Object.entries(tombstones))(
  'A deletion is listed with a higher revision, and a later %s is refused or restores the row, as the caller chooses',
  async (query, { list, remove, create, key, deleted, late }) => {
    const listed = async () =>
      at(await call(list, { includeDeleted: true, scope: 'own' }), 'data', 'deleted');
    const first = await call(query, create);
    const row = key(first);
    const [id] = Object.values(row);
    const seen = Number(at(first, 'data', 'revision'));
    expect((await call(remove, { ...row, expectedVersion: seen })).status).toBe(200);
    const [tombstone, ...others] = (await listed()) as Record<string, unknown>[];
    expect([tombstone, others]).toEqual([
      { id, revision: expect.any(Number), deletedAt: expect.any(String), deletedByUserId: user.id },
      [],
    ]);
    expect(Number(tombstone?.['revision'])).toBeGreaterThan(seen);
    const save = (more: Record<string, unknown>) => call(query, { ...create, ...row, ...more });
    expect(refusal(await save({ expectedVersion: seen }))).toEqual(late);
    const refused = await save({ expectedVersion: seen, ifDeleted: 'refuse' });
    expect(refusal(refused)).toEqual([409, deleted]);
    expect(refused.body).toMatchObject({ deletedByUserId: user.id, deletedAt: tombstone?.['deletedAt'] });
    const back = await save({ expectedVersion: seen, ifDeleted: 'recreate' });
    expect(at(back, 'data')).toMatchObject({ ...row, recreated: { deletedByUserId: user.id } });
    expect(Number(at(back, 'data', 'revision'))).toBeGreaterThan(Number(tombstone?.['revision']));
    expect(await listed()).toEqual([]);
    const usual = await save({ ifDeleted: 'refuse' });
    expect([usual.status, at(usual, 'data')]).toEqual([
      200,
      expect.not.objectContaining({ recreated: expect.anything() }),
    ]);
    const never = await call(query, { ...create, ...row, ...neverThere(row), ifDeleted: 'refuse' });
    expect(never.status).toBe(query === 'fleetSave' ? 200 : 404);
  },
);

test('A deleted plan is listed for its owner with a higher revision', async () => {
  const ofpId = await planOf(library.api, user);
  expect((await call('ofpDelete', { ofpId, expectedVersion: 1 })).status).toBe(200);
  const listed = await call('ofpList', { includeDeleted: true, limit: 1, include: 'shared' });
  expect(at(listed, 'deleted', 0)).toMatchObject({ id: ofpId, revision: 2, deletedByUserId: user.id });
});
