import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusals, libraryApi, libraryScene } from '#test/support/library.ts';
import type { LibraryApi, Scene } from '#test/support/library.ts';

let library: LibraryApi;
let scene: Scene;
beforeAll(async () => {
  library = await libraryApi();
  scene = await libraryScene(library);
});
afterAll(() => library.close());

const rename = (data: Record<string, unknown>) => library.call('libraryFolderRename', scene.user, data);

describe('libraryFolderRename', () => {
  test('A user renames a folder (M-2.5.u4, M-4.4.q4)', async () => {
    const folderId = await library.folder(scene.user, 'Old');
    library.api.context.clock.advance(60);
    const answer = await rename({ folderId, name: 'x'.repeat(100) });
    expect([answer.status, answer.body['folder']]).toEqual([
      200,
      { id: folderId, name: 'x'.repeat(100), revision: expect.any(String) },
    ]);
    const folder = (await library.sync(scene.user)).folders.find(({ id }) => id === folderId);
    expect(folder).toMatchObject({
      name: 'x'.repeat(100),
      createdAt: '2026-09-16 12:00:00',
      updatedAt: '2026-09-16 12:01:00',
    });
  });

  test('Other users’ folders and missing or too long names are refused (M-4.4.q4, M-4.4.q9, M-8.7, M-2.5.2c)', async () => {
    const folderId = await library.folder(scene.user, 'Kept');
    await expectRefusals(library, scene, {
      query: 'libraryFolderRename',
      kind: 'folder',
      data: { name: 'x' },
      cases: [
        [{ name: 'x' }, 400, 'MISSING_FIELD'],
        [{ folderId }, 400, 'MISSING_NAME'],
        [{ folderId, name: 'x'.repeat(101) }, 400, 'INVALID_NAME'],
      ],
    });
    const { folders } = await library.sync(scene.user);
    expect(folders.find(({ id }) => id === folderId)?.['name']).toBe('Kept');
  });
});
