import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { refusal } from '#test/support/answers.ts';
import { expectRefusals, libraryApi, libraryScene } from '#test/support/library.ts';
import type { LibraryApi, Scene } from '#test/support/library.ts';
import { pdfOf } from '#test/support/documents.ts';
import { runSql } from '#test/support/sql.ts';

let library: LibraryApi;
let scene: Scene;
beforeAll(async () => {
  library = await libraryApi();
  scene = await libraryScene(library);
});
afterAll(() => library.close());

const remove = (data: Record<string, unknown>) => library.call('libraryFolderDelete', scene.user, data);

describe('libraryFolderDelete', () => {
  test('A folder tree of any depth is deleted with its files and their bytes, and all ids are returned as numbers (M-2.5.u5, M-4.4.q5, M-2.5.3)', async () => {
    const { user } = scene;
    const ids = [await library.folder(user, 'Root')];
    for (let depth = 1; depth < 40; depth += 1) ids.push(await library.folder(user, `${depth}`, ids.at(-1)));
    const side = await library.folder(user, 'Side', ids[1]);
    const kept = await library.folder(user, 'Kept');
    const before = await library.stored();
    await library.file(user, pdfOf('deep'), { folderId: ids.at(-1) });
    await library.file(user, pdfOf('top'), { folderId: ids[0] });
    await library.file(user, pdfOf('kept', 2_000), { folderId: kept });
    const { files } = await library.sync(user);
    const answer = await remove({ folderId: ids[0] });
    expect(answer.status).toBe(200);
    const deleted = answer.body['deletedFolderIds'] as number[];
    expect(deleted[0]).toBe(Number(ids[0]));
    expect([...deleted].sort((a, b) => a - b)).toEqual([...ids, side].map(Number).sort((a, b) => a - b));
    const after = await library.sync(user);
    expect(after.folders.filter(({ ownerType }) => ownerType === 'user').map(({ id }) => id)).toEqual([kept]);
    expect(after.storage.user.usedBytes).toBe(pdfOf('kept', 2_000).length);
    expect(await library.stored()).toHaveLength(before.length + 1);
    for (const { folderId, downloadUrl } of files.filter((file) => file['downloadUrl'] !== undefined))
      expect((await library.download(downloadUrl)).status).toBe(folderId === kept ? 200 : 404);
    expect(refusal(await remove({ folderId: ids[0] }))).toEqual([404, 'FOLDER_NOT_FOUND']);
    expect(refusal(await library.upload(user, pdfOf(), { folderId: ids[3] }))).toEqual([
      404,
      'FOLDER_NOT_FOUND',
    ]);
  });

  test('With ifNotEmpty: refuse a folder that holds a file or a folder remains', async () => {
    const { user } = scene;
    const folderId = await library.folder(user, 'Emptied');
    const inner = await library.folder(user, 'Inner', folderId);
    const careful = { folderId, ifNotEmpty: 'refuse' };
    expect(refusal(await remove(careful))).toEqual([409, 'FOLDER_NOT_EMPTY']);
    expect((await remove({ folderId: inner, ifNotEmpty: 'refuse' })).status).toBe(200);
    const fileId = await library.file(user, pdfOf('late'), { folderId });
    expect(refusal(await remove(careful))).toEqual([409, 'FOLDER_NOT_EMPTY']);
    await library.call('libraryFileDelete', user, { fileId });
    expect((await remove(careful)).status).toBe(200);
  });

  test('A folder with more files than one statement deletes is deleted with all of them', async () => {
    const { user } = scene;
    const folderId = await library.folder(user, 'Full');
    await runSql(library.api.context.postgres)`
      INSERT INTO library_file (space_id, folder_id, name, type, url, created_at, updated_at, changed_at)
      SELECT space_id, id, 'File ' || i, 'video_url', 'https://vimeo.com/1', now(), now(), now()
      FROM library_folder, generate_series(1, 4001) i WHERE id = ${folderId}`;
    expect((await remove({ folderId })).status).toBe(200);
    const left = await library.api.context.postgres.db.one(sql`
      SELECT count(*) FILTER (WHERE deleted_at IS NULL) AS present, count(*) AS rows FROM library_file WHERE folder_id = ${folderId}`);
    expect(left).toEqual({ present: 0, rows: 4_001 });
  });

  test('Other users’ folders are refused (M-4.4.q5, M-4.4.q9, M-2.5.2c)', async () => {
    await expectRefusals(library, scene, {
      query: 'libraryFolderDelete',
      kind: 'folder',
      data: {},
      cases: [[{}, 400, 'MISSING_FIELD']],
    });
  });

  test('Files uploaded into a folder during its deletion are deleted with it or refused', async () => {
    const { user } = scene;
    const folderId = await library.folder(user, 'Contested');
    const [, ...uploads] = await Promise.all([
      remove({ folderId }),
      ...Array.from({ length: 10 }, (_, i) => library.upload(user, pdfOf(String(i)), { folderId })),
    ]);
    for (const answer of uploads)
      expect([
        [200, null],
        [404, 'FOLDER_NOT_FOUND'],
      ]).toContainEqual(refusal(answer));
    const { files, storage } = await library.sync(user);
    expect(files.filter((file) => file['folderId'] === folderId)).toEqual([]);
    const bytes = files.reduce((sum, { fileSize }) => sum + Number(fileSize), 0);
    expect(storage.user.usedBytes).toBe(bytes);
    expect(await library.stored()).toHaveLength(files.filter(({ filePath }) => filePath !== null).length);
  });
});
