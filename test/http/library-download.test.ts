/** Downloads by signed links, from files on disk and from S3. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fileDelete from '#workers/jobs/file-delete.ts';
import { createDownloadLinks } from '#store/auth/download-links.ts';
import type { TestUser } from '../api.ts';
import { pdfOf, pngOf, svgOf } from '../support/documents.ts';
import { libraryApi } from '../support/library.ts';
import type { Entry, LibraryApi } from '../support/library.ts';
import { s3Server } from '../support/s3.ts';
import type { S3Server } from '../support/s3.ts';
import { runSql } from '../support/sql.ts';
import { until } from '../support/until.ts';

const pdf = pdfOf('download', 300_000);

const codeOf = async (response: Response): Promise<[number, string]> => {
  const { error } = (await response.json()) as { error: { code: string } };
  return [response.status, error.code];
};
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe.each(['disk', 's3'])('downloads from %s', (kind) => {
  let s3: S3Server | null = null;
  let library: LibraryApi;
  let user: TestUser;
  let file: Entry;
  const get = (headers: Record<string, string> = {}) => library.download(file['downloadUrl'], headers);
  beforeAll(async () => {
    s3 = kind === 's3' ? await s3Server() : null;
    library = await libraryApi(s3 ? { env: { STORAGE_URL: s3.url } } : {});
    user = await library.member();
    await library.upload(user, pdf, {}, 'Карта "1".pdf');
    file = (await library.sync(user)).files[0] ?? {};
  });
  afterAll(async () => {
    await library.close();
    await s3?.close();
  });

  test('The whole file is an attachment that no browser runs, with its hash as a strong ETag (M-2.5.f17, M-2.5.f18, G-10)', async () => {
    const response = await get({ 'accept-encoding': 'br' });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-type': 'application/pdf',
      'content-length': String(pdf.length),
      'content-disposition': expect.stringMatching(/^attachment; filename=".*"; filename\*=UTF-8''%D0%9A/),
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      etag: `"${file['fileHash']}"`,
    });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect((await bytesOf(response)).equals(pdf)).toBe(true);
    const head = await library.api.fetch(String(file['downloadUrl']).replace(/^https?:\/\/[^/]+/, ''), {
      method: 'HEAD',
    });
    expect([head.status, head.headers.get('content-length'), (await bytesOf(head)).length]).toEqual([
      200,
      String(pdf.length),
      0,
    ]);
  });

  test('Ranges are served, including the rest of an interrupted download of the same version', async () => {
    const n = pdf.length;
    const parts: [string, number, number][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=5-99', 5, 99],
      [`bytes=${n - 10}-`, n - 10, n - 1],
      ['bytes=-7', n - 7, n - 1],
      [`bytes=-${n + 9}`, 0, n - 1],
      [`bytes=100-${n + 9}`, 100, n - 1],
    ];
    for (const [range, first, last] of parts) {
      const response = await get({ range });
      expect([
        range,
        response.status,
        response.headers.get('content-range'),
        response.headers.get('content-length'),
      ]).toEqual([range, 206, `bytes ${first}-${last}/${n}`, String(last - first + 1)]);
      expect((await bytesOf(response)).equals(pdf.subarray(first, last + 1))).toBe(true);
    }
    for (const range of [`bytes=${n}-`, 'bytes=-0']) {
      const response = await get({ range });
      expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${n}`]);
    }
    for (const range of ['bytes=5-2', 'bytes=0-1,5-6', 'pages=1-2', 'bytes=a-b', 'bytes=-'])
      expect([range, (await get({ range })).status]).toEqual([range, 200]);
    const etag = `"${file['fileHash']}"`;
    expect((await get({ range: 'bytes=0-9', 'if-range': etag })).status).toBe(206);
    for (const other of ['"other"', `W/${etag}`, 'Wed, 16 Sep 2026 12:00:00 GMT'])
      expect((await get({ range: 'bytes=0-9', 'if-range': other })).status).toBe(200);
  });

  test('A client with the current version gets 304 without a body', async () => {
    const response = await get({ 'if-none-match': `"${file['fileHash']}"` });
    expect([response.status, (await bytesOf(response)).length]).toEqual([304, 0]);
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
  });

  test('Each type is served with its media type; an SVG cannot run scripts in a browser (G-10)', async () => {
    for (const [bytes, type] of [
      [await pngOf(), 'image/png'],
      [svgOf(), 'image/svg+xml'],
    ] as const) {
      const id = await library.file(user, bytes);
      const { files } = await library.sync(user);
      const response = await library.download(files.find((entry) => entry['id'] === id)?.['downloadUrl']);
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('content-security-policy')).toContain('sandbox');
      expect((await bytesOf(response)).equals(bytes)).toBe(true);
    }
  });

  test('A deleted file is removed from the storage', async () => {
    const id = await library.file(user, pdfOf('gone'));
    const key = (await library.sync(user)).files.find((entry) => entry['id'] === id)?.['filePath'] ?? '';
    const { storage, queues } = library.api.context;
    expect(await storage.get(key)).not.toBeNull();
    await library.call('libraryFileDelete', user, { fileId: id });
    const worker = await queues.createConsumer();
    await worker.consume('durable', [fileDelete.bind(library.api.context)], 1);
    await until('the file is deleted', async () => (await storage.get(key)) === null);
    await worker.stop(5_000);
  });
});

describe('a download link', () => {
  let library: LibraryApi;
  let user: TestUser;
  let url: URL;
  beforeAll(async () => {
    library = await libraryApi();
    user = await library.member();
    await library.file(user, pdf);
    url = new URL((await library.sync(user)).files[0]?.['downloadUrl'] ?? '');
  });
  afterAll(() => library.close());
  const changed = (parts: Record<string, string | null>, path = url.pathname) => {
    const other = new URL(url);
    other.pathname = path;
    for (const [name, value] of Object.entries(parts))
      if (value === null) other.searchParams.delete(name);
      else other.searchParams.set(name, value);
    return library.download(other.href);
  };

  test('A link needs no token and is refused with another user’s token (M-2.5.2b)', async () => {
    const other = await library.member('EFB_PRO_M');
    const of = (token: string) => library.download(url.href, { authorization: `Bearer ${token}` });
    expect((await library.download(url.href)).status).toBe(200);
    expect((await of(user.token)).status).toBe(200);
    expect(await codeOf(await of(other.token))).toEqual([403, 'INVALID_LINK']);
  });

  test('A modified link is refused and opens no other file (M-2.5.2b)', async () => {
    const other = await library.member('EFB_PRO_M');
    const theirs = await library.file(other, pdfOf('theirs'));
    const mine = url.searchParams.get('signature') ?? '';
    const cases: [Record<string, string | null>, string?][] = [
      [{}, `/library/${theirs}`],
      [{}, `/library/0${url.pathname.split('/').at(-1)}`],
      [{}, '/library/x'],
      [{}, '/library/..%2f..%2fetc'],
      [{ user: String(other.id) }],
      [{ version: '2' }],
      [{ expires: '99999999999' }],
      [{ signature: null }],
      [{ signature: '' }],
      [{ signature: `${mine.slice(0, -2)}AA` }],
      [{ signature: mine.toUpperCase() }],
      [{ signature: 'é'.repeat(43) }],
      [{ user: null }],
      [{ expires: '1e9' }],
    ];
    for (const [parts, path] of cases)
      expect([parts, path, ...(await codeOf(await changed(parts, path)))]).toEqual([
        parts,
        path,
        403,
        'INVALID_LINK',
      ]);
    const twice = `${url.href}&signature=${mine}`;
    expect((await library.download(twice)).status).toBe(403);
  });

  test('A link expires after an hour, or when the membership, level, account or version changes on which it depends (M-2.5.1a, M-2.5.3)', async () => {
    const { postgres, clock, config } = library.api.context;
    const start = clock.now();
    clock.advance(3_599);
    expect((await library.download(url.href)).status).toBe(200);
    clock.advance(1);
    expect(await codeOf(await library.download(url.href))).toEqual([410, 'LINK_EXPIRED']);
    clock.set(start);
    await runSql(postgres)`
      INSERT INTO library_file (space_id, name, type, mime_type, storage_key, file_hash, min_product_level, needed_level,
        created_at, updated_at, changed_at)
      SELECT id, 'Level 2', 'file', 'application/pdf', 'library/none.pdf', 'x', 2, 2, now(), now(), now()
      FROM library_space WHERE user_id IS NULL`;
    const leveled = (await library.sync(user)).files.find(({ name }) => name === 'Level 2');
    expect(leveled?.['downloadUrl']).toBeDefined();
    await runSql(postgres)`DELETE FROM subscription WHERE user_id = ${user.id}`;
    await library.sync(user);
    expect(await codeOf(await library.download(leveled?.['downloadUrl']))).toEqual([404, 'NOT_FOUND']);
    expect((await library.download(url.href)).status).toBe(200);
    await runSql(postgres)`UPDATE app_user SET disabled_at = now() WHERE id = ${user.id}`;
    await library.api.call('airportStatus');
    expect(await codeOf(await library.download(url.href))).toEqual([403, 'INVALID_LINK']);
    await runSql(postgres)`UPDATE app_user SET disabled_at = NULL WHERE id = ${user.id}`;
    await library.api.call('airportStatus');
    const [first = '', ...others] = config.JWT_SECRET;
    const rotated = createDownloadLinks({ ...config, JWT_SECRET: ['another-key', first, ...others] }, clock);
    const id = url.pathname.split('/').at(-1) ?? '';
    expect(rotated.verify(id, Object.fromEntries(url.searchParams)).problem).toBeNull();
    await runSql(postgres)`DELETE FROM app_user WHERE id = ${user.id}`;
    await library.api.call('airportStatus');
    expect(await codeOf(await library.download(url.href))).toEqual([403, 'INVALID_LINK']);
  });

  test('A video link offers no download, and other methods are refused', async () => {
    const other = await library.member();
    await library.call('libraryUpload', other, { url: 'https://vimeo.com/76979871' });
    const [link] = (await library.sync(other)).files;
    const links = createDownloadLinks(library.api.context.config, library.api.context.clock);
    const forged = links.to({ userId: other.id, credentialsFrom: new Date(0) })({
      id: Number(link?.['id']),
      version: 1,
    });
    expect(await codeOf(await library.download(forged))).toEqual([404, 'NOT_FOUND']);
    const posted = await library.api.fetch(`${url.pathname}${url.search}`, { method: 'POST' });
    expect(posted.status).toBe(405);
  });
});
