/** Documents uploaded in parts, on disk and in an S3 bucket. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { removeOldPieces } from '#api/http/uploads.ts';
import { resumableUploadRepo } from '#store/postgres/library/resumable-uploads.ts';
import { refusal } from '#test/support/answers.ts';
import { pdfOf } from '#test/support/documents.ts';
import { expectRefusals, libraryApi, libraryScene } from '#test/support/library.ts';
import type { LibraryApi } from '#test/support/library.ts';
import { s3Server } from '#test/support/s3.ts';
import type { S3Server } from '#test/support/s3.ts';
import { runSql } from '#test/support/sql.ts';
import type { TestUser } from '#test/api.ts';

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const severally = async (times: number, act: () => Promise<string>): Promise<string[]> => {
  const results: string[] = [];
  while (results.length < times) results.push(await act());
  return results;
};

describe.each(['disk', 's3'])('uploads in parts on %s', (kind) => {
  let s3: S3Server | null = null;
  let library: LibraryApi;
  let user: TestUser;
  beforeAll(async () => {
    if (kind === 's3') s3 = await s3Server();
    library = await libraryApi(s3 ? { env: { STORAGE_URL: s3.url } } : {});
    user = await library.member();
  });
  afterAll(async () => {
    await library.close();
    await s3?.close();
  });

  const begin = (bytes: Uint8Array, more: Record<string, unknown> = {}) =>
    library.call('libraryUploadBegin', user, {
      name: 'a.pdf',
      bytes: bytes.length,
      sha256: sha256Of(bytes),
      ...more,
    });
  const uploadOf = async (bytes: Uint8Array) =>
    (await begin(bytes)).body['upload'] as { uploadId: string; path: string };
  const headers = (more: Record<string, string> = {}) => ({
    authorization: `Bearer ${user.token}`,
    'tus-resumable': '1.0.0',
    ...more,
  });
  const piece = (path: string, bytes: Uint8Array, offset: number, more: Record<string, string> = {}) =>
    library.api.fetch(path, {
      method: 'PATCH',
      body: new Uint8Array(bytes),
      headers: headers({
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        ...more,
      }),
    });
  const offsetOf = async (path: string) =>
    Number(
      (await library.api.fetch(path, { method: 'HEAD', headers: headers() })).headers.get('upload-offset'),
    );

  test('Parts are accepted only at their offset, from their user and up to the announced length', async () => {
    const bytes = pdfOf('pieces', 30_000);
    const { path, uploadId } = await uploadOf(bytes);
    expect((await piece(path, bytes.subarray(0, 10_000), 0)).status).toBe(204);
    expect(await offsetOf(path)).toBe(10_000);
    const head = await library.api.fetch(path, { method: 'HEAD', headers: headers() });
    expect(['upload-length', 'cache-control'].map((name) => head.headers.get(name))).toEqual([
      String(bytes.length),
      'no-store',
    ]);
    // Some libraries repeat this header with every part.
    const said = { 'upload-length': String(bytes.length) };
    expect((await piece(path, bytes.subarray(0, 10_000), 0, said)).status).toBe(409);
    const reduced = { 'x-dev-key': await library.api.key({ weather: true }) };
    expect((await piece(path, bytes.subarray(10_000), 10_000, reduced)).status).toBe(403);
    const late = await piece(path, bytes.subarray(0, 10_000), 0);
    expect([late.status, late.headers.get('content-type')]).toEqual([409, 'text/plain;charset=UTF-8']);
    expect((await piece(path, Buffer.concat([bytes, bytes]), 10_000)).status).toBeGreaterThanOrEqual(400);
    const other = await library.member();
    const theirs = { authorization: `Bearer ${other.token}` };
    expect((await piece(path, bytes.subarray(10_000), 10_000, theirs)).status).toBe(404);
    expect((await piece(path, bytes.subarray(10_000), 10_000, { authorization: 'Bearer none' })).status).toBe(
      401,
    );
    expect((await library.api.fetch(path)).status).toBe(405);
    expect(await offsetOf(path)).toBe(10_000);
    const early = await library.call('libraryUpload', user, { uploadId });
    expect([...refusal(early), early.body['offset']]).toEqual([409, 'UPLOAD_INCOMPLETE', 10_000]);
    expect((await piece(path, bytes.subarray(10_000), 10_000)).status).toBe(204);
    expect(refusal(await library.call('libraryUpload', other, { uploadId }))).toEqual([
      404,
      'UPLOAD_NOT_FOUND',
    ]);
    expect((await library.call('libraryUpload', user, { uploadId, name: 'Pieces' })).status).toBe(200);
  });

  test('Invalid and too large announcements are refused before any part is read', async () => {
    const { pieces } = library.api.running.services;
    const read = vi.spyOn(pieces, 'read');
    const bytes = pdfOf('form', 20_000);
    const { path, uploadId } = await uploadOf(bytes);
    expect((await piece(path, bytes, 0)).status).toBe(204);
    const end = (data: object, more: Record<string, string> = {}) =>
      library.api.call('libraryUpload', {
        token: user.token,
        headers: { 'x-dev-key': library.devKey, ...more },
        data: { uploadId, ...data },
      });
    const clientId = randomUUID();
    for (const wrong of [{ url: 'https://vimeo.com/76979871' }, { clientId, expectedVersion: 1 }])
      expect(refusal(await end(wrong))).toEqual([400, 'INVALID_INPUT']);
    expect(refusal(await end({}, { 'idempotency-key': 'ä' }))).toEqual([400, 'INVALID_IDEMPOTENCY_KEY']);
    expect(refusal(await end({ folderId: '999999' }))).toEqual([404, 'FOLDER_NOT_FOUND']);
    await runSql(
      library.api.context.postgres,
    )`UPDATE product SET library_quota_mb = 0 WHERE code = 'EFB_STANDARD_M'`;
    expect((await end({})).status).toBeGreaterThanOrEqual(400);
    await runSql(
      library.api.context.postgres,
    )`UPDATE product SET library_quota_mb = 500 WHERE code = 'EFB_STANDARD_M'`;
    expect(read).not.toHaveBeenCalled();
    expect((await end({})).status).toBe(200);
    expect(read).toHaveBeenCalledOnce();
    read.mockRestore();
  });

  test('A file identical to the stored one creates no version, and content other than announced creates no file', async () => {
    const bytes = pdfOf('same', 20_000);
    const fileId = await library.file(user, bytes);
    const { body } = await begin(bytes, { fileId });
    expect(body).toMatchObject({ upload: null, unchanged: { fileId, version: '1' } });
    const changed = pdfOf('sent', 20_000);
    const { path, uploadId } = await uploadOf(changed);
    const damaged = new Uint8Array(changed);
    damaged[30] = 65;
    await piece(path, damaged, 0);
    expect(refusal(await library.call('libraryUpload', user, { uploadId, fileId }))).toEqual([
      422,
      'UPLOAD_DAMAGED',
    ]);
    // Its bytes are not read again.
    const readAgain = vi.spyOn(library.api.context.storage, 'open');
    expect(refusal(await library.call('libraryUpload', user, { uploadId, fileId }))).toEqual([
      404,
      'UPLOAD_NOT_FOUND',
    ]);
    expect(readAgain).not.toHaveBeenCalled();
    readAgain.mockRestore();
    const whole = pdfOf('removed', 20_000);
    const removed = await uploadOf(whole);
    await piece(removed.path, whole.subarray(0, 10_000), 0);
    await piece(removed.path, whole.subarray(10_000), 10_000);
    const { storage, postgres } = library.api.context;
    const open = storage.open.bind(storage);
    let opened = 0;
    const reading = vi.spyOn(storage, 'open').mockImplementation(async (key, range) => {
      opened += 1;
      if (opened === 1) return open(key, range);
      // Another call removes the upload between the two parts.
      await runSql(postgres)`DELETE FROM resumable_upload WHERE id = ${removed.uploadId}`;
      return null;
    });
    expect(refusal(await library.call('libraryUpload', user, { uploadId: removed.uploadId }))).toEqual([
      404,
      'UPLOAD_NOT_FOUND',
    ]);
    expect(opened).toBe(2);
    reading.mockRestore();
    const text = Buffer.from('x'.repeat(20_000));
    const wrong = await uploadOf(text);
    await piece(wrong.path, text, 0);
    expect(refusal(await library.call('libraryUpload', user, { uploadId: wrong.uploadId }))).toEqual([
      415,
      'UNSUPPORTED_TYPE',
    ]);
  });

  test('The announced length is checked before the first byte, and an upload unfinished for a day is removed', async () => {
    const sha256 = sha256Of(Buffer.from(''));
    const huge = (size: number) =>
      library.call('libraryUploadBegin', user, { name: 'a.pdf', bytes: size, sha256 });
    expect(refusal(await huge(900_000_000))).toEqual([413, 'FILE_TOO_LARGE']);
    const poor = await library.member(null);
    expect(
      refusal(await library.call('libraryUploadBegin', poor, { name: 'a.pdf', bytes: 9, sha256 })),
    ).toEqual([403, 'STORAGE_NOT_INCLUDED']);
    const { path, uploadId } = await uploadOf(pdfOf('old', 9_000));
    await piece(path, pdfOf('old', 9_000).subarray(0, 5_000), 0);
    const { context, running } = library.api;
    const { pieces } = running.services;
    expect(await offsetOf(path)).toBe(5_000);
    const found = await resumableUploadRepo(context.postgres.db).byId(uploadId);
    const [key = ''] = found?.keys ?? [];
    expect(await context.storage.get(key)).toHaveLength(5_000);
    await runSql(
      context.postgres,
    )`UPDATE resumable_upload SET created_at = created_at - interval '25 hours' WHERE id = ${uploadId}`;
    expect(await removeOldPieces({ ...context, pieces })).toBe(1);
    expect(await context.storage.get(key)).toBeNull();
    expect((await piece(path, new Uint8Array(4_000), 5_000)).status).toBe(404);
  });

  test('Announced bytes count towards the quota, and at most 20 uploads may be open', async () => {
    const eager = await library.member();
    const sha256 = sha256Of(Buffer.from(''));
    const open = async (bytes: number) => {
      const answer = await library.call('libraryUploadBegin', eager, { name: 'a.pdf', bytes, sha256 });
      return answer.status === 200 ? 'open' : refusal(answer).join(' ');
    };
    const taken = await severally(14, () => open(40_000_000));
    // 500 MB have room for 13 files of 40 MB.
    expect(taken).toEqual([...Array.from({ length: 13 }, () => 'open'), '413 QUOTA_EXCEEDED']);
    const small = await severally(8, () => open(9));
    expect(small).toEqual([...Array.from({ length: 7 }, () => 'open'), '409 TOO_MANY_UPLOADS']);
  });

  test.each([
    { bytes: 9, taken: 20, code: 'TOO_MANY_UPLOADS' },
    // 500 MB are room for 13 of 40 MB.
    { bytes: 40_000_000, taken: 13, code: 'QUOTA_EXCEEDED' },
  ])('Of simultaneous uploads of $bytes bytes $taken are open', async ({ bytes, taken, code }) => {
    const eager = await library.member();
    const sha256 = sha256Of(Buffer.from(''));
    const answers = await Promise.all(
      Array.from({ length: taken + 5 }, () =>
        library.call('libraryUploadBegin', eager, { name: 'a.pdf', bytes, sha256 }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(taken);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map((answer) => refusal(answer)[1]))).toEqual(new Set([code]));
  });

  test('A replacement of another user’s file and an invalid announcement are refused', async () => {
    const data = { name: 'a.pdf', bytes: 9, sha256: sha256Of(Buffer.from('')) };
    await expectRefusals(library, await libraryScene(library), {
      query: 'libraryUploadBegin',
      kind: 'file',
      data,
      cases: [
        [{ ...data, name: undefined }, 400, 'MISSING_NAME'],
        [{ ...data, name: 'x'.repeat(300) }, 400, 'INVALID_NAME'],
        [{ ...data, bytes: 0 }, 400, 'INVALID_FIELD'],
        [{ ...data, sha256: 'x' }, 400, 'INVALID_FIELD'],
        [{ ...data, sha256: undefined }, 400, 'MISSING_FIELD'],
      ],
    });
  });
});
