import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { jsonSource, writeJson } from '#domain/text/json-text.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { defineQuery } from '../define.ts';
import { sentParts } from './sent-text.ts';

const source = (isWhole: boolean) =>
  jsonSource(7, async function* read() {
    yield Buffer.from('[1,');
    if (!isWhole) throw new Error('the disk is gone');
    yield Buffer.from('[2]]');
  });

const brokenExport = defineQuery({
  name: 'brokenExport',
  spec: ['test'],
  summary: 'A test.',
  auth: 'none',
  devKey: null,
  dialect: 'flat',
  errors: {},
  input: z.object({}),
  output: z.strictObject({ rows: z.unknown() }),
  tx: 'read',
  handler: async () => ({ rows: source(false) }),
});

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ operations: [brokenExport] });
});
afterAll(() => api.close());

test('A part that is not in memory is sent in its place, and only its size is logged', async () => {
  const { parts, logged } = writeJson({ a: source(true), b: 'x' });
  expect(logged).toBe('{"a":"[7 bytes]","b":"x"}');
  const encoded = await sentParts(parts).encoded('gzip');
  const chunks = await Array.fromAsync(encoded as AsyncIterable<Buffer>);
  expect(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString())).toEqual({ a: [1, [2]], b: 'x' });
});

test.each(['identity', 'gzip', 'br'])(
  'A failure in the middle of a stream (%s) ends the connection',
  async (encoding) => {
    const reading = async () => {
      const response = await api.fetch('/api', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'accept-encoding': encoding },
        body: JSON.stringify({ query: 'brokenExport' }),
      });
      return response.text();
    };
    await expect(reading()).rejects.toThrow('terminated');
    expect((await api.fetch('/healthz')).status).toBe(200);
  },
);
