import { describe, expect, test } from 'vitest';
import { ceilingFt, flightCategory } from './category.ts';
import { readReport } from './report.ts';

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
    // A ceiling of unknown height.
    ['METAR LSZS 091220Z 00000KT 9999 BKN/// M02/M05 Q1020', null],
    ['METAR URMN 020000Z 20001MPS 6000 OVC/// 14/06 Q1008', null],
    ['METAR MRLM 152100Z 06008KT //// TSRA OVC///CB 21/21 A2978', null],
    ['METAR EBAW 132250Z AUTO 29006KT 9999 VV/// 22/18 Q1010', null],
    ['METAR RJSI 230033Z VRB02KT 4000 BR FEW002 SCT004 BKN/// 13/13 Q1012', 'IFR'],
    ['METAR EGQS 222350Z 20002KT 0250 FG VV/// 11/10 Q1004', 'LIFR'],
    // Layers are printed in order of height.
    ['METAR ULWC 180730Z 25002MPS 9999 BKN008 OVC/// 00/M00 Q0996', 'IFR'],
    ['METAR RJSA 230200Z 07006KT 9999 FEW030 BKN050 BKN/// 04/M03 Q1020', 'VFR'],
    ['METAR RJAF 230200Z 15015KT 9999 FEW035 SCT/// 13/M01 Q1017', 'VFR'],
  ])('%s is %s', (metar, category) => {
    expect(flightCategory(metar)).toBe(category);
  });

  test.each([
    ['BKN///', null],
    ['VV///', null],
    ['BKN/// OVC040', null],
    ['FEW020 OVC040 BKN///', 4_000],
    ['VV001', 100],
    ['FEW/// SCT///', Infinity],
    ['NSC', Infinity],
  ])('The ceiling of %s is %s', (clouds, feet) => {
    const { main } = readReport(`METAR EDDF 161150Z 03004KT 9999 ${clouds} 12/08 Q1020`, 'METAR');
    expect(ceilingFt(main)).toBe(feet);
  });
});
