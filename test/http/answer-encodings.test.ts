/** Answers of operations in the encoding that the client prefers, kept ones and those made for the call. */
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
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
const about = {};
const operations = [
  defineQuery({
    ...base,
    name: 'madeText',
    input: z.object({ length: z.int() }),
    handler: async ({ input: { length } }) => ({ text: textOf(length) }),
  }),
  defineQuery({
    ...base,
    name: 'keptText',
    input: z.object({ length: z.int() }),
    keepsAnswers: true,
    handler: async ({ input: { length }, keep }) =>
      keep([about], String(length), () => ({ text: textOf(length) })),
  }),
  defineQuery({
    ...base,
    name: 'partlyKeptText',
    input: z.object({ length: z.int() }),
    output: z.strictObject({ text: z.string(), number: z.int() }),
    keepsAnswers: true,
    handler: async ({ input: { length }, keepPart }) => {
      number += 1;
      return keepPart([about], String(length), () => ({ text: textOf(length) })).join({ number });
    },
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

let number = 0;

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  identity: (bytes) => bytes,
};

const cases = ['madeText', 'keptText', 'partlyKeptText'].flatMap((query) =>
  [
    [900, 'gzip, deflate, br', 'identity'],
    [3_000, undefined, 'identity'],
    [3_000, 'gzip, deflate, br', 'br'],
    [3_000, 'gzip', 'gzip'],
    [3_000, 'br;q=0.5, gzip', 'gzip'],
    [3_000, 'identity, br;q=0', 'identity'],
    [200_000, 'br', 'br'],
    [200_000, 'gzip', 'gzip'],
    [1_200_000, 'br', 'br'],
    [1_200_000, 'gzip', 'gzip'],
  ].map(([length, accepted, encoding]) => [query, length, accepted, encoding] as const),
);

test.each(cases)('%s of %s characters, accepted %s: %s', async (query, length, accepted, preferred) => {
  // Of equals that is the one that can be joined.
  const isJoined = query === 'partlyKeptText' && accepted === 'gzip, deflate, br' && preferred === 'br';
  const encoding = isJoined ? 'gzip' : preferred;
  // Twice, because a kept answer keeps its encodings as well.
  for (let i = 0; i < 2; i += 1) {
    const { headers, body } = await post(query, Number(length), accepted as string | undefined);
    expect(headers['content-encoding'] ?? 'identity').toBe(encoding);
    expect(headers.vary).toContain('Accept-Encoding');
    expect(headers['content-length']).toBe(String(body.length));
    const text = decoders[String(encoding)]?.(body).toString('utf8') ?? '';
    expect(JSON.parse(text)).toEqual({
      success: true,
      apiVersion: '1.3.6',
      text: textOf(Number(length)),
      ...(query === 'partlyKeptText' ? { number } : {}),
    });
  }
});
