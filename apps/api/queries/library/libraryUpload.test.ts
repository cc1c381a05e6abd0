import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestUser } from '#test/api.ts';
import { refusal } from '#test/support/answers.ts';
import { documents, pdfOf, pngOf, svgOf } from '#test/support/documents.ts';
import { libraryApi } from '#test/support/library.ts';
import type { LibraryApi } from '#test/support/library.ts';
import { runSql } from '#test/support/sql.ts';

let library: LibraryApi;
let user: TestUser;
beforeAll(async () => {
  library = await libraryApi({ env: { LIBRARY_MAX_UPLOAD_MB: '2' } });
});
beforeEach(async () => {
  user = await library.member();
});
afterAll(() => library.close());

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const only = async (of = user) => {
  const { files } = await library.sync(of);
  expect(files).toHaveLength(1);
  return files[0] ?? {};
};
/** A new user whose product has this quota. */
const memberWith = async (quotaMb: number) => {
  const product = `Q${quotaMb}`;
  await runSql(library.api.context.postgres)`
    INSERT INTO product SELECT (jsonb_populate_record(p,
      jsonb_build_object('code', ${product}::text, 'library_quota_mb', ${quotaMb}::int))).*
    FROM product p WHERE code = 'EFB_STANDARD_M' ON CONFLICT DO NOTHING`;
  return library.member(product);
};

describe('libraryUpload of a file', () => {
  test('The uploaded file is returned, is in the sync of its user only, and can be downloaded (M-2.5.u1, M-2.5.f1, M-2.5.f2, M-2.5.f3, M-2.5.f5, M-2.5.f6, M-2.5.f8, M-2.5.f9, M-2.5.f10, M-2.5.f11, M-2.5.f12, M-2.5.f13, M-2.5.f14, M-2.5.f15, M-2.5.f16, M-2.5.f17, M-2.5.f18, M-2.5.2a, M-2.5.2b, M-2.1.1b)', async () => {
    const pdf = pdfOf('chart');
    const answer = await library.upload(user, pdf, { minProductLevel: 3 }, 'EDDF ground.pdf');
    const path = expect.stringMatching(/^library\/[\da-f-]{36}\.pdf$/);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        success: true,
        apiVersion: expect.any(String),
        message: 'File added.',
        fileId: expect.stringMatching(/^\d+$/),
        version: '1',
        revision: expect.any(String),
        file: { name: 'EDDF ground.pdf', size: pdf.length, mimeType: 'application/pdf', path },
      },
    ]);
    const now = '2026-09-16 12:00:00';
    const file = await only();
    expect(file).toEqual({
      id: answer.body['fileId'],
      folderId: null,
      name: 'EDDF ground.pdf',
      type: 'file',
      mimeType: 'application/pdf',
      filePath: path,
      url: null,
      fileSize: String(pdf.length),
      fileHash: sha256(pdf),
      version: '1',
      revision: expect.any(String),
      minProductLevel: '3',
      ownerType: 'user',
      ownerId: String(user.id),
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      downloadUrl: expect.stringContaining(`${library.api.context.config.BASE_URL}/library/`),
    });
    const downloaded = Buffer.from(await (await library.download(file['downloadUrl'])).arrayBuffer());
    expect(sha256(downloaded)).toBe(file['fileHash']);
    expect((await library.sync(await library.member('EFB_PRO_M'))).files).toEqual([]);
  });

  test('Every type is accepted under any name and identified by its content (M-4.4.q2a, M-8.8, M-2.5.f4)', async () => {
    for (const [type, bytes] of await documents()) {
      const answer = await library.upload(user, bytes, {}, 'program.exe');
      expect([type, answer.status, answer.body['file']]).toMatchObject([type, 200, { mimeType: type }]);
      const { file } = answer.body as { file: { path: string } };
      const synced = (await library.sync(user)).files.find(({ filePath }) => filePath === file.path);
      expect(synced).toMatchObject({ type: type === 'application/pdf' ? 'file' : 'image', mimeType: type });
      const download = await library.download(synced?.['downloadUrl']);
      expect(download.headers.get('content-type')).toBe(type);
      expect(download.headers.get('content-disposition')).toMatch(
        /^attachment; filename="program\.exe\.\w+"$/,
      );
    }
  });

  test('The default title is the file name without its path, and a given one takes precedence (M-4.4.q2d)', async () => {
    const names: [string, Record<string, unknown>, string][] = [
      ['chart.pdf', {}, 'chart.pdf'],
      ['chart.pdf', { name: '  Ground chart ' }, 'Ground chart'],
      ['chart.pdf', { name: '' }, 'chart.pdf'],
      ['C:\\maps\\x.pdf', {}, 'x.pdf'],
      ['../../etc/passwd', {}, 'passwd'],
      ['\u202Efdp.exe', {}, 'fdp.exe'],
      ['..', {}, 'file'],
      [`${'é'.repeat(400)}.pdf`, {}, `${'é'.repeat(251)}.pdf`],
      ['chart.pdf', { name: '😀'.repeat(255) }, '😀'.repeat(255)],
    ];
    for (const [given, data, expected] of names) {
      const answer = await library.upload(user, pdfOf(), data, given);
      expect([given, answer.body['file']]).toMatchObject([given, { name: expected }]);
    }
  });

  test('Invalid fields are refused with their code before anything is stored (M-4.4.q2c, M-4.4.q2e, M-4.4.q2f, M-8.7)', async () => {
    const other = await library.member();
    const foreign = await library.folder(other, 'Private');
    const theirs = await library.file(other, pdfOf());
    const before = await library.stored();
    const cases: [Record<string, unknown>, number, string][] = [
      [{ name: 'x'.repeat(256) }, 400, 'INVALID_NAME'],
      [{ name: 'a/b.pdf' }, 400, 'INVALID_NAME'],
      [{ name: '..' }, 400, 'INVALID_NAME'],
      [{ minProductLevel: -1 }, 400, 'INVALID_FIELD'],
      [{ minProductLevel: '2' }, 400, 'INVALID_FIELD'],
      [{ folderId: foreign }, 404, 'FOLDER_NOT_FOUND'],
      [{ folderId: 999_999 }, 404, 'FOLDER_NOT_FOUND'],
      [{ fileId: theirs }, 404, 'FILE_NOT_FOUND'],
      [{ url: 'https://youtu.be/dQw4w9WgXcQ' }, 400, 'INVALID_INPUT'],
    ];
    for (const [data, status, code] of cases)
      expect([data, ...refusal(await library.upload(user, pdfOf(), data))]).toEqual([data, status, code]);
    expect(refusal(await library.call('libraryUpload', user, {}))).toEqual([400, 'MISSING_FILE_OR_URL']);
    expect((await library.sync(user)).files).toEqual([]);
    expect(await library.stored()).toEqual(before);
  });

  test('Other content is refused under any name with the reason, and leaves no file (M-4.4.q2a, M-8.8)', async () => {
    const before = await library.stored();
    const cases: [string, Buffer, RegExp][] = [
      ['renamed.pdf', Buffer.from(`MZ${'x'.repeat(5_000)}`), /PDF, JPG/],
      ['empty.pdf', Buffer.alloc(0), /PDF, JPG/],
      ['page.png', Buffer.from('<html><script>alert(1)</script></html>'), /PDF, JPG/],
      ['script.svg', svgOf('<script>alert(1)</script>'), /Refused: .*the element script/],
      ['half.png', (await pngOf()).subarray(0, 6_000), /Refused: the file is incomplete/],
      ['archive.pdf', Buffer.concat([pdfOf('x', 70_000), Buffer.from('PK\u0003\u0004')]), /after the end/],
      [`${'n'.repeat(9_000)}.pdf`, Buffer.from('none'), /PDF, JPG/],
    ];
    for (const [name, bytes, message] of cases) {
      const answer = await library.upload(user, bytes, {}, name);
      expect([name.slice(0, 20), ...refusal(answer)]).toEqual([name.slice(0, 20), 415, 'UNSUPPORTED_TYPE']);
      expect(JSON.stringify(answer.body)).toMatch(message);
    }
    expect(await library.stored()).toEqual(before);
    expect(await readdir(join(library.api.context.config.DATA_DIR, 'uploads'))).toEqual([]);
  });

  test('Form data that are not JSON are refused (M-2.1.1b)', async () => {
    const form = new FormData();
    form.set('query', 'libraryUpload');
    form.set('data', '{name:');
    form.set('file', new Blob([new Uint8Array(pdfOf())]), 'a.pdf');
    const headers = { authorization: `Bearer ${user.token}`, 'x-dev-key': library.devKey };
    const response = await library.api.fetch('/api', { method: 'POST', body: form, headers });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: 'INVALID_JSON' } },
    ]);
  });

  test('A user’s file can be put into the user’s or a system folder, but not into an airline’s (M-4.4.q2e)', async () => {
    const { postgres } = library.api.context;
    await runSql(postgres)`INSERT INTO virtual_airline (name) VALUES ('Upload Air')`;
    await runSql(postgres)`INSERT INTO va_member (user_id, va_id)
      SELECT ${user.id}, id FROM virtual_airline WHERE name = 'Upload Air'`;
    await runSql(postgres)`INSERT INTO library_space (va_id)
      SELECT id FROM virtual_airline WHERE name = 'Upload Air'`;
    await runSql(postgres)`
      INSERT INTO library_folder (space_id, name, created_at, updated_at, changed_at)
      SELECT s.id, CASE WHEN va_id IS NULL THEN 'System' ELSE 'Airline' END, now(), now(), now()
      FROM library_space s WHERE user_id IS NULL`;
    const { folders } = await library.sync(user);
    const idOf = (name: string) => folders.find((folder) => folder['name'] === name)?.['id'];
    const own = await library.folder(user, 'Mine');
    for (const folderId of [own, Number(own), idOf('System')])
      expect((await library.upload(user, pdfOf(), { folderId })).status).toBe(200);
    expect(refusal(await library.upload(user, pdfOf(), { folderId: idOf('Airline') }))).toEqual([
      403,
      'READ_ONLY',
    ]);
    expect((await library.sync(user)).files.map(({ folderId }) => folderId)).toEqual([
      own,
      own,
      idOf('System'),
    ]);
  });
});

describe('libraryUpload of a link', () => {
  test('The page link and the short link of a video are stored as a link only and count no bytes (M-4.4.q2b, M-4.4.q2d, M-2.5.u2, M-2.5.f7, M-2.5.5a)', async () => {
    const links: [string, string, string][] = [
      [
        'https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PL1&utm_source=x',
        'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
        'Video dQw4w9WgXcQ',
      ],
      ['http://youtu.be/dQw4w9WgXcQ?si=track', 'https://youtu.be/dQw4w9WgXcQ', 'Video dQw4w9WgXcQ'],
      ['https://vimeo.com/76979871', 'https://vimeo.com/76979871', 'Video 76979871'],
      ['https://dai.ly/x8m8i2j', 'https://dai.ly/x8m8i2j', 'Video x8m8i2j'],
    ];
    // Also without any storage.
    const viewer = await library.member(null);
    for (const [url, stored, name] of links) {
      const answer = await library.call('libraryUpload', viewer, { url });
      expect(answer.body).toEqual({
        success: true,
        apiVersion: expect.any(String),
        message: 'Link added.',
        fileId: expect.any(String),
        version: '1',
        revision: expect.any(String),
      });
      const file = (await library.sync(viewer)).files.at(-1);
      expect(file).toMatchObject({
        name,
        type: 'video_url',
        url: stored,
        mimeType: null,
        filePath: null,
        fileHash: null,
        fileSize: '0',
      });
      expect(file).not.toHaveProperty('downloadUrl');
    }
    expect((await library.sync(viewer)).storage.user.usedBytes).toBe(0);
  });

  test('Anything but a video on a known site is refused (M-4.4.q2b)', async () => {
    const id = 'dQw4w9WgXcQ';
    const plain = `
      watch https://evil.example/watch?v=${id} javascript:alert(1) ftp://youtu.be/${id}
      https://youtu.be@evil.example/${id} https://evil.example#youtu.be/${id}
      https://youtu.be:81/${id} https://user:pw@youtu.be/${id} https://youtu.be./${id}
      //youtu.be/${id} https:youtu.be/${id} https://[::1]/${id} https://2130706433/${id}
      https://127.0.0.1/${id} https://xn--yutu-3jc.be/${id} https://youtu.be/
      https://youtu.be/${id}/../../x https://youtu.be/${id}x https://youtu.be/..%2f..%2f
      https://yоutu.be/${id} https://www.youtube.com/watch?v=
      https://www.youtube.com/redirect?q=https://evil.example&v=${id}
      https://www.youtube.com/playlist?list=${id} https://www.youtube.com.evil.example/watch?v=${id}
      https://notyoutube.com/watch?v=${id} https://youtu.be/${id}<script> https://vimeo.com/abc`;
    const urls = [
      ...plain.trim().split(/\s+/),
      `https://youtu.be\\@evil.example/${id}`,
      `https://evil.example\\.youtu.be/${id}`,
      `https://youtu.be/${id}\n`.repeat(2),
      ` https://you tu.be/${id}`,
      `https://youtu.be/${'a'.repeat(3_000)}`,
    ];
    for (const url of urls)
      expect([url, ...refusal(await library.call('libraryUpload', user, { url }))]).toEqual([
        url,
        400,
        'INVALID_URL',
      ]);
    expect(refusal(await library.call('libraryUpload', user, { url: 5 }))).toEqual([400, 'INVALID_URL']);
    expect((await library.sync(user)).files).toEqual([]);
  });
});

describe('replaced content', () => {
  test('An upload with fileId, or with replace and the same name and folder, is the next version, and the old bytes are gone (M-2.5.f10, G-10)', async () => {
    const folderId = await library.folder(user, 'Charts');
    const fileId = await library.file(user, pdfOf('one'), { name: 'A.pdf', folderId, minProductLevel: 1 });
    const [first] = (await library.sync(user)).files;
    const keys = await library.stored();
    library.api.context.clock.advance(60);
    const png = await pngOf();
    const answer = await library.upload(user, png, { fileId });
    expect(answer.body).toMatchObject({ message: 'File replaced.', fileId, version: '2' });
    const second = await only();
    expect(second).toMatchObject({
      id: fileId,
      folderId,
      name: 'A.pdf',
      type: 'image',
      mimeType: 'image/png',
      version: '2',
      minProductLevel: '1',
      fileHash: sha256(png),
    });
    expect(second['updatedAt']).not.toBe(first?.['updatedAt']);
    expect(second['createdAt']).toBe(first?.['createdAt']);
    expect((await library.download(first?.['downloadUrl'])).status).toBe(404);
    expect(await library.stored()).not.toContain(first?.['filePath']);
    expect((await library.stored()).length).toBe(keys.length);

    const data = { name: 'A.pdf', folderId, replace: true };
    expect((await library.upload(user, svgOf(), data)).body).toMatchObject({ fileId, version: '3' });
    expect((await library.upload(user, svgOf(), { ...data, folderId: null })).body).toMatchObject({
      version: '1',
    });
    expect((await library.sync(user)).storage.user.usedBytes).toBe(2 * svgOf().length);
  });

  test('A link is replaced only by a link, a file only by a file', async () => {
    const link = await library.call('libraryUpload', user, { url: 'https://youtu.be/dQw4w9WgXcQ' });
    const { fileId } = link.body;
    expect(refusal(await library.upload(user, pdfOf(), { fileId }))).toEqual([400, 'INVALID_INPUT']);
    const other = await library.call('libraryUpload', user, { fileId, url: 'https://vimeo.com/76979871' });
    expect(other.body).toMatchObject({ message: 'Link replaced.', fileId, version: '2' });
    const file = await library.file(user, pdfOf());
    const refused = await library.call('libraryUpload', user, { fileId: file, url: 'https://vimeo.com/1' });
    expect(refusal(refused)).toEqual([400, 'INVALID_INPUT']);
  });
});

describe('storage', () => {
  test('Bytes count towards the quota, and a subscription without storage accepts nothing (M-2.5.5a, M-2.5.5b, M-2.5.y5, M-2.5.y6)', async () => {
    const before = await library.stored();
    const preview = await library.member(null);
    expect(refusal(await library.upload(preview, pdfOf()))).toEqual([403, 'STORAGE_NOT_INCLUDED']);
    expect(await library.stored()).toEqual(before);
    await library.file(user, pdfOf('a', 5_000));
    await library.file(user, pdfOf('b', 7_000));
    const { storage, files } = await library.sync(user);
    const sum = files.reduce((total, { fileSize }) => total + Number(fileSize), 0);
    expect(storage).toEqual({ user: { usedBytes: sum, quotaMb: 500 } });
    const statistics = await library.call('userStatistics', user);
    expect(statistics.body['statistics']).toMatchObject({ libraryUsedBytes: sum, libraryAvailableMb: 500 });
  });

  test('Over the quota the answer has the usage and nothing is stored, while a smaller replacement is accepted (M-2.5.5c, M-8.9)', async () => {
    const small = await memberWith(1);
    const fileId = await library.file(small, pdfOf('large', 900_000));
    const { usedBytes } = (await library.sync(small)).storage.user;
    const stored = await library.stored();
    // The missing end of the file is not inspected.
    const next = pdfOf('next', 200_000).subarray(0, -30);
    const answer = await library.upload(small, next);
    expect([answer.status, answer.body]).toMatchObject([
      413,
      { usedBytes, quotaMb: 1, fileBytes: next.length, error: { code: 'QUOTA_EXCEEDED' } },
    ]);
    expect(answer.body).toMatchObject({
      error: { message: expect.stringContaining(`${usedBytes} of 1048576`) },
    });
    expect(await library.stored()).toEqual(stored);
    expect(refusal(await library.upload(small, pdfOf('l', 1_100_000), { fileId }))).toEqual([
      413,
      'QUOTA_EXCEEDED',
    ]);
    expect((await library.upload(small, pdfOf('x', 1_000_000), { fileId })).status).toBe(200);
    expect((await library.upload(small, pdfOf('x', 1_000_000), { replace: true })).status).toBe(200);
    expect((await library.upload(await memberWith(2), pdfOf('l', 1_100_000))).status).toBe(200);
  });

  test('A file over LIBRARY_MAX_UPLOAD_MB is refused, one of exactly that size is not (G-10)', async () => {
    const of = (bytes: number) => {
      const pdf = pdfOf('size', bytes - 100);
      return Buffer.concat([pdf, Buffer.alloc(bytes - pdf.length, '\n')]);
    };
    expect((await library.upload(user, of(2_097_152))).status).toBe(200);
    const answer = await library.upload(user, of(2_097_153));
    expect([answer.status, answer.body]).toMatchObject([
      413,
      { maxMb: 2, error: { code: 'FILE_TOO_LARGE' } },
    ]);
  });

  test('Fifty simultaneous uploads never exceed the quota, and refused ones leave no file (M-2.5.5c)', async () => {
    const small = await memberWith(1);
    const before = await library.stored();
    const files = Array.from({ length: 50 }, (_, i) => pdfOf(String(i), 100_000));
    const answers = await Promise.all(files.map((file) => library.upload(small, file)));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted.length).toBe(Math.floor(1_048_576 / (files[0]?.length ?? 1)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(new Set(refused.map((answer) => refusal(answer).join(' ')))).toEqual(
      new Set(['413 QUOTA_EXCEEDED']),
    );
    const { storage, files: synced } = await library.sync(small);
    expect(synced).toHaveLength(accepted.length);
    expect(storage.user.usedBytes).toBeLessThanOrEqual(1_048_576);
    expect((await library.stored()).length).toBe(before.length + accepted.length);
  });

  test('A library with 20,000 entries is full', async () => {
    await library.sync(user);
    await library.folder(user, 'Any');
    await runSql(library.api.context.postgres)`
      INSERT INTO library_file (space_id, name, type, url, created_at, updated_at, changed_at)
      SELECT s.id, 'x', 'video_url', 'https://youtu.be/dQw4w9WgXcQ', now(), now(), now()
      FROM library_space s, generate_series(1, 20000) WHERE s.user_id = ${user.id}`;
    const answer = await library.upload(user, pdfOf());
    expect([answer.status, answer.body]).toMatchObject([
      409,
      { maxEntries: 20_000, error: { code: 'LIBRARY_FULL' } },
    ]);
  });
});
