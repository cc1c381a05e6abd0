import { expect, test } from 'vitest';
import { guarded, unguarded } from './csv.ts';

test.each(['=1+1', ' =1+1', '\n=1+1', '\t@SUM', '\u00a0-1', '＝1+1', '＋1', '－1', '＠SUM', "'=1"])(
  'A cell %j that a spreadsheet may calculate is escaped and read back unchanged',
  (text) => {
    expect(guarded(text)).toBe(`'${text}`);
    expect(unguarded(guarded(text))).toBe(text);
  },
);

test('Any other cell is unchanged', () => {
  for (const text of ['', 'Flaps', '1 = 1', "'Beacon'", '５'])
    expect([guarded(text), unguarded(text)]).toEqual([text, text]);
});
