import { describe, expect, test } from 'vitest';
import { assertBounded } from './json.ts';

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
    ['a value at level 64', nested(64, '1'), null],
    ['levels inside a string', `"${nested(100)}"`, null],
    ['levels after an escaped quote', `"\\"${nested(100)}"`, null],
    ['levels after an escaped backslash', `["\\\\",${nested(64)}]`, 'JSON_TOO_DEEP'],
    ['levels after a name', `{"a" :${nested(64)}}`, 'JSON_TOO_DEEP'],
    ['numbers up to the bound', list(399_999), null],
    ['a number more', list(400_000), tooMuch],
    ['objects up to the bound', list(199_999, ' { } '), null],
    ['an object more', list(200_000, '{}'), tooMuch],
    ['members of objects', named(200_000, (i) => `k${i}`), null],
    ['a member more', named(200_001, (i) => `k${i}`), tooMuch],
    ['colons in texts', `["${':'.repeat(500_000)}"]`, null],
    ['commas in texts', `["${','.repeat(500_000)}"]`, null],
    ['text that is not JSON', `]]]}}}${':'.repeat(10)}`, null],
    ['a text without an end', '["a', null],
    ['a backslash at the end', '["\\', null],
  ])('%s', (_, text, expected) => {
    expect(scan(text)).toBe(expected);
  });
});
