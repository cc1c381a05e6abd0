/** An upload with a lost answer: its repetition gets the answer, even if the storage is now full or the folder deleted. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Answer, TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { pdfOf } from '#test/support/documents.ts';
import { libraryApi } from '#test/support/library.ts';
import type { LibraryApi } from '#test/support/library.ts';
import { runSql } from '#test/support/sql.ts';

let library: LibraryApi;
let user: TestUser;
beforeAll(async () => {
  library = await libraryApi({ env: { LIBRARY_MAX_UPLOAD_MB: '2' } });
  await runSql(library.api.context.postgres)`
    INSERT INTO product SELECT (jsonb_populate_record(p, '{"code": "SMALL", "library_quota_mb": 1}')).*
    FROM product p WHERE code = 'EFB_STANDARD_M'`;
});
beforeEach(async () => {
  user = await library.member('SMALL');
});
afterAll(() => library.close());

const document = pdfOf('most of the room', 600_000);
const headersOf = (key?: string): Record<string, string> => ({
  authorization: `Bearer ${user.token}`,
  'x-dev-key': library.devKey,
  ...(key === undefined ? {} : { 'idempotency-key': key }),
});
const send = async (key: string | undefined, data: object = {}, file = document): Promise<Answer> => {
  const form = new FormData();
  form.set('query', 'libraryUpload');
  form.set('data', JSON.stringify(data));
  form.set('file', new Blob([new Uint8Array(file)]), 'a.pdf');
  const response = await library.api.fetch('/api', { method: 'POST', body: form, headers: headersOf(key) });
  const body = (await response.json()) as Answer['body'];
  return { status: response.status, headers: response.headers, body };
};
const isReplayed = ({ headers }: Answer) => headers.get('idempotent-replayed') === 'true';
const stored = async () => (await library.sync(user)).files.length;

test('A repetition with a key gets the first answer, while a first call over the quota is refused (M-2.5.5c, G-09)', async () => {
  const first = await send('one');
  const again = await send('one');
  expect([first.status, again.status, isReplayed(again), again.body]).toEqual([200, 200, true, first.body]);
  expect(refusal(await send('one', {}, pdfOf('other', 600_000)))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  for (const key of ['two', 'two', undefined])
    expect(refusal(await send(key))).toEqual([413, 'QUOTA_EXCEEDED']);
  expect(await stored()).toBe(1);
});

test('A repetition with a clientId gets the row of the first call (M-2.5.5c)', async () => {
  const data = { clientId: '0d3f8a52-5f0e-4a30-9f2f-6f1f3f3f3f3f' };
  const first = await send(undefined, data);
  const again = await send(undefined, data);
  expect([again.status, again.body]).toMatchObject([200, { fileId: first.body['fileId'], already: true }]);
  expect(await stored()).toBe(1);
});

test('A document uploaded in pieces is created once (M-2.5.5c)', async () => {
  const sha256 = createHash('sha256').update(document).digest('hex');
  const begun = await library.call('libraryUploadBegin', user, {
    name: 'a.pdf',
    bytes: document.length,
    sha256,
  });
  const { uploadId, path } = begun.body['upload'] as { uploadId: string; path: string };
  const sent = await library.api.fetch(path, {
    method: 'PATCH',
    body: new Uint8Array(document),
    headers: {
      ...headersOf(),
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    },
  });
  expect(sent.status).toBe(204);
  const end = () =>
    library.api.call('libraryUpload', { token: user.token, headers: headersOf('end'), data: { uploadId } });
  const [first, again] = [await end(), await end()];
  expect([first.status, again.status, isReplayed(again), again.body]).toEqual([200, 200, true, first.body]);
  expect(await stored()).toBe(1);
});

test('A repetition of an upload of any allowed size gets the first answer, even if the folder has been deleted since', async () => {
  const folderId = await library.folder(user, 'Gone');
  const first = await send('gone', { folderId });
  await library.call('libraryFolderDelete', user, { folderId });
  const again = await send('gone', { folderId });
  expect([first.status, again.status, isReplayed(again), again.body]).toEqual([200, 200, true, first.body]);
  expect(refusal(await send('new', { folderId }))).toEqual([404, 'FOLDER_NOT_FOUND']);
  const tooLarge = pdfOf('large', 2_200_000);
  expect(refusal(await send('gone', { folderId }, tooLarge))).toEqual([413, 'FILE_TOO_LARGE']);
});
