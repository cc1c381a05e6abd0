import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestUser } from '#test/api.ts';
import { testFolder } from '#test/harness.ts';
import { refusal } from '#test/support/answers.ts';
import { pdfOf } from '#test/support/documents.ts';
import { libraryApi } from '#test/support/library.ts';
import type { Entry, Library, LibraryApi } from '#test/support/library.ts';
import { ops } from '#test/support/ops.ts';
import { runSql } from '#test/support/sql.ts';

let library: LibraryApi;
let chart: string;
beforeAll(async () => {
  library = await libraryApi();
  chart = join(await testFolder(), 'chart.pdf');
  await writeFile(chart, pdfOf('chart'));
  await ops(library.api.context, 'va create --library-quota-mb 5 --name SyncAir');
});
afterAll(() => library.close());

/** Publishes the chart as an operator; its id. */
const put = async (flags: string): Promise<string> => {
  const { status, json, err } = await ops(library.api.context, `library put --json --file ${chart} ${flags}`);
  expect([status, err]).toEqual([0, '']);
  return String((json['file'] as { id: number }).id);
};
const member = (verb: 'add' | 'remove', user: TestUser) =>
  ops(library.api.context, `va member ${verb} --va SyncAir --email ${user.email}`);
const names = (entries: Entry[]) => entries.map(({ name }) => name);
const tombs = (entries: Entry[]) => entries.filter(({ deletedAt }) => deletedAt).map(({ name }) => name);

/** What a client keeps: entries by kind and id, changed by syncs. */
const mirror = () => {
  const entries = new Map<string, Entry>();
  const apply = (kind: string, changed: Entry[]) => {
    for (const { deletedAt, downloadUrl: _, ...entry } of changed) {
      if (deletedAt) entries.delete(`${kind} ${entry['id']}`);
      else entries.set(`${kind} ${entry['id']}`, entry);
    }
  };
  return {
    apply: ({ folders, files }: Library) => {
      apply('folder', folders);
      apply('file', files);
    },
    state: () => [...entries].sort(([a], [b]) => a.localeCompare(b)),
  };
};

describe('a full sync', () => {
  test('The answer has folders with text values, the level and the storage, for airline members, too (M-2.5.d1, M-2.5.d2, M-2.5.d3, M-2.5.d4, M-2.5.d5, M-2.5.d6, M-2.5.d7, M-2.5.d8, M-2.5.d9, M-2.5.y1, M-2.5.y2, M-2.5.y3, M-2.5.y4, M-2.5.y5, M-2.5.y6, M-2.5.y7, M-2.5.y8, M-2.1.6)', async () => {
    const user = await library.member();
    const root = await library.folder(user, 'Charts');
    const inner = await library.folder(user, 'EDDF', root);
    await put('--owner system --folder Manuals --name Guide.pdf');
    const now = '2026-09-16 12:00:00';
    const rest = {
      revision: expect.any(String),
      minProductLevel: '0',
      sortOrder: '0',
      createdAt: now,
      updatedAt: now,
    };
    const own = { ownerType: 'user', ownerId: String(user.id) };
    const { folders, files, ...about } = await library.sync(user);
    expect(folders).toEqual([
      { ...rest, ...own, id: root, parentId: null, name: 'Charts' },
      { ...rest, ...own, id: inner, parentId: root, name: 'EDDF' },
      {
        ...rest,
        id: expect.any(String),
        parentId: null,
        name: 'Manuals',
        ownerType: 'system',
        ownerId: null,
      },
    ]);
    expect(files).toEqual([
      expect.objectContaining({
        name: 'Guide.pdf',
        folderId: folders[2]?.['id'],
        ownerType: 'system',
        ownerId: null,
      }),
    ]);
    const user0 = { usedBytes: 0, quotaMb: 500 };
    expect(about).toEqual({
      syncedAt: expect.any(String),
      userProductLevel: 2,
      storage: { user: user0 },
    });
    await put('--owner va --va SyncAir --name SOP.pdf');
    await member('add', user);
    const va = { usedBytes: pdfOf('chart').length, quotaMb: 5 };
    expect((await library.sync(user)).storage).toEqual({ user: user0, va });
    const preview = await library.sync(await library.member(null));
    expect(preview).toMatchObject({ userProductLevel: 0, storage: { user: { usedBytes: 0, quotaMb: 0 } } });
    expect(preview.storage).not.toHaveProperty('va');
  });

  test('The time syncedAt has the contract’s form, for airline members and others (M-2.5.y3)', async () => {
    const user = await library.member();
    const alone = await library.sync(user);
    await member('add', user);
    for (const { syncedAt } of [alone, await library.sync(user)])
      expect(syncedAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  test('Content is filtered by level, including below a folder, and by membership, while own content is always included (M-2.5.1a, M-2.5.1b)', async () => {
    await put('--owner system --folder Level2/Inside --min-level 2 --name L2.pdf');
    await put('--owner system --folder Level2 --name Below.pdf');
    await put('--owner system --folder Open --min-level 0 --name All.pdf');
    await put('--owner system --folder Open --min-level 3 --name L3.pdf');
    await put('--owner va --va SyncAir --folder Airline --name Crew.pdf');
    await put('--owner va --va SyncAir --folder Airline --min-level 3 --name Crew3.pdf');
    const wanted = ['L2.pdf', 'Below.pdf', 'All.pdf', 'L3.pdf', 'Crew.pdf', 'Crew3.pdf'];
    const seen = async (user: TestUser) => {
      const { files, folders } = await library.sync(user);
      return [...names(files), ...names(folders)].filter((name) =>
        [...wanted, 'Level2', 'Inside', 'Airline', 'Own'].includes(name ?? ''),
      );
    };
    const [none, standard, pro] = await Promise.all(
      [null, undefined, 'EFB_PRO_M'].map((p) => library.member(p)),
    );
    if (!none || !standard || !pro) throw new Error('no users');
    expect(await seen(none)).toEqual(['All.pdf']);
    expect(await seen(standard)).toEqual(['L2.pdf', 'Below.pdf', 'All.pdf', 'Level2', 'Inside']);
    expect(await seen(pro)).toEqual(['L2.pdf', 'Below.pdf', 'All.pdf', 'L3.pdf', 'Level2', 'Inside']);
    await member('add', none);
    expect(await seen(none)).toEqual(['All.pdf', 'Crew.pdf', 'Airline']);
    await member('add', pro);
    expect((await seen(pro)).includes('Crew3.pdf')).toBe(true);
    await library.call('libraryFolderCreate', none, { name: 'Own', minProductLevel: 3 });
    expect(await seen(none)).toContain('Own');
  });
});

describe('an incremental sync', () => {
  test('The answer has exactly the created, updated and deleted rows, the deleted ones with deletedAt (M-2.5.4a, M-2.5.4b, M-3.12, M-2.5.f16, G-11)', async () => {
    const user = await library.member();
    const folders = [await library.folder(user, 'Stays'), await library.folder(user, 'Goes')];
    await library.file(user, pdfOf(), { name: 'Stays.pdf' });
    const renamed = await library.file(user, pdfOf(), { name: 'Old.pdf' });
    const gone = await library.file(user, pdfOf(), { name: 'Gone.pdf' });
    const { syncedAt } = await library.sync(user);
    await library.call('libraryFileRename', user, { fileId: renamed, name: 'New.pdf' });
    await library.call('libraryFileDelete', user, { fileId: gone });
    await library.call('libraryFolderDelete', user, { folderId: folders[1] });
    await library.folder(user, 'Added');
    const changed = await library.sync(user, syncedAt);
    const now = '2026-09-16 12:00:00';
    expect(changed.folders).toEqual([
      expect.objectContaining({ id: folders[1], name: 'Goes', deletedAt: now }),
      expect.objectContaining({ name: 'Added', deletedAt: null }),
    ]);
    expect(changed.files.map(({ id, name, deletedAt }) => [id, name, deletedAt])).toEqual([
      [renamed, 'New.pdf', null],
      [gone, 'Gone.pdf', now],
    ]);
    expect(changed.files[1]).toMatchObject({ filePath: null });
    expect(changed.files[1]).not.toHaveProperty('downloadUrl');
    expect(await library.sync(user, changed.syncedAt)).toMatchObject({ folders: [], files: [] });
    const full = await library.sync(user);
    expect(names(full.files)).toEqual(expect.not.arrayContaining(['Gone.pdf']));
    expect([tombs(full.files), tombs(full.folders)]).toEqual([[], []]);
    expect(full.folders[0]).not.toHaveProperty('deletedAt');
  });

  test('The time since is ISO 8601 or YYYY-MM-DD HH:MM:SS in UTC, and anything else is refused (M-4.4.q1)', async () => {
    const user = await library.member();
    library.api.context.clock.set('2026-09-16T20:00:00Z');
    await library.folder(user, 'Evening');
    const none = [
      '2026-09-16T20:00:01Z',
      '2026-09-16 20:00:01',
      '2026-09-16T22:00:01+02:00',
      '2026-09-16T20:00:00.9Z',
    ];
    const some = [
      '2026-09-16T19:59:59Z',
      '2026-09-16 19:59:59',
      '2026-09-16T21:59:59+0200',
      '2026-09-16',
      '2026-09-16T19:59Z',
      '1815-01-01 00:00:00',
    ];
    const of = async (since: string) => names((await library.sync(user, since)).folders).includes('Evening');
    for (const since of none) expect([since, await of(since)]).toEqual([since, false]);
    for (const since of some) expect([since, await of(since)]).toEqual([since, true]);
    const garbage = [
      '',
      'yesterday',
      '2026-13-01',
      '2026-06-31 00:00:00',
      '2026-09-17T25:00Z',
      '17.09.2026',
      '1789650000',
      "2026-09-17' OR '1'='1",
      'x'.repeat(500),
      5,
      true,
      {},
    ];
    for (const since of garbage)
      expect([since, ...refusal(await library.call('librarySync', user, { since }))]).toEqual([
        since,
        400,
        'INVALID_SINCE',
      ]);
    expect((await library.call('librarySync', user, { since: null })).status).toBe(200);
  });

  test('Content made visible by a membership or product is in the next sync, and content hidden by it is deleted (M-2.5.4c, M-2.5.1b)', async () => {
    await put('--owner system --folder Later --min-level 2 --name Later2.pdf');
    await put('--owner va --va SyncAir --name Joined.pdf');
    const user = await library.member(null);
    const first = await library.sync(user);
    await member('add', user);
    await library.api.grant(user, 'EFB_STANDARD_M');
    const second = await library.sync(user, first.syncedAt);
    expect(names(second.files)).toEqual(expect.arrayContaining(['Later2.pdf', 'Joined.pdf']));
    expect(names(second.folders)).toContain('Later');
    expect(await library.sync(user, second.syncedAt)).toMatchObject({ folders: [], files: [] });
    await member('remove', user);
    const third = await library.sync(user, second.syncedAt);
    expect(tombs(third.files)).toEqual(expect.arrayContaining(['Joined.pdf']));
    expect(tombs(third.files)).not.toContain('Later2.pdf');
    // A device that was offline sees only the final state of both changes.
    const away = mirror();
    away.apply(first);
    away.apply(await library.sync(user, first.syncedAt));
    const full = mirror();
    full.apply(await library.sync(user));
    expect(away.state()).toEqual(full.state());
  });

  test('Deleting an airline deletes its documents, even for former members who sync later', async () => {
    await ops(library.api.context, 'va create --library-quota-mb 5 --name GoneAir');
    const user = await library.member(null);
    await ops(library.api.context, `va member add --va GoneAir --email ${user.email}`);
    await put('--owner va --va GoneAir --folder Routes --name Routes.pdf');
    const { syncedAt, files } = await library.sync(user);
    const routes = files.find(({ name }) => name === 'Routes.pdf');
    expect((await ops(library.api.context, 'va delete --va GoneAir')).status).toBe(0);
    const after = await library.sync(user, syncedAt);
    expect([tombs(after.folders), tombs(after.files)]).toEqual([['Routes'], ['Routes.pdf']]);
    expect((await library.download(routes?.['downloadUrl'])).status).toBe(404);
  });

  test('A file republished for a higher level is deleted for the others', async () => {
    const [low, high] = [await library.member(null), await library.member('EFB_PRO_M')];
    await put('--owner system --folder Raised --name Raised.pdf');
    const before = [await library.sync(low), await library.sync(high)];
    await put('--owner system --folder Raised --min-level 3 --name Raised.pdf');
    const seen = [
      await library.sync(low, before[0]?.syncedAt),
      await library.sync(high, before[1]?.syncedAt),
    ];
    expect(seen.map(({ files }) => files.map(({ name, deletedAt }) => [name, deletedAt !== null]))).toEqual([
      [['Raised.pdf', true]],
      [
        ['Raised.pdf', true],
        ['Raised.pdf', false],
      ],
    ]);
  });

  test('After random changes by several writers an incremental client has the same content as a full sync (M-2.5.4c)', async () => {
    const user = await library.member();
    const client = mirror();
    let random = 7;
    const pick = (n: number) => (random = (random * 48_271) % 2_147_483_647) % n;
    const last = <T>(list: T[]) => list[pick(Math.max(1, list.length))];
    let since: string | undefined;
    for (let round = 0; round < 12; round += 1) {
      const { folders, files } = await library.sync(user);
      const own = <E extends Entry>(list: E[]) => list.filter(({ ownerType }) => ownerType === 'user');
      const url = 'https://youtu.be/dQw4w9WgXcQ';
      const change = async (): Promise<unknown> => {
        const folder = last(own(folders))?.['id'] ?? null;
        const file = last(own(files))?.['id'] ?? null;
        const kind = pick(7);
        if (kind < 2)
          return library.call('libraryFolderCreate', user, { name: `F${random}`, parentId: folder });
        if (kind < 4)
          return library.call('libraryUpload', user, { url, name: `L${random}`, folderId: folder });
        if (kind === 4 && file)
          return library.call('libraryFileRename', user, { fileId: file, name: `R${random}` });
        if (kind === 5 && file)
          return library.call('libraryFileMove', user, { fileId: file, folderId: null });
        if (pick(3) === 0 && folder) return library.call('libraryFolderDelete', user, { folderId: folder });
        return put(`--owner system --folder Random --name S${pick(4)}.pdf`);
      };
      // The sync runs during the changes, so each change appears in this sync or in the next one.
      const [, , , , synced] = await Promise.all([
        change(),
        change(),
        change(),
        change(),
        library.sync(user, since),
      ]);
      client.apply(synced);
      since = synced.syncedAt;
    }
    client.apply(await library.sync(user, since));
    const full = mirror();
    full.apply(await library.sync(user));
    expect(client.state()).toEqual(full.state());
    expect(client.state().length).toBeGreaterThan(5);
  });
});

describe('the developer key', () => {
  test('The developer key comes from the header X-Dev-Key or the token, and must have the library permission (M-2.1.2c, M-2.5.6, M-5.2b)', async () => {
    const { token } = await library.member();
    const bare = await library.api.key({ userInfo: 'FULL', library: false });
    const of = async (key?: string) =>
      refusal(
        await library.api.call('librarySync', {
          token,
          headers: key === undefined ? {} : { 'x-dev-key': key },
        }),
      );
    expect(await of(library.devKey)).toEqual([200, null]);
    expect(await of()).toEqual([200, null]);
    expect(await of('dk_wrong')).toEqual([401, 'INVALID_DEV_KEY']);
    for (const query of [
      'librarySync',
      'libraryUpload',
      'libraryFolderCreate',
      'libraryFolderRename',
      'libraryFolderDelete',
      'libraryFileRename',
      'libraryFileDelete',
      'libraryFileMove',
    ])
      expect([
        query,
        ...refusal(await library.api.call(query, { token, headers: { 'x-dev-key': bare } })),
      ]).toEqual([query, 403, 'ACCESS_DENIED']);
    expect(refusal(await library.api.call('librarySync', {}))).toEqual([401, 'AUTH_REQUIRED']);
    await runSql(library.api.context.postgres)`UPDATE developer_key SET library = false`;
    expect(await of()).toEqual([403, 'ACCESS_DENIED']);
    await runSql(library.api.context.postgres)`UPDATE developer_key SET library = true`;
  });
});

test('All pages together are complete, and changes made while paging are in the next sync', async () => {
  const user = await library.member();
  const folder = await library.folder(user, 'First');
  await library.folder(user, 'Second');
  const [renamed, deleted] = [
    await library.file(user, pdfOf('a')),
    await library.file(user, pdfOf('b')),
    await library.file(user, pdfOf('c')),
  ];
  const whole = await library.sync(user);
  const [pages, changed] = [mirror(), mirror()];
  const sizes: number[] = [];
  const stamps = new Set<string>();
  let after: string | null | undefined;
  do {
    const { body } = await library.call('librarySync', user, { limit: 2, ...(after ? { after } : {}) });
    const page = body['library'] as Library & { next: string | null };
    pages.apply(page);
    sizes.push(page.folders.length, page.files.length);
    stamps.add(page.syncedAt);
    // On a page that was read, and on one that was not.
    if (after === undefined) {
      await library.call('libraryFolderRename', user, { folderId: folder, name: 'Renamed' });
      await library.call('libraryFileRename', user, { fileId: renamed, name: 'renamed.pdf' });
      await library.call('libraryFileDelete', user, { fileId: deleted });
    }
    after = page.next;
  } while (after);
  const expected = whole.folders.length + whole.files.length - 1;
  expect(sizes.reduce((sum, size) => sum + size)).toBe(expected);
  expect(Math.max(...sizes)).toBe(2);
  expect([...stamps]).toEqual([whole.syncedAt]);
  pages.apply(await library.sync(user, whole.syncedAt));
  changed.apply(await library.sync(user));
  expect(pages.state()).toEqual(changed.state());
  expect('next' in whole).toBe(false);
});

test.each(['', '7', 'x/file/7', '2026-13-01 00:00:00/file/7', '2026-09-16 12:00:00/file/9999999999', 7])(
  'A page cursor %j is refused',
  async (after) => {
    const user = await library.member();
    expect(refusal(await library.call('librarySync', user, { limit: 2, after }))).toEqual([
      400,
      'INVALID_FIELD',
    ]);
  },
);
