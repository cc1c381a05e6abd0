/** Additions by phones and programs to files, and the wording of refusals. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '#test/api.ts';
import { jpegOf, pngOf, svgOf } from '#test/support/documents.ts';
import { libraryApi } from '#test/support/library.ts';
import type { LibraryApi } from '#test/support/library.ts';
import { film, phonePhotos } from '#test/support/phone-photos.ts';

let library: LibraryApi;
let user: TestUser;
beforeAll(async () => {
  library = await libraryApi();
  user = await library.member();
});
afterAll(() => library.close());

test('Photos with the metadata of phones are stored and served unchanged, as attachments that run nothing (M-4.4.q2a, M-8.8)', async () => {
  for (const [name, bytes] of phonePhotos(await jpegOf())) {
    const { body } = await library.upload(user, bytes, {}, 'IMG_0001.JPG');
    expect([name, body['file']]).toMatchObject([name, { mimeType: 'image/jpeg', size: bytes.length }]);
    const response = await library.download((await library.sync(user)).files.at(-1)?.['downloadUrl']);
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-disposition': expect.stringMatching(/^attachment;/),
      'content-security-policy': expect.stringMatching(/sandbox/),
      'x-content-type-options': 'nosniff',
    });
  }
});

test('A refusal explains the problem of the file and how to fix it (M-8.8)', async () => {
  const cases: [Buffer, RegExp][] = [
    [Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic'), /this is image\/heic; save it as one of these/],
    [Buffer.concat([await pngOf(), film]), /something after the end of the file; save it without that/],
    [(await pngOf()).subarray(0, -20), /the file is incomplete; send it again/],
    [svgOf(`<text>${'x'.repeat(1_900_000)}</text><a/>`), /the element a; save it without that/],
  ];
  for (const [bytes, message] of cases)
    expect((await library.upload(user, bytes)).body).toMatchObject({
      error: { code: 'UNSUPPORTED_TYPE', message: expect.stringMatching(message) },
    });
});
