/** Forms as client libraries write them: fields and files, file names and their encodings. */
import { request } from 'node:http';
import FormDataOfNode from 'form-data';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import sharp from 'sharp';
import { z } from 'zod';
import { defineQuery } from '#api/define.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';

const nameFile = defineQuery({
  name: 'nameFile',
  spec: ['test'],
  summary: 'Says what a file is called.',
  auth: 'jwt',
  devKey: null,
  upload: {
    maxBytes: 200_000,
    types: ['image/png'],
    tooLarge: 'FILE_TOO_LARGE',
    wrongType: 'UNSUPPORTED_TYPE',
  },
  dialect: 'flat',
  errors: { FILE_TOO_LARGE: 413, UNSUPPORTED_TYPE: 415 },
  input: z.object({ title: z.string().max(20) }),
  output: z.strictObject({ title: z.string(), name: z.string().nullable(), bytes: z.int().nullable() }),
  tx: 'read',
  handler: async ({ input, file }) => ({
    title: input.title,
    name: file?.name ?? null,
    bytes: file?.bytes ?? null,
  }),
});

let api: TestApi;
let user: TestUser;
let png: Buffer;
beforeAll(async () => {
  api = await testApi({ operations: [nameFile] });
  user = await api.user();
  png = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
});
afterAll(() => api.close());

interface Sent {
  status: number;
  title?: string;
  name?: string | null;
  bytes?: number | null;
  error?: { code: string; message: string; details?: string[] };
}

const send = (body: Buffer, headers: Record<string, string>): Promise<Sent> =>
  new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent: false,
      headers: { ...headers, authorization: `Bearer ${user.token}`, 'content-length': body.length },
    };
    const sent = request(`${api.url}/api`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          ...(JSON.parse(Buffer.concat(chunks).toString()) as object),
        }),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });

type Bytes = string | Buffer;

/** Parts by hand: the lines of the head, and the content. */
const byHand = (...parts: readonly (readonly [head: Bytes, content: Bytes])[]): Promise<Sent> => {
  const body = parts.flatMap(([head, content]) => ['--b\r\n', head, '\r\n\r\n', content, '\r\n']);
  return send(Buffer.concat([...body, '--b--\r\n'].map((part) => Buffer.from(part as string))), {
    'content-type': 'multipart/form-data; boundary=b',
  });
};
const field = (name: string, more = ''): string => `Content-Disposition: form-data; name="${name}"${more}`;
const data = '{"title":"Grüße"}';
const typed = (type: string) => `\r\nContent-Type: ${type}`;
const query = [field('query'), 'nameFile'] as const;

describe('form parts without a file name', () => {
  test.each<[string, string, Bytes]>([
    ['.NET', 'Content-Type: text/plain; charset=utf-8\r\nContent-Disposition: form-data; name=data', data],
    [
      'Retrofit and OkHttp',
      field('data', `${typed('application/json; charset=UTF-8')}\r\nContent-Length: 20`),
      data,
    ],
    [
      'Apache, in Latin-1',
      field('data', `${typed('text/plain; charset=ISO-8859-1')}\r\nContent-Transfer-Encoding: 8bit`),
      Buffer.from(data, 'latin1'),
    ],
    [
      'Flutter with an umlaut',
      `content-type: text/plain; charset=utf-8\r\ncontent-transfer-encoding: binary\r\n${field('data')}`,
      data,
    ],
    ['base64', field('data', '\r\nContent-Transfer-Encoding: base64'), Buffer.from(data).toString('base64')],
  ])('%s', async (_, head, content) => {
    const file = [field('file', `; filename="a.png"${typed('image/png')}`), png] as const;
    expect(await byHand(query, [head, content], file)).toMatchObject({
      status: 200,
      title: 'Grüße',
      name: 'a.png',
    });
  });

  test.each([76, 64, 5])(
    'Base64 fields and files may have line breaks after %i characters',
    async (width) => {
      const inLines = (bytes: Bytes) =>
        Buffer.from(bytes as string)
          .toString('base64')
          .replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\r\n');
      const encoded = '\r\nContent-Transfer-Encoding: BASE64';
      const long = '{"title":"Grüße an alle"}'.padEnd(400);
      const large = Buffer.concat([png, Buffer.alloc(100_000)]);
      const file = field('file', `; filename="a.png"${typed('image/png')}${encoded}`);
      expect(
        await byHand(query, [field('data', encoded), inLines(long)], [file, inLines(large)]),
      ).toMatchObject({ status: 200, title: 'Grüße an alle', bytes: large.length });
    },
  );

  test('Forms made by the package form-data, with its own media types, are understood', async () => {
    const form = new FormDataOfNode();
    form.append('query', 'nameFile', { contentType: 'text/plain' });
    form.append('data', data, { contentType: 'application/json' });
    form.append('file', png, { filename: 'Länge €.png', contentType: 'image/png' });
    expect(await send(form.getBuffer(), form.getHeaders())).toMatchObject({
      status: 200,
      title: 'Grüße',
      name: 'Länge €.png',
    });
  });

  test('Parts with a file name, without one and with a media type are told apart', async () => {
    const file = (more: string) => [field('file', more), png] as const;
    expect(await byHand(query, [field('data'), data], file('; filename="a.png"'))).toMatchObject({
      name: 'a.png',
    });
    expect(await byHand(query, [field('data'), data], file(typed('image/png')))).toMatchObject({
      status: 400,
      error: { code: 'INVALID_INPUT', details: ['file: must be sent as a file, with a file name'] },
    });
    const one = file('; filename="a.png"');
    expect(await byHand(query, [field('data'), data], one, one)).toMatchObject({
      status: 400,
      error: { code: 'INVALID_INPUT', details: ['file: must be one file in a call'] },
    });
  });
});

describe('file names', () => {
  const named = async (parameter: Bytes): Promise<Sent> =>
    byHand(
      query,
      [field('data'), data],
      [Buffer.concat([Buffer.from(field('file', '; ')), Buffer.from(parameter as string)]), png],
    );

  test.each<[string, string, string]>([
    ['UTF-8 as it is', 'filename="Länge €.png"', 'Länge €.png'],
    ['filename*', "filename*=UTF-8''L%C3%A4nge%20%E2%82%AC.png", 'Länge €.png'],
    [
      'both, of which the extended one counts',
      `filename="L_nge.png"; filename*=utf-8'de'L%C3%A4nge.png`,
      'Länge.png',
    ],
    ['filename* in Latin-1', "filename*=ISO-8859-1''L%E4nge.png", 'Länge.png'],
    ['an encoded word in base64', 'filename="=?utf-8?B?TMOkbmdlIOKCrC5wbmc=?="', 'Länge €.png'],
    ['an encoded word in letters', 'filename="=?UTF-8?Q?L=C3=A4nge_=E2=82=AC.png?="', 'Länge €.png'],
    ['two encoded words', 'filename="=?utf-8?B?TMOkbmdl?= =?utf-8?B?LnBuZw==?="', 'Länge.png'],
    ['escapes', String.raw`filename="the \"one\".png"`, 'the "one".png'],
    ['a quotation mark of a browser', 'filename="the %22one%22.png"', 'the "one".png'],
    ['a path', String.raw`filename="C:\charts\one.png"`, 'one.png'],
    ['no quotation marks', 'filename=one.png', 'one.png'],
  ])('%s', async (_, parameter, expected) => {
    expect(await named(parameter)).toMatchObject({ status: 200, name: expected });
  });

  test('The file name that the fetch of Node sends is understood', async () => {
    const form = new FormData();
    form.set('query', 'nameFile');
    form.set('data', data);
    form.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'Länge "€".png');
    const headers = { authorization: `Bearer ${user.token}` };
    const response = await api.fetch('/api', { method: 'POST', body: form, headers });
    expect(await response.json()).toMatchObject({ name: 'Länge "€".png' });
  });

  test.each<[string, Bytes]>([
    ['as they are', Buffer.from('filename="L\xe4nge.png"', 'latin1')],
    ['in filename*', "filename*=UTF-8''L%E4nge.png"],
    ['in an encoded word', 'filename="=?utf-8?Q?L=E4nge.png?="'],
  ])('A file name that is not UTF-8 is refused and named, %s', async (_, parameter) => {
    expect(await named(parameter)).toMatchObject({
      status: 400,
      error: { code: 'INVALID_INPUT', message: 'The name of the file is not UTF-8.' },
    });
  });
});

test('Fields that are not UTF-8 and a part header without an end are refused', async () => {
  expect(await byHand(query, [field('data'), Buffer.from(data, 'latin1')])).toMatchObject({
    status: 400,
    error: { code: 'INVALID_INPUT', message: 'The field "data" is not UTF-8.' },
  });
  expect(await byHand(query, [field('data', typed('text/plain; charset=unknown-1')), data])).toMatchObject({
    status: 400,
    error: { code: 'INVALID_INPUT' },
  });
  expect(await byHand(query, [field('data', `; pad="${'x'.repeat(1_200_000)}`), data])).toMatchObject({
    status: 413,
    error: { code: 'PAYLOAD_TOO_LARGE' },
  });
});
