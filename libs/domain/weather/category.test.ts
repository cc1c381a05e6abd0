import { describe, expect, test } from 'vitest';
import { flightCategory } from './category.ts';

describe('flight category', () => {
  test.each([
    ['METAR KJFK 161151Z 03012KT 10SM BKN035 M02/M04 A3002', 'VFR'],
    ['METAR LSZH 161150Z 03004KT CAVOK 12/08 Q1020', 'VFR'],
    ['METAR KJFK 161151Z 03012KT 10SM SCT004 OVC030 M02/M04 A3002', 'MVFR'],
    ['METAR EDDF 161150Z 03004KT 8000 FEW020 12/08 Q1020', 'MVFR'],
    ['METAR EDDF 161150Z 03004KT 9999 BKN009 12/08 Q1020', 'IFR'],
    ['METAR KBOS 161151Z 03012KT 2 1/2SM BR OVC050 M02/M04 A3002', 'IFR'],
    ['METAR KBOS 161151Z 03012KT 10SM OVC004 M02/M04 A3002', 'LIFR'],
    ['METAR KSFO 161156Z 00000KT M1/4SM FG VV001 09/09 A3010', 'LIFR'],
    ['METAR EGLL 161150Z 00000KT 0400 FG 04/04 Q1030', 'LIFR'],
    ['METAR EGLL 161150Z AUTO 22008KT //// ////// 04/04 Q1030', null],
  ])('%s is %s', (metar, category) => {
    expect(flightCategory(metar)).toBe(category);
  });
});
