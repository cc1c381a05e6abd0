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

const rename = (data: Record<string, unknown>) => library.call('libraryFileRename', scene.user, data);

describe('libraryFileRename', () => {
  test('A user renames a file or link (M-2.5.u6, M-4.4.q6)', async () => {
    const added = await library.call('libraryUpload', scene.user, { url: 'https://vimeo.com/76979871' });
    const { fileId } = added.body;
    const answer = await rename({ fileId, name: 'x'.repeat(255) });
    expect([answer.status, answer.body['file']]).toEqual([
      200,
      { id: fileId, name: 'x'.repeat(255), revision: expect.any(String) },
    ]);
    const file = (await library.sync(scene.user)).files.find(({ id }) => id === fileId);
    expect(file).toMatchObject({ name: 'x'.repeat(255), version: '1' });
  });

  test('Other users’ files and missing or too long names are refused (M-4.4.q6, M-4.4.q9, M-8.7, M-2.5.2c)', async () => {
    const added = await library.call('libraryUpload', scene.user, { url: 'https://vimeo.com/76979871' });
    const { fileId } = added.body;
    await expectRefusals(library, scene, {
      query: 'libraryFileRename',
      kind: 'file',
      data: { name: 'x' },
      cases: [
        [{ name: 'x' }, 400, 'MISSING_FIELD'],
        [{ fileId }, 400, 'MISSING_NAME'],
        [{ fileId, name: 'x'.repeat(256) }, 400, 'INVALID_NAME'],
        [{ fileId, name: 'a\\b' }, 400, 'INVALID_NAME'],
      ],
    });
    const { files } = await library.sync(scene.user);
    expect(files.find(({ id }) => id === fileId)?.['name']).toBe('Video 76979871');
  });
});
