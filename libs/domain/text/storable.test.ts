import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findUnstorable } from './storable.ts';

const nul = 'the NUL character';
const half = 'half of a surrogate pair';

describe('text that cannot be stored', () => {
  test.each([
    ['\0', { path: 'data', problem: nul, isKey: false }],
    [{ note: 'a\0b' }, { path: 'note', problem: nul, isKey: false }],
    [{ list: ['fine', { deep: '\uD800' }] }, { path: 'list.1.deep', problem: half, isKey: false }],
    [{ list: ['\uDC00'] }, { path: 'list.0', problem: half, isKey: false }],
    [{ swapped: '\uDE00\uD83D' }, { path: 'swapped', problem: half, isKey: false }],
    [{ 'k\0': 1 }, { path: 'data', problem: nul, isKey: true }],
    [{ a: { b: [{ '\uD800': true }] } }, { path: 'a.b.0', problem: half, isKey: true }],
    [{ 'x\uD800': { y: '\0' } }, { path: 'data', problem: half, isKey: true }],
    [
      { first: '\0', second: '\uD800' },
      { path: 'first', problem: nul, isKey: false },
    ],
  ])('%j is found with its path', (value, expected) => {
    expect(findUnstorable(value)).toEqual(expected);
  });

  test.each([
    ['😀'],
    ['\uFFFD'],
    [''],
    [null],
    [undefined],
    [7],
    [[{ a: [] }]],
    [new Date()],
    [Buffer.alloc(9)],
  ])('%j can be stored', (value) => {
    expect(findUnstorable(value)).toBeNull();
  });

  test('A value is refused exactly when its JSON contains an escape of such a character', () => {
    const broken = fc.string({ unit: fc.constantFrom('a', '\0', '\uD83D', '\uDE00', '"', '\\') });
    const values = fc.jsonValue({ stringUnit: 'binary' });
    const trees = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        broken,
        values,
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(broken, tie('tree'), { maxKeys: 4 }),
      ),
    })).tree;
    // JSON.stringify writes exactly these as \u0000 and \udXXX.
    const isBad = (value: unknown) =>
      /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/.test(JSON.stringify(value));
    fc.assert(
      fc.property(trees, (tree) => {
        expect(findUnstorable(tree) !== null).toBe(isBad(tree));
      }),
      { numRuns: 1_000 },
    );
  });

  test('Depth does not overflow the stack, and a long path is truncated', () => {
    let value: unknown = 'a\0';
    for (let i = 0; i < 200_000; i += 1) value = { next: value };
    expect(findUnstorable(value)?.path).toMatch(/^next\.next\..{190}$/);
  });
});
