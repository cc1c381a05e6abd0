import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { recordText, tableText } from './table.ts';

const rows = [
  {
    id: 1,
    name: '日本航空',
    error: 'The source answers 503 since this morning, and the other one has no data',
  },
  { id: 22, name: 'Žluťoučký 👩‍✈️', error: null },
];
const print = (columns: number | null, isStyled = false) => tableText(rows, { columns, isStyled });
const widthsOf = (text: string) => text.split('\n').map((line) => stringWidth(line));

describe('tables of the command line', () => {
  test('Columns are aligned behind wide characters and emoji', () => {
    const text = print(null);
    const [header = '', ...lines] = text.split('\n');
    const at = header.indexOf('error');
    expect(lines.map((line, i) => stringWidth(line.slice(0, line.indexOf(i === 0 ? 'The' : '-'))))).toEqual([
      at,
      at,
    ]);
    expect([text.includes('…'), lines.length]).toEqual([false, 2]);
  });

  test('A narrower terminal shortens the widest texts with an ellipsis, then shows each row as a list', () => {
    expect(print(50).match(/…/g)?.length).toBe(1);
    for (const width of [70, 50, 44]) expect(Math.max(...widthsOf(print(width)))).toBeLessThanOrEqual(width);
    const list = print(20);
    expect(list).toMatch(/^id +1\nname +日本航空\nerror +The source\n {7}\S/);
    expect(list.replaceAll(/\s+/g, '')).toContain(
      'The source answers 503 since this morning'.replaceAll(' ', ''),
    );
  });

  test('Only the header is styled, and only where requested', () => {
    // oxlint-disable-next-line no-control-regex -- It looks for escape sequences.
    const escapes = /\u001B\[\d+m/g;
    expect(print(null)).not.toMatch(escapes);
    const text = print(null, true);
    expect(text.match(escapes)).toHaveLength(2);
    expect(text.replaceAll(escapes, '')).toBe(print(null));
  });

  test('Control characters and direction marks do not reach the terminal', () => {
    expect(recordText({ name: 'a\u001B[2Jb\u202Ec\nd' }, { columns: null })).toBe('name  a [2Jb c d');
    expect(recordText({ empty: [], at: new Date(0), no: false }, { columns: null })).toBe(
      'empty  -\nat     1970-01-01 00:00Z\nno     no',
    );
  });
});
