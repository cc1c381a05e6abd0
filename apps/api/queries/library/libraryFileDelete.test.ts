import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusal } from '#test/support/answers.ts';
import { expectRefusals, libraryApi, libraryScene } from '#test/support/library.ts';
import type { LibraryApi, Scene } from '#test/support/library.ts';
import { pdfOf } from '#test/support/documents.ts';

let library: LibraryApi;
let scene: Scene;
beforeAll(async () => {
  library = await libraryApi();
  scene = await libraryScene(library);
});
afterAll(() => library.close());

const remove = (data: Record<string, unknown>) => library.call('libraryFileDelete', scene.user, data);

describe('libraryFileDelete', () => {
  test('A file is deleted for good: its bytes are gone, its link is 404, and its storage is free (M-2.5.u7, M-4.4.q7, M-2.5.3)', async () => {
    const { user } = scene;
    const fileId = await library.file(user, pdfOf('gone'));
    const { files, storage } = await library.sync(user);
    const file = files.find(({ id }) => id === fileId);
    expect(storage.user.usedBytes).toBe(pdfOf('gone').length);
    expect(await library.stored()).toEqual([file?.['filePath']]);
    const answer = await remove({ fileId });
    expect([answer.status, answer.body['deletedFileId']]).toEqual([200, Number(fileId)]);
    expect(await library.stored()).toEqual([]);
    expect((await library.download(file?.['downloadUrl'])).status).toBe(404);
    expect((await library.sync(user)).storage.user.usedBytes).toBe(0);
    expect(refusal(await remove({ fileId }))).toEqual([404, 'FILE_NOT_FOUND']);
  });

  test('Other users’ files are refused (M-4.4.q7, M-4.4.q9, M-2.5.2c)', async () => {
    await expectRefusals(library, scene, {
      query: 'libraryFileDelete',
      kind: 'file',
      data: {},
      cases: [[{}, 400, 'MISSING_FIELD']],
    });
  });
});
