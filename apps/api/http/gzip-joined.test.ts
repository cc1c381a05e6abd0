import { deflateRawSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { gzipJoined } from './gzip-joined.ts';

const bytes = (length: number) => Buffer.from(Array.from({ length }, (_, i) => (i * 7 + (i >> 8)) & 0xff));

test.each([
  [0, 10],
  [1, 0],
  [700, 250_000],
  [65_535, 5],
  [65_536, 5],
  [200_000, 1_000],
])('A head of %i bytes and a tail of %i are one text again', (headLength, tailLength) => {
  const [head, tail] = [bytes(headLength), bytes(tailLength)];
  const joined = gzipJoined(head, tail, deflateRawSync(tail));
  expect(gunzipSync(joined).equals(Buffer.concat([head, tail]))).toBe(true);
});

test('A changed byte is found by the check sum', () => {
  const tail = bytes(1_000);
  const joined = gzipJoined(Buffer.from('head'), tail, deflateRawSync(tail));
  joined[16] = (joined[16] ?? 0) ^ 1;
  expect(() => gunzipSync(joined)).toThrow('incorrect data check');
});
