/** `uploadResumable` of the client, with the tus library that apps supply, on disk and in an S3 bucket. */
import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pdfOf } from '#test/support/documents.ts';
import { hasInterop, interopNote, requireInterop } from '#test/support/interop.ts';
import { libraryApi } from '#test/support/library.ts';
import type { LibraryApi } from '#test/support/library.ts';
import { s3Server } from '#test/support/s3.ts';
import type { S3Server } from '#test/support/s3.ts';
import { createClient } from '../../clients/typescript/src/index.ts';
import { uploadResumable } from '../../clients/typescript/src/uploads/index.ts';
import type { Tus } from '../../clients/typescript/src/uploads/index.ts';
import type { TestUser } from '#test/api.ts';

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe.skipIf(!hasInterop).each(['disk', 's3'])(`resumable uploads to %s${interopNote}`, (kind) => {
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

  test('A half-sent document resumes where it stopped, even after a restart of the app, and is stored once', async () => {
    const bytes = pdfOf(randomUUID(), 6_000_000);
    const tus = requireInterop('tus-js-client') as Tus;
    const client = createClient({
      baseUrl: library.api.url,
      devKey: library.devKey,
      token: { token: user.token, expires: '2999-01-01T00:00:00Z' },
    });
    const file = new Blob([new Uint8Array(bytes)]);
    const stop = new AbortController();
    const options = { tus, filename: 'Long.pdf', key: randomUUID() };
    const cut = uploadResumable(
      client,
      file,
      {},
      {
        ...options,
        signal: stop.signal,
        onProgress: (sent) => {
          if (sent > 1_000_000) stop.abort(new Error('The app is closed.'));
        },
      },
    );
    await expect(cut).rejects.toThrow('The app is closed.');
    const progress: number[] = [];
    const more = { ...options, onProgress: (sent: number) => void progress.push(sent) };
    const first = await uploadResumable(client, file, {}, more);
    const again = await uploadResumable(client, file, {}, options);
    expect(again).toEqual(first);
    expect(progress[0]).toBeGreaterThan(0);
    const { files } = await library.sync(user);
    const stored = files.filter(({ name }) => name === 'Long.pdf');
    expect(stored.map(({ fileHash, fileSize }) => [fileHash, fileSize])).toEqual([
      [sha256Of(bytes), String(bytes.length)],
    ]);
    const content = await library.download(stored[0]?.['downloadUrl']);
    expect(sha256Of(new Uint8Array(await content.arrayBuffer()))).toBe(sha256Of(bytes));
  });
});
