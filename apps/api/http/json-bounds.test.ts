import { describe, expect, test } from 'vitest';
import { assertShallow, createJsonScan } from './json-bounds.ts';

type Outcome = string | null;

const outcomeOf = (work: () => void): Outcome => {
  try {
    work();
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

/** The scan of the text in pieces of this many bytes. */
const scan = (text: string, pieceBytes: number): Outcome => {
  const bytes = Buffer.from(text);
  const take = createJsonScan();
  return outcomeOf(() => {
    for (let i = 0; i < bytes.length; i += pieceBytes) take(bytes.subarray(i, i + pieceBytes));
  });
};

const list = (length: number, entry = '1') => `[${Array.from({ length }, () => entry).join()}]`;
const named = (count: number, nameOf: (i: number) => string) =>
  `{${Array.from({ length: count }, (_, i) => `"${nameOf(i)}":1`).join()}}`;
const nested = (depth: number, inside = '') => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;

describe('the scan before parsing', () => {
  test.each<[string, string, Outcome]>([
    ['64 levels', nested(64), null],
    ['65 levels', nested(65), 'JSON_TOO_DEEP'],
    ['a value at level 65', nested(64, '1'), 'JSON_TOO_DEEP'],
    ['levels inside a string', `"${nested(100)}"`, null],
    ['levels after an escaped quote', `"\\"${nested(100)}"`, null],
    ['levels after an escaped backslash', `["\\\\",${nested(64)}]`, 'JSON_TOO_DEEP'],
    ['400,000 values', list(399_999), null],
    ['400,001 values', list(400_000), 'PAYLOAD_TOO_LARGE'],
    ['400,000 empty objects', list(399_999, ' { } '), null],
    ['200,000 texts', list(200_000, '"a"'), null],
    ['200,001 texts', list(200_001, '"a"'), 'PAYLOAD_TOO_LARGE'],
    ['150,000 texts with 49,000 names', `[${list(150_000, '"a"')},${named(49_000, (i) => `k${i}`)}]`, null],
    [
      '150,000 texts after 51,000 names',
      `[${named(51_000, (i) => `k${i}`)},${list(150_000, '"a"')}]`,
      'PAYLOAD_TOO_LARGE',
    ],
    ['values of objects', list(140_000, '{"a":1,"b":2}'), 'PAYLOAD_TOO_LARGE'],
    ['100,000 different names', named(100_000, (i) => `k${i}`), null],
    // A little over, because the hash may take a few names for others.
    ['101,000 different names', named(101_000, (i) => `k${i}`), 'PAYLOAD_TOO_LARGE'],
    ['objects that are alike', list(130_000, '{"name":1,"size":2}'), null],
    ['text that is not JSON', `]]]}}}${':'.repeat(10)}`, null],
  ])('%s', (_, text, expected) => {
    expect([scan(text, 65_536), scan(text, 1_000), scan(text, text.length)]).toEqual([
      expected,
      expected,
      expected,
    ]);
  });

  test('Objects with the same names in different orders count as different', () => {
    const object = (i: number) => named(32, (k) => `n${(k * (2 * i + 1) + (i >> 4)) % 32}`);
    const objects = Array.from({ length: 5_000 }, (_, i) => object(i).replaceAll('n', `${i % 97}n`));
    expect(scan(`[${objects.join()}]`, 65_536)).toBe('PAYLOAD_TOO_LARGE');
    expect(scan(`[${Array.from({ length: 5_000 }, () => object(1)).join()}]`, 65_536)).toBeNull();
  });

  test('The walk of a parsed value has the same bounds of nesting and values', () => {
    for (const text of [
      nested(64),
      nested(65),
      nested(64, '1'),
      list(399_999),
      list(400_000),
      list(140_000, '{"a":1,"b":2}'),
    ])
      expect(outcomeOf(() => assertShallow(JSON.parse(text)))).toBe(scan(text, 65_536));
  });
});
