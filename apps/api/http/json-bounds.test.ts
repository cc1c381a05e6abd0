import { describe, expect, test } from 'vitest';
import { assertBounded } from './json-bounds.ts';

type Outcome = string | null;

const scan = (text: string): Outcome => {
  try {
    assertBounded(Buffer.from(text));
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

const list = (length: number, entry: string | ((i: number) => string) = '1') =>
  `[${Array.from({ length }, (_, i) => (typeof entry === 'string' ? entry : entry(i))).join()}]`;
const named = (count: number, nameOf: (i: number) => string) =>
  `{${Array.from({ length: count }, (_, i) => `"${nameOf(i)}":1`).join()}}`;
const nested = (depth: number, inside = '') => `${'['.repeat(depth)}${inside}${']'.repeat(depth)}`;
const tooMuch = 'PAYLOAD_TOO_LARGE';

describe('the scan before parsing', () => {
  test.each<[string, string, Outcome]>([
    ['64 levels', nested(64), null],
    ['65 levels', nested(65), 'JSON_TOO_DEEP'],
    ['65 levels of objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'JSON_TOO_DEEP'],
    ['a value at level 65', nested(64, '1'), 'JSON_TOO_DEEP'],
    ['levels inside a string', `"${nested(100)}"`, null],
    ['levels after an escaped quote', `"\\"${nested(100)}"`, null],
    ['levels after an escaped backslash', `["\\\\",${nested(64)}]`, 'JSON_TOO_DEEP'],
    ['levels after a name', `{"a" :${nested(64)}}`, 'JSON_TOO_DEEP'],
    ['numbers up to the bound', list(399_998), null],
    ['a number more', list(399_999), tooMuch],
    ['objects up to the bound', list(199_999, ' { } '), null],
    ['an object more', list(200_000, '{}'), tooMuch],
    ['a text that is repeated', list(399_000, '"a"'), null],
    ['long texts that differ', list(200_000, (i) => `"${'x'.repeat(8)}${i}"`), null],
    // A little over where texts differ, because the hash may take a few for others.
    ['short texts that differ', list(100_000, (i) => `"${i}"`), null],
    ['more of them', list(110_000, (i) => `"${i}"`), tooMuch],
    ['names that differ', named(44_000, (i) => `k${i}`), null],
    ['more of them', named(50_000, (i) => `k${i}`), tooMuch],
    ['long names that differ', named(50_000, (i) => `${'k'.repeat(40)}${i}`), tooMuch],
    ['objects that are alike', list(90_000, '{"name":1,"size":2}'), null],
    [
      'texts and names that differ',
      `[${list(60_000, (i) => `"${i}"`)},${named(25_000, (i) => `k${i}`)}]`,
      tooMuch,
    ],
    ['text that is not JSON', `]]]}}}${':'.repeat(10)}`, null],
    ['a text without an end', '["a', null],
    ['a backslash at the end', '["\\', null],
  ])('%s', (_, text, expected) => {
    expect(scan(text)).toBe(expected);
  });

  test('Objects with the same names in different orders count as different', () => {
    const object = (i: number) => named(32, (k) => `n${(k * (2 * i + 1) + (i >> 4)) % 32}`);
    const objects = Array.from({ length: 5_000 }, (_, i) => object(i).replaceAll('n', `${i % 97}n`));
    expect(scan(`[${objects.join()}]`)).toBe(tooMuch);
    expect(scan(`[${Array.from({ length: 5_000 }, () => object(1)).join()}]`)).toBeNull();
  });
});
