import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { jsonSource, writeJson } from '#domain/text/json-text.ts';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { defineQuery } from '../define.ts';

const source = (isWhole: boolean) =>
  jsonSource(2_000, async function* read() {
    yield Buffer.from('[1,');
    if (!isWhole) throw new Error('the disk is gone');
    yield Buffer.from('[2]]');
  });

const exporting = (name: string, isWhole: boolean) =>
  defineQuery({
    name,
    spec: ['test'],
    summary: 'A test.',
    auth: 'none',
    devKey: null,
    dialect: 'flat',
    errors: {},
    input: z.object({}),
    output: z.strictObject({ rows: z.unknown() }),
    tx: 'read',
    handler: async () => ({ rows: source(isWhole) }),
  });

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ operations: [exporting('export', true), exporting('brokenExport', false)] });
});
afterAll(() => api.close());

const send = (query: string, encoding: string) =>
  api.fetch('/api', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': encoding },
    body: JSON.stringify({ query }),
  });

test.each(['identity', 'gzip'])(
  'A part that is not in memory is sent (%s) in its place, and the log has only its size',
  async (encoding) => {
    expect(writeJson({ a: source(true), b: 'x' }).logged).toBe('{"a":"[2000 bytes]","b":"x"}');
    expect(await (await send('export', encoding)).json()).toMatchObject({ rows: [1, [2]] });
  },
);

test.each(['identity', 'gzip'])('A failure in mid-stream (%s) ends the connection', async (encoding) => {
  const reading = async () => (await send('brokenExport', encoding)).text();
  await expect(reading()).rejects.toThrow(/terminated|fetch failed/);
  expect((await api.fetch('/healthz')).status).toBe(200);
});
