import { expect, test } from 'vitest';
import { pickMembers } from './json-members.ts';

const documents: Record<string, unknown>[] = [
  {},
  { a: 1 },
  { a: 'x', b: [1, { c: '}],"{' }], c: null, d: -1.5e30, e: true },
  { 'a"b': '\\', '\\': '\\"', 'c\n': ',', '': 'empty name', ü: '\u2028😀\ud800' },
  { nested: { a: { a: [[[]], {}] } }, a: { b: 'a', c: ['a', 'b'] }, 1: 'first' },
];
const names = [
  ...new Set(documents.flatMap((document) => Object.keys(document))),
  'none',
  '__proto__',
  'constructor',
];

test('The named members of an object are those that parsing it would give', () => {
  for (const document of documents) {
    const text = JSON.stringify(document);
    for (const wanted of [
      [],
      names,
      ...names.map((name) => [name]),
      [names[0] as string, names[2] as string],
    ])
      expect([text, wanted, pickMembers(text, wanted)]).toEqual([
        text,
        wanted,
        JSON.stringify(
          Object.fromEntries(Object.entries(document).filter(([name]) => wanted.includes(name))),
        ),
      ]);
  }
  expect(pickMembers('{"__proto__":{"a":1},"b":2}', ['__proto__'])).toBe('{"__proto__":{"a":1}}');
});

test('A text that ends too early is an error', () => {
  for (const text of ['{"a', '{"a":"b', '{"a":[1'])
    expect(() => pickMembers(text, ['a'])).toThrow(SyntaxError);
});
