import { describe, expect, test } from 'vitest';
import { isReject, parseNotam } from '../parse.ts';
import { officialFor, officialReports, officialText } from './official.ts';

const now = new Date('2026-02-17T03:00:00Z');

describe('reports under another designator', () => {
  const at = (idents: string, aliases: Record<string, string> = {}) => ({
    airport: { ends: idents.split(' ').map((ident) => ({ ident })) },
    aliases: new Map(Object.entries(aliases)),
  });
  const seen = (lines: string, place: ReturnType<typeof at>, ...idents: string[]) => {
    const notam = parseNotam(`SWED0015 EDDM 02170210\n(SNOWTAM 0015\nEDDM\n${lines})`, now);
    if (isReject(notam)) throw new Error(notam.reason);
    const reports = officialReports([{ ...notam, id: 1 }], now, place);
    const texts = idents.map((ident) => {
      const official = officialFor(reports, ident);
      return official && officialText(official);
    });
    return [texts, reports.unread.map(({ text }) => text)];
  };

  test('A report applies to the former neighbour or alias of the runway, in both directions', () => {
    const renamed = ['SNOWTAM 0015 of runway 07: 1/1/5', 'SNOWTAM 0015 of runway 07: 5/1/1'];
    expect(seen('02170210 07 1/1/5', at('08 26'), '08', '26')).toEqual([renamed, []]);
    expect(seen('02170210 07 1/1/5', at('06 24 08 26', { '07': '06' }), '06', '24', '08')).toEqual([
      [...renamed, null],
      [],
    ]);
  });

  test('A report that may be for any runway applies to each runway without its own report, and is marked to be read', () => {
    const lines = '02170210 06 5/5/5\n02170210 07 1/1/1';
    expect(seen(lines, at('06 24 10 28'), '06', '10')).toEqual([
      ['SNOWTAM 0015: 5/5/5', 'SNOWTAM 0015 of runway 07: 1/1/1'],
      ['02170210 07 1/1/1, but the airport has no certain runway 07'],
    ]);
  });

  test('A report without left or right applies to both parallels', () => {
    const text = 'SNOWTAM 0015 of runway 08: 3/3/3';
    expect(seen('02170210 08 3/3/3', at('08L 26R 08R 26L'), '08L', '26L')).toEqual([[text, text], []]);
  });
});
