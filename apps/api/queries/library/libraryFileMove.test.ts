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

const move = (data: Record<string, unknown>) => library.call('libraryFileMove', scene.user, data);

describe('libraryFileMove', () => {
  test('A user moves a file into another folder, a service folder and back to the root (G-10)', async () => {
    const added = await library.call('libraryUpload', scene.user, { url: 'https://vimeo.com/76979871' });
    const { fileId } = added.body;
    const own = await library.folder(scene.user, 'Mine');
    for (const folderId of [own, scene.foreign.folder.system, null]) {
      const answer = await move({ fileId, folderId });
      expect([answer.status, answer.body['file']]).toEqual([
        200,
        { id: fileId, folderId, revision: expect.any(String) },
      ]);
      const file = (await library.sync(scene.user)).files.find(({ id }) => id === fileId);
      expect(file?.['folderId']).toBe(folderId);
    }
  });

  test('Other users’ files and folders that accept no user files are refused (M-4.4.q9, M-2.5.2c, M-4.4.q2e)', async () => {
    const added = await library.call('libraryUpload', scene.user, { url: 'https://vimeo.com/76979871' });
    const { fileId } = added.body;
    await expectRefusals(library, scene, {
      query: 'libraryFileMove',
      kind: 'file',
      data: { folderId: null },
      cases: [
        [{ fileId }, 400, 'MISSING_FIELD'],
        [{ folderId: null }, 400, 'MISSING_FIELD'],
        [{ fileId, folderId: null, expectedVersion: {} }, 400, 'INVALID_FIELD'],
        [{ fileId, folderId: scene.foreign.folder.airline }, 403, 'READ_ONLY'],
        [{ fileId, folderId: scene.foreign.folder.other }, 404, 'FOLDER_NOT_FOUND'],
      ],
    });
  });
});
