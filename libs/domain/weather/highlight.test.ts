import { describe, expect, test } from 'vitest';
import { highlightColours, highlight } from './highlight.ts';
import { tokenize } from './tokenizer.ts';

const colours = (report: string, kind: 'METAR' | 'TAF' = 'METAR') =>
  Object.fromEntries(highlight(tokenize(report, kind)).map((item) => [item.text, item.color]));

describe('colours (M-2.11.m7)', () => {
  const { warning, caution, good, info, station } = highlightColours;

  test('Wind is coloured, even in MPS', () => {
    expect(colours('EGLL 151020Z 24016MPS')).toMatchObject({
      EGLL: station,
      '24016MPS': warning,
      '151020Z': null,
    });
    expect(colours('EGLL 151020Z 24012G21KT')['24012G21KT']).toBe(caution);
    expect(colours('EGLL 151020Z 24020KT')['24020KT']).toBeNull();
    expect(colours('EGLL 151020Z 00000KT')['00000KT']).toBe(good);
  });

  test('Visibility, ceiling and weather are coloured', () => {
    expect(
      colours('EGLL 151020Z 4900 R27L/0550N R27R/0900N -TSRA BR BKN003 OVC007 SCT002 FEW020CB VV002 NOSIG'),
    ).toMatchObject({
      '4900': caution,
      'R27L/0550N': warning,
      'R27R/0900N': caution,
      '-TSRA': warning,
      BR: null,
      BKN003: warning,
      OVC007: caution,
      SCT002: null,
      FEW020CB: caution,
      VV002: warning,
      NOSIG: good,
    });
    expect(colours('KJFK 151020Z 1/2SM FZFG')).toMatchObject({ '1/2SM': warning, FZFG: warning });
    expect(colours('KJFK 151020Z 5000 VCTS NCD NSC CAVOK')).toMatchObject({
      '5000': null,
      VCTS: caution,
      NCD: null,
      NSC: good,
      CAVOK: good,
    });
  });

  test('Trends follow the rules, while change indicators and remarks are grey', () => {
    expect(colours('EGLL 151020Z 9999 TEMPO 0400 RMK TS')).toMatchObject({
      TEMPO: info,
      '0400': warning,
      TS: info,
    });
    expect(colours('TAF EGLL 151020Z 1512/1612 9999 PROB30 TEMPO 1512/1515 +RA', 'TAF')).toMatchObject({
      '1512/1612': null,
      PROB30: info,
      '1512/1515': info,
      '+RA': warning,
    });
  });

  test('Both words of one group have one colour (M-2.11.m8)', () => {
    expect(colours('KJFK 151020Z 1 1/2SM WS R32L')).toMatchObject({
      '1': caution,
      '1/2SM': caution,
      WS: warning,
      R32L: warning,
    });
  });
});
