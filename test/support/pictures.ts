/** Picture uploads over HTTP, with a worker that deletes files. */
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { Metadata } from 'sharp';
import fileDelete from '#workers/jobs/file-delete.ts';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';
import { isDeep } from './deep.ts';

export interface Uploaded {
  status: number;
  code: unknown;
  message: unknown;
  slot: unknown;
  url: string;
}

export interface PictureApi {
  api: TestApi;
  /** Posts an upload form; `file` null: without a file. */
  upload: (
    query: string,
    token: string,
    file: Uint8Array | null,
    data?: Record<string, unknown>,
  ) => Promise<Uploaded>;
  /** The picture at this URL, fetched without credentials. */
  fetched: (url: string) => Promise<{ status: number; type: string | null; bytes: Buffer }>;
  close: () => Promise<void>;
}

export const pictureApi = async (): Promise<PictureApi> => {
  const api = await testApi();
  const worker = await api.context.queues.createConsumer();
  await worker.consume('durable', [fileDelete.bind(api.context)], 2);
  return {
    api,
    upload: async (query, token, file, data) => {
      const form = new FormData();
      form.set('query', query);
      if (data) form.set('data', JSON.stringify(data));
      if (file) form.set('file', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'me.png');
      const response = await api.fetch('/api', {
        method: 'POST',
        body: form,
        headers: token === '' ? {} : { authorization: `Bearer ${token}` },
      });
      const body = (await response.json()) as {
        error?: { code: string; message: string };
        slot?: string;
        url?: string;
      };
      const { error, slot, url = '' } = body;
      return { status: response.status, code: error?.code, message: error?.message, slot, url };
    },
    fetched: async (url) => {
      const response = await api.fetch(new URL(url).pathname);
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, type: response.headers.get('content-type'), bytes };
    },
    close: async () => {
      await worker.stop(5_000);
      await api.close();
    },
  };
};

/** A picture of this size in one colour. */
export const plain = (width: number, height: number, background = '#3366cc') =>
  sharp({ create: { width, height, channels: 3, background } });

export const about = (bytes: Buffer): Promise<Metadata> => sharp(bytes).metadata();

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** A small PNG file that claims this size and would need 4 bytes of memory per pixel. */
export const bomb = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const maxBytes = 5 * 1024 * 1024;

type RefusedFile = [string, Buffer | null, number, string, RegExp?];

const makeRefusedFiles = async (): Promise<RefusedFile[]> => {
  const jpeg = await plain(400, 300).jpeg().toBuffer();
  const png = await plain(400, 300).png().toBuffer();
  const withoutPixels = Buffer.concat([bomb(9, 9).subarray(0, 33), chunk('IEND', Buffer.alloc(0))]);
  const damagedPixels = Buffer.concat([
    bomb(9, 9).subarray(0, 33),
    chunk('IDAT', Buffer.from('no pixels')),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  const noise = await sharp({
    create: {
      width: 600,
      height: 600,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 40 },
    },
  })
    .jpeg()
    .toBuffer();
  return [
    ['no file', null, 400, 'MISSING_FILE'],
    ['a GIF', await plain(9, 9).gif().toBuffer(), 415, 'UNSUPPORTED_TYPE'],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'UNSUPPORTED_TYPE'],
    [
      'one byte over 5 MB',
      Buffer.concat([jpeg, Buffer.alloc(maxBytes + 1 - jpeg.length)]),
      413,
      'FILE_TOO_LARGE',
    ],
    [
      'a truncated JPEG',
      noise.subarray(0, noise.length / 2),
      400,
      'INVALID_IMAGE',
      /the file is incomplete; send it again/,
    ],
    [
      'a truncated PNG',
      png.subarray(0, png.length / 2),
      400,
      'INVALID_IMAGE',
      /the file is incomplete; send it again/,
    ],
    ['a PNG without its pixels', withoutPixels, 400, 'INVALID_IMAGE', /the PNG has no picture/],
    ['a PNG with damaged pixels', damagedPixels, 400, 'INVALID_IMAGE', /cannot be decoded/],
    [
      'the first bytes of a JPEG',
      Buffer.concat([jpeg.subarray(0, 20), Buffer.from('<?php ?>')]),
      400,
      'INVALID_IMAGE',
    ],
    ['a bomb of 3,600 megapixels', bomb(60_000, 60_000), 400, 'INVALID_IMAGE', /60000 × 60000 pixels/],
    [
      'a bomb just over the limit',
      bomb(7_072, 7_072),
      400,
      'INVALID_IMAGE',
      /7072 × 7072 pixels, more than 50/,
    ],
  ];
};

let refused: Promise<RefusedFile[]> | undefined;

/** Every kind of file that uploads refuse, with status, code and message; made once per process. */
export const refusedFiles = (): Promise<RefusedFile[]> => (refused ??= makeRefusedFiles());

/** The first for each code; in the deep run all. */
export const someRefusedFiles = async (): Promise<RefusedFile[]> => {
  const all = await refusedFiles();
  const codes = all.map(([, , , code]) => code);
  return all.filter((_, at) => isDeep || codes.indexOf(codes[at] ?? '') === at);
};
