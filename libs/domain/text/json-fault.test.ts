import { expect, test } from 'vitest';
import { jsonFault } from './json-fault.ts';

test.each([
  ['{"query":"airport","data":{"icao":"KJFK",}}', 'line 1, column 42: Expected double-quoted property name'],
  ["{'query':'airport'}", "line 1, column 2: Expected property name or '}'"],
  ['{"a":1,\n "b":NaN}', "line 2, column 6: Unexpected token 'N'"],
  ['{"password":secret}', "line 1, column 13: Unexpected token 's'"],
  ['{"a":[1,]}', "line 1, column 9: Unexpected token ']'"],
  ['{"a":1', "line 1, column 7: Expected ',' or '}' after property value"],
  ['{"a":"b', 'line 1, column 8: Unterminated string'],
  ['{"a":1} {', 'line 1, column 9: Unexpected non-whitespace character'],
  ['', 'line 1, column 1: Unexpected end of JSON input'],
])('%s is answered with the place and reason of its JSON error, and nothing of its values', (text, line) => {
  expect(jsonFault(text)).toBe(line);
});

test('The error in a text of the maximum size is found in milliseconds, wherever it is', () => {
  const members = Array.from({ length: 6_000 }, (_, i) => `"k${i}":${i}`);
  const text = `{${members.join(',')},"x":x}`;
  expect(text.length).toBeGreaterThan(60_000);
  expect(jsonFault(text)).toBe(`line 1, column ${text.length - 1}: Unexpected token 'x'`);
});
