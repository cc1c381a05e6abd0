import { expect, test } from 'vitest';
import { jsonFault } from './json-fault.ts';

test.each([
  [
    '{"query":"airport","data":{"icao":"KJFK",}}',
    'line 1, column 42 ("}"): a comma may only separate two members',
  ],
  ["{'query':'airport'}", 'line 1, column 2 ("\'"): strings and names need double quotes (")'],
  ['{"a":1,\n "b":NaN}', 'line 2, column 6 ("N"): a value that is not known is null, or left out'],
  ['{query:"a"}', 'line 1, column 2 ("q"): strings and names need double quotes (")'],
  ['{"a":True}', 'line 1, column 6 ("T"): JSON has true, false and null'],
  ['{"a":1 // note\n}', 'line 1, column 8 ("/"): JSON has no comments'],
  ['{"a":1', 'the text ends in the middle of a value'],
  ['{"a":"b', 'the text ends in the middle of a value'],
  ['{"a":1]}', 'line 1, column 7 ("]"): a comma may only separate two members'],
  ['{"a" 1}', 'line 1, column 6 ("1"): this is not expected here'],
  ['hello', 'line 1, column 1 ("h"): strings and names need double quotes (")'],
])('%s is answered with the place and reason of its JSON error', (text, line) => {
  expect(jsonFault(text)).toBe(line);
});

test('The error in a text of the maximum size is found in milliseconds, wherever it is', () => {
  const members = Array.from({ length: 6_000 }, (_, i) => `"k${i}":${i}`);
  const text = `{${members.join(',')},x}`;
  expect(text.length).toBeGreaterThan(60_000);
  expect(jsonFault(text)).toContain(`column ${text.length - 1} ("x")`);
});
