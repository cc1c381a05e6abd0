import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '#test/support/answers.ts';
import { foreignCases, libraryApi, libraryScene } from '#test/support/library.ts';
import type { LibraryApi, Scene } from '#test/support/library.ts';
import { runSql } from '#test/support/sql.ts';

let library: LibraryApi;
let scene: Scene;
beforeAll(async () => {
  library = await libraryApi();
  scene = await libraryScene(library);
});
afterAll(() => library.close());

const create = (data: Record<string, unknown>) => library.call('libraryFolderCreate', scene.user, data);

describe('libraryFolderCreate', () => {
  test('Folders are created inside each other, owned by the user, in order of creation (M-2.5.u3, M-4.4.q3, M-2.5.d7)', async () => {
    const root = await create({ name: '  Charts ' });
    const ownerId = String(scene.user.id);
    const id = expect.stringMatching(/^\d+$/);
    const folder = {
      id,
      parentId: null,
      name: 'Charts',
      ownerType: 'user',
      ownerId,
      revision: expect.any(String),
    };
    expect([root.status, root.body]).toEqual([
      200,
      { success: true, apiVersion: expect.any(String), folder },
    ]);
    const { id: rootId } = root.body['folder'] as { id: string };
    const inner = await create({ name: 'x'.repeat(100), parentId: Number(rootId), minProductLevel: 2 });
    expect(inner.body['folder']).toMatchObject({ parentId: rootId, name: 'x'.repeat(100) });
    await create({ name: '😀'.repeat(100), parentId: rootId });
    const { folders } = await library.sync(scene.user);
    const below = folders.filter(({ parentId }) => parentId === rootId);
    expect(below.map(({ sortOrder, minProductLevel }) => [sortOrder, minProductLevel])).toEqual([
      ['0', '2'],
      ['1', '0'],
    ]);
  });

  test('Missing, too long and invalid names are refused, and other users’ parent folders (M-4.4.q3, M-8.7, M-2.5.2c)', async () => {
    const cases: [Record<string, unknown>, number, string][] = [
      [{}, 400, 'MISSING_NAME'],
      [{ name: ' ' }, 400, 'MISSING_NAME'],
      [{ name: 'x'.repeat(101) }, 400, 'INVALID_NAME'],
      [{ name: '../secret' }, 400, 'INVALID_NAME'],
      [{ name: 'a\nb' }, 400, 'INVALID_NAME'],
      [{ name: 7 }, 400, 'INVALID_NAME'],
      [{ name: 'x', minProductLevel: 1.5 }, 400, 'INVALID_FIELD'],
      ...foreignCases(scene, 'folder', 'parentId').map(
        ([data, status, code]): [Record<string, unknown>, number, string] => [
          { name: 'x', ...data },
          status,
          code,
        ],
      ),
    ];
    const before = (await library.sync(scene.user)).folders.length;
    for (const [data, status, code] of cases)
      expect([data, ...refusal(await create(data))]).toEqual([data, status, code]);
    expect((await library.sync(scene.user)).folders).toHaveLength(before);
  });

  test('A library with 5,000 folders is full', async () => {
    await runSql(library.api.context.postgres)`
      INSERT INTO library_folder (space_id, name, created_at, updated_at, changed_at)
      SELECT s.id, 'x', now(), now(), now() FROM library_space s, generate_series(1, 5000) WHERE s.user_id = ${scene.user.id}`;
    const answer = await create({ name: 'One more' });
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { maxEntries: 5_000, error: { code: 'LIBRARY_FULL' } },
    ]);
  });
});
