/** Answers of operations in the encoding that the client prefers. */
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defineQuery } from '#api/define.ts';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';

const base = {
  spec: ['test'],
  summary: 'A test.',
  auth: 'none',
  devKey: null,
  limits: [{ name: 'encoded', points: 1_000, perSeconds: 60, by: 'ip' }],
  dialect: 'flat',
  errors: {},
  output: z.strictObject({ text: z.string() }),
  tx: 'read',
} as const;
const textOf = (length: number) => 'Zürich 14/32 '.repeat(Math.ceil(length / 13)).slice(0, length);
const operations = [
  defineQuery({
    ...base,
    name: 'madeText',
    input: z.object({ length: z.int() }),
    handler: async ({ input: { length } }) => ({ text: textOf(length) }),
  }),
];

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ operations });
});
afterAll(() => api.close());

interface Raw {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A raw request: fetch would decompress the response. */
const post = (query: string, length: number, accepted: string | undefined): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(accepted === undefined ? {} : { 'accept-encoding': accepted }),
    };
    const sent = request(`${api.url}/api`, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
    });
    sent.once('error', reject);
    sent.end(JSON.stringify({ query, data: { length } }));
  });

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  identity: (bytes) => bytes,
};

const cases = [
  [900, 'gzip, deflate, br', 'identity'],
  [3_000, undefined, 'identity'],
  [3_000, 'gzip, deflate, br', 'gzip'],
  [3_000, 'gzip', 'gzip'],
  [3_000, 'br, gzip;q=0.5', 'gzip'],
  [3_000, 'identity, gzip;q=0', 'identity'],
  [3_000, 'br', 'identity'],
  [200_000, 'gzip', 'gzip'],
  [1_200_000, 'gzip', 'gzip'],
] as const;

test.each(cases)(
  'A text of %s characters with Accept-Encoding %s is sent as %s',
  async (length, accepted, encoding) => {
    const { headers, body } = await post('madeText', length, accepted);
    expect(headers['content-encoding'] ?? 'identity').toBe(encoding);
    expect(headers.vary).toContain('Accept-Encoding');
    expect(headers['content-length']).toBe(String(body.length));
    const text = decoders[encoding]?.(body).toString('utf8') ?? '';
    expect(JSON.parse(text)).toEqual({ success: true, apiVersion: '1.3.6', text: textOf(length) });
  },
);
