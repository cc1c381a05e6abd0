/** JSON bodies that announce their length are read without a stream, and checked like all others. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
});
afterAll(() => api.close());

/** With `Content-Length`, or in chunks of this many bytes. */
const post = (
  body: Buffer,
  chunkBytes: number | null,
  token?: string,
): Promise<[number | undefined, unknown]> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(chunkBytes === null ? { 'content-length': body.length } : {}),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const sent = request(`${api.url}/api`, { method: 'POST', headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () => resolve([response.statusCode, JSON.parse(Buffer.concat(parts).toString())]));
    });
    sent.on('error', reject);
    const step = chunkBytes ?? Math.max(1, body.length);
    for (let at = 0; at < body.length; at += step) sent.write(body.subarray(at, at + step));
    sent.end();
  });

const login = (email: string) => `{"query":"login","data":{"email":"${email}","password":"p"}}`;

test.each<[string, string | Buffer]>([
  ['an operation', login('a@example.org')],
  ['letters of several bytes', login('Ä€😀@example.org')],
  [
    'bytes that are no UTF-8',
    Buffer.concat([Buffer.from('{"query":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}')]),
  ],
  ['a byte order mark', `\uFEFF${login('a@example.org')}`],
  ['nothing', ''],
  ['space', '  \n'],
  ['broken text', '{"query":'],
  ['text after the end', '{} {}'],
  ['null', 'null'],
  ['a list', '[{"query":"login"}]'],
  ['a number', ' 5 '],
  ['a prototype', '{"query":"login","__proto__":{"a":1}}'],
  ['a prototype, deep inside', '{"query":"login","data":{"a":[{"b":{"__proto__":null}}]}}'],
  ['a prototype in escapes', '{"query":"login","\\u005f_pr\\u006Fto_\\u005F":1}'],
  ['the word as a value', '{"query":"__proto__","data":"\\"__proto__\\":1"}'],
  ['deep nesting', `{"query":"x","data":${'['.repeat(64)}${']'.repeat(64)}}`],
])('A small and a large body get the same answer with and without Content-Length: %s', async (_, text) => {
  const body = Buffer.from(text);
  const expected = await post(body, 7);
  expect(await post(body, null)).toEqual(expected);
  expect(expected[0]).toBeGreaterThanOrEqual(400);
  const large = Buffer.concat([body, Buffer.alloc(70_000, ' ')]);
  const { token } = user;
  expect(await post(large, null, token)).toEqual(await post(large, 8_000, token));
});
