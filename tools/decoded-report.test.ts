import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTimeMs } from '#test/support/cpu-time.ts';
import { decodeMetar, decodeTaf } from './decoded-report.ts';
import { remarkSentences } from '#data/weather/metar-response.ts';

const words = fc.constantFrom(
  ...'METAR TAF AMD EGLL 151020Z 1512/1612 151019 24012G25MPS VRB /////KT 9999 1 1/2SM M1/4SM 3000NE R27L/0450V0800FT/U'.split(
    ' ',
  ),
  ...'R01/////// R88/290595 16090060 R/SNOCLO -SHRA RE RERA VC /// ///CB VV/// BKN/// M05/ /M05 Q1013 A2992 QNH2992INS'.split(
    ' ',
  ),
  ...'WS ALL RWY WS020/22045KT TEMPO PROB30 FM1200 FM151200 TL1300 TX12/1512Z NOSIG RMK AO2 T01230045 SLP1 P 60001 $ = NIL'.split(
    ' ',
  ),
);
const line = fc.array(fc.oneof(words, fc.string()), { maxLength: 40 }).map((parts) => parts.join(' '));

describe('arbitrary text', () => {
  test.each([
    ['METAR', decodeMetar],
    ['TAF', decodeTaf],
  ])('A %s decodes without an exception and joins back', (_kind, decode) => {
    fc.assert(
      fc.property(line, (raw) => {
        const decoded = decode(raw);
        expect(decoded.highlighted.map((h) => h.text + (h.spaceSuffix ? ' ' : '')).join('')).toBe(raw);
        expect(decoded.windDir === null || (decoded.windDir >= 0 && decoded.windDir <= 360)).toBe(true);
        expect(decoded.qnhHpa === null || (decoded.qnhHpa >= 850 && decoded.qnhHpa <= 1085)).toBe(true);
      }),
      { numRuns: 1_500 },
    );
  });
});

describe('remarks', () => {
  test('Known remarks become sentences, others stay as words', () => {
    expect(remarkSentences('AO2 SLP134 QFE738')).toEqual([
      'automated station with a precipitation discriminator',
      'sea level pressure of 1013.4 HPa',
      'QFE738',
    ]);
    expect(remarkSentences(null)).toEqual([]);
  });

  test('A long remark is truncated and read in bounded time', () => {
    expect(cpuTimeMs(() => remarkSentences('T0123 PK WND '.repeat(20_000)))).toBeLessThan(1_000);
  });
});
