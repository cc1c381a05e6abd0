import { expect, test } from 'vitest';
import { memberText } from './json-members.ts';

test('A truncated text is an error', () => {
  for (const text of ['{"a', '{"a":"b', '{"a":[1'])
    expect(() => memberText(text, ['a'])).toThrow(SyntaxError);
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
