import { expect, test } from 'vitest';
import { memberText, pickMembers } from './json-members.ts';

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

test('The named members of an object equal those from parsing it', () => {
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

test('A truncated text is an error', () => {
  for (const text of ['{"a', '{"a":"b', '{"a":[1'])
    expect(() => pickMembers(text, ['a'])).toThrow(SyntaxError);
});

test.each([
  ['{"data":{"payload":{"n":1.10}}}', '{"n":1.10}'],
  [' { "a" : "}," , "data" : { "x":[1] , "payload" : [ 9007199254740993 ]  } } ', '[ 9007199254740993 ]'],
  ['{"data":{"payload":1},"data":{"payload":2,"\\u0070ayload":"\\u0041"}}', '"\\u0041"'],
])('In %s the member is found with its text unchanged', (text, expected) => {
  expect(memberText(text, ['data', 'payload'])).toBe(expected);
  expect(JSON.parse(text)).toHaveProperty(['data', 'payload'], JSON.parse(expected));
});

test('An absent member is an error', () => {
  for (const text of ['{}', '{"data":[]}', '{"data":{"a":{"payload":1}}}'])
    expect(() => memberText(text, ['data', 'payload'])).toThrow('there is no member data.payload');
});
