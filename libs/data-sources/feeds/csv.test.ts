import { expect, test } from 'vitest';
import { readCsv } from './csv.ts';

const rowsOf = (text: string) => readCsv(Buffer.from(text), { required: ['id'], what: 'list.csv' });

const list = 'id,name,place\n1,one,here\n2,two,there\n';

test.each([
  ['in a name', list.indexOf('two') + 1],
  ['after a comma', list.indexOf('two') + 4 - 1],
  ['in the first column', list.indexOf('2,') + 1],
])('A list truncated %s is refused', (_, at) => {
  expect(() => rowsOf(list.slice(0, at))).toThrow('list.csv ends in the middle of a record');
});

test('A complete list needs no final line break, and a short row inside does not invalidate it', () => {
  expect(rowsOf(list.trimEnd())).toHaveLength(2);
  expect(rowsOf('id,name,place\r\n1,one\r\n2,two,there\r\n3\r\n')).toHaveLength(3);
});
