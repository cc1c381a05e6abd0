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
  test.each<[string, Outcome, string]>([
    ['64 levels', null, nested(64)],
    ['65 levels', 'JSON_TOO_DEEP', nested(65)],
    ['65 levels of objects', 'JSON_TOO_DEEP', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
    ['a value at level 64', null, nested(64, '1')],
    ['levels inside a string', null, `"${nested(100)}"`],
    ['levels after an escaped quote', null, `"\\"${nested(100)}"`],
    ['levels after an escaped backslash', 'JSON_TOO_DEEP', `["\\\\",${nested(64)}]`],
    ['levels after a name', 'JSON_TOO_DEEP', `{"a" :${nested(64)}}`],
    ['numbers up to the bound', null, list(399_999)],
    ['one number too many', tooMuch, list(400_000)],
    ['objects up to the bound', null, list(199_999, ' { } ')],
    ['one object too many', tooMuch, list(200_000, '{}')],
    ['members of objects', null, named(200_000, (i) => `k${i}`)],
    ['one member too many', tooMuch, named(200_001, (i) => `k${i}`)],
    ['colons in texts', null, `["${':'.repeat(500_000)}"]`],
    ['commas in texts', null, `["${','.repeat(500_000)}"]`],
    ['text that is not JSON', null, `]]]}}}${':'.repeat(10)}`],
    ['a text without an end', null, '["a'],
    ['a backslash at the end', null, '["\\'],
  ])('For %s the scan returns %s', (_, expected, text) => {
    expect(scan(text)).toBe(expected);
  });
});
