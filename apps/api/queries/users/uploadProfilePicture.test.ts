import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestUser } from '#test/api.ts';
import { at } from '#test/support/answers.ts';
import { phonePhotos } from '#test/support/phone-photos.ts';
import { about, pictureApi, plain, refusedFiles } from '#test/support/pictures.ts';
import type { PictureApi } from '#test/support/pictures.ts';
import { until } from '#test/support/until.ts';

let pictures: PictureApi;
let user: TestUser;
beforeAll(async () => {
  pictures = await pictureApi();
});
beforeEach(async () => {
  user = await pictures.api.user();
});
afterAll(() => pictures.close());

const send = (file: Buffer | null, token = user.token) =>
  pictures.upload('uploadProfilePicture', token, file);
const shown = async () =>
  String(at(await pictures.api.call('refreshUserData', { token: user.token }), 'user', 'profilePicture'));
/** Names of the stored files of all users. */
const files = async () => {
  const folder = join(pictures.api.context.config.DATA_DIR, 'files', 'pictures');
  return (await readdir(folder)).toSorted((a, b) => a.localeCompare(b));
};
const nameOf = (url: string) => new URL(url).pathname.split('/').at(-1);
const stored = async (file: Buffer) => {
  const { status, url } = await send(file);
  expect(status).toBe(200);
  return (await pictures.fetched(url)).bytes;
};

describe('uploadProfilePicture', () => {
  test('A picture is resized to 512 pixels, stored as JPEG and shown without credentials (M-4.6.q9, M-2.7.i1, M-2.7.i3, M-2.7.i4, M-2.7.u13, G-12)', async () => {
    const answer = await send(await plain(1_000, 500).png().toBuffer());
    expect(answer).toMatchObject({
      status: 200,
      slot: 'profile',
      url: expect.stringMatching(/^https?:\/\//),
    });
    expect(await shown()).toBe(answer.url);
    const { status, type, bytes } = await pictures.fetched(answer.url);
    expect([status, type]).toEqual([200, 'image/jpeg']);
    expect(await about(bytes)).toMatchObject({ format: 'jpeg', width: 512, height: 256, space: 'srgb' });
  });

  test.each(['jpeg', 'png', 'webp'] as const)('%s is accepted (M-2.7.i3, G-12)', async (format) => {
    const bytes = await stored(await plain(600, 900).toFormat(format).toBuffer());
    expect(await about(bytes)).toMatchObject({ format: 'jpeg', width: 341, height: 512 });
  });

  test('A photo with the metadata of phones is accepted (M-2.7.i3)', async () => {
    for (const [, photo] of phonePhotos(await plain(600, 900).jpeg().toBuffer()))
      expect(await about(await stored(photo))).toMatchObject({ format: 'jpeg', width: 341, height: 512 });
  });

  test('The JPEG quality is 88, and a small picture is not enlarged (M-2.7.i3)', async () => {
    const bytes = await stored(await plain(40, 30).png().toBuffer());
    expect(await about(bytes)).toMatchObject({ width: 40, height: 30 });
    const tables = (jpeg: Buffer) =>
      jpeg.subarray(jpeg.indexOf('ffdb', 0, 'hex'), jpeg.indexOf('ffc0', 0, 'hex'));
    const expected = await plain(40, 30).jpeg({ quality: 88 }).toBuffer();
    const other = await plain(40, 30).jpeg({ quality: 87 }).toBuffer();
    expect(tables(bytes)).toEqual(tables(expected));
    expect(tables(bytes)).not.toEqual(tables(other));
  });

  test('The orientation is applied, and no metadata remains (G-12)', async () => {
    const file = await plain(1_000, 500)
      .composite([{ input: await plain(500, 500, '#ff0000').png().toBuffer(), left: 0, top: 0 }])
      .withMetadata({
        orientation: 6,
        exif: { IFD0: { Artist: 'canary-artist' }, IFD3: { GPSLatitudeRef: 'N' } },
      })
      .jpeg()
      .toBuffer();
    expect(file.includes('canary-artist')).toBe(true);
    const bytes = await stored(file);
    const found = await about(bytes);
    expect([found.width, found.height]).toEqual([256, 512]);
    expect([found.exif, found.icc, found.xmp, found.orientation]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
    expect(bytes.includes('canary-artist')).toBe(false);
    // Turned clockwise, the left half of the file is the upper half of the picture.
    const [r, , b] = await sharp(bytes).extract({ left: 100, top: 50, width: 1, height: 1 }).raw().toBuffer();
    expect(r).toBeGreaterThan(200);
    expect(b).toBeLessThan(60);
  });

  test('Transparent parts become white', async () => {
    const file = await sharp({ create: { width: 20, height: 20, channels: 4, background: '#00000000' } })
      .png()
      .toBuffer();
    expect([
      ...(
        await sharp(await stored(file))
          .raw()
          .toBuffer()
      ).subarray(0, 3),
    ]).toEqual([255, 255, 255]);
  });

  test('A new upload has a new URL, and the file of the previous one is deleted (G-12)', async () => {
    const first = await send(await plain(50, 50).png().toBuffer());
    const second = await send(await plain(60, 60).png().toBuffer());
    expect(second.url).not.toBe(first.url);
    expect(await shown()).toBe(second.url);
    await until('the old file is deleted', async () => (await pictures.fetched(first.url)).status === 404);
    expect((await pictures.fetched(second.url)).status).toBe(200);
  });

  test('Of simultaneous uploads one remains, without other files', async () => {
    const before = await files();
    const sent = await Promise.all(
      [10, 20, 30, 40].map(async (size) => send(await plain(size, size).png().toBuffer())),
    );
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const url = await shown();
    expect(sent.map((answer) => answer.url)).toContain(url);
    await until('one file is left', async () => (await files()).length === before.length + 1);
    expect((await files()).filter((name) => !before.includes(name))).toEqual([nameOf(url)]);
  });

  test('Any other file is refused with its code, and the previous picture remains (G-12, M-8.13)', async () => {
    const { url } = await send(await plain(50, 50).png().toBuffer());
    const before = await files();
    for (const [what, file, status, code, message = /./] of await refusedFiles())
      expect([what, await send(file)]).toMatchObject([
        what,
        { status, code, message: expect.stringMatching(message) },
      ]);
    expect(await shown()).toBe(url);
    expect(await files()).toEqual(before);
    const json = await pictures.api.call('uploadProfilePicture', { token: user.token });
    expect([json.status, at(json, 'error', 'code')]).toEqual([400, 'MISSING_FILE']);
  });

  test('A file of exactly 5 MB is accepted (M-8.13)', async () => {
    const jpeg = await plain(30, 30).jpeg().toBuffer();
    const file = Buffer.concat([jpeg, Buffer.alloc(5 * 1024 * 1024 - jpeg.length)]);
    expect((await send(file)).status).toBe(200);
  });

  test('A call requires a token (M-5.3)', async () => {
    expect(await send(await plain(50, 50).png().toBuffer(), '')).toMatchObject({
      status: 401,
      code: 'AUTH_REQUIRED',
    });
  });
});

test('Invalid picture names are not found, and clients may cache a picture', async () => {
  const { url } = await send(await plain(50, 50).png().toBuffer());
  const { pathname } = new URL(url);
  for (const name of [
    'x.jpg',
    '..%2fsecrets',
    `${crypto.randomUUID()}.jpg`,
    'default-other.svg',
    `${nameOf(url)}.tmp`,
  ])
    expect((await pictures.api.fetch(`/pictures/${name}`)).status).toBe(404);
  const answer = await pictures.api.fetch(pathname);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  const etag = answer.headers.get('etag') ?? '';
  const again = await pictures.api.fetch(pathname, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});
