import { describe, expect, test } from 'vitest';
import { enrouteOf } from './condition-names.ts';
import { icing } from './runway-condition.ts';
import { readReport } from './report.ts';
import { runwayCondition } from './runway-condition.ts';

const report = (groups: string) => readReport(`EFHK 051600Z 36010KT ${groups}`, 'METAR');
const condition = (groups: string, runway = '22L') => {
  const c = runwayCondition(report(groups), runway);
  return [c.dispatch, enrouteOf(c.code)];
};
const isIcing = (groups: string) => icing(report(groups), runwayCondition(report(groups), '22L'));

describe('runway condition (M-2.11.r12, M-2.11.r13, M-2.11.r14)', () => {
  test.each([
    ['9999 FEW020 12/08', 'DRY', 'DRY'],
    ['3000 HZ VCSH 12/08', 'DRY', 'DRY'],
    ['3000 MIFG BR 12/08', 'DRY', 'DRY'],
    ['0300 FG 12/12', 'WET', 'GOOD'],
    ['1200 BR 12/12', 'WET', 'GOOD'],
    ['4000 BR M01/M01', 'WET', 'GOOD'],
    ['0300 FZFG M02/M02', 'WET', 'GOOD'],
    ['9999 -RA 12/08', 'WET', 'GOOD'],
    ['9999 TSRA 12/08', 'WET', 'GOOD'],
    ['9999 TS 12/08', 'DRY', 'DRY'],
    ['9999 12/08 Q1010 RERA', 'WET', 'GOOD'],
    ['3000 +SHRA 12/08', 'WET', 'MEDIUM_TO_POOR'],
    ['3000 +DZ 12/08', 'WET', 'GOOD'],
    ['3000 -RASN 02/01', 'SLUSH', 'MEDIUM_TO_POOR'],
    ['3000 RA SN 01/00', 'SLUSH', 'MEDIUM_TO_POOR'],
    ['3000 SN 02/01', 'SLUSH', 'MEDIUM_TO_POOR'],
    ['3000 SN 01/00', 'WET_SNOW', 'MEDIUM'],
    ['3000 -SN 00/M01', 'WET_SNOW', 'GOOD'],
    ['3000 -SN M05/M07', 'DRY_SNOW', 'GOOD'],
    ['3000 SHSN M05/M07', 'DRY_SNOW', 'MEDIUM'],
    ['3000 BLSN M05/M07', 'DRY_SNOW', 'MEDIUM'],
    ['9999 DRSN M05/M07', 'DRY_SNOW', 'GOOD'],
    ['1000 +SN M05/M07', 'DRY_SNOW', 'MEDIUM'],
    ['3000 PL 01/M01', 'SLUSH', 'MEDIUM'],
    ['3000 GR 12/10', 'WET', 'GOOD'],
    ['3000 +TSRAGR 12/10', 'WET', 'MEDIUM_TO_POOR'],
    ['3000 -FZRA M01/M02', 'ICE', 'POOR'],
    ['3000 -SN FZDZ M01/M02', 'ICE', 'POOR'],
  ])('%s gives %s and %s', (groups, dispatch, enroute) => {
    expect(condition(groups)).toEqual([dispatch, enroute]);
  });

  test.each([
    ['R04R/290550', 'STANDING_WATER', 'MEDIUM_TO_POOR'],
    ['R22L/290250', 'WET', 'GOOD'],
    ['R22L/310095', 'WET', 'GOOD'],
    ['R22L/490550', 'DRY_SNOW', 'MEDIUM'],
    ['R22L/590250', 'WET_SNOW', 'GOOD'],
    ['R88/690650', 'SLUSH', 'MEDIUM_TO_POOR'],
    ['R22L/890250', 'COMPACTED_SNOW', 'MEDIUM'],
    ['R22L/490292', 'DRY_SNOW', 'MEDIUM_TO_POOR'],
    ['R22L/490120', 'DRY_SNOW', 'POOR'],
    ['R22L/490126', 'DRY_SNOW', 'MEDIUM_TO_POOR'],
    ['R22L/490130', 'DRY_SNOW', 'MEDIUM'],
    ['R22L/490136', 'DRY_SNOW', 'GOOD_TO_MEDIUM'],
    ['R22L/490140', 'DRY_SNOW', 'GOOD'],
    ['R22L/490199', 'DRY_SNOW', 'GOOD'],
    ['R22L/7900//', 'ICE', 'POOR'],
    ['R22L/CLRD25', 'ICE', 'POOR'],
    ['R22L/010035', 'SLIPPERY_WET', 'MEDIUM'],
    ['R22L/290228', 'ICE', 'MEDIUM_TO_POOR'],
    ['R22L/710250', 'WET', 'GOOD'],
    ['R22R/790250', 'WET', 'GOOD'],
  ])('The state group %s takes precedence over rain: %s and %s', (group, dispatch, enroute) => {
    expect(condition(`9999 -RA M05/M06 Q1010 ${group}`)).toEqual([dispatch, enroute]);
  });

  test.each([
    ['R22L/CLRD70', 'DRY', 'DRY'],
    ['R22L/CLRD95', 'DRY', 'DRY'],
    ['R22L/010045', 'DRY', 'DRY'],
    ['-RA R22L/CLRD70', 'WET', 'GOOD'],
    ['SN R22L/010095', 'DRY_SNOW', 'MEDIUM'],
    ['R99/690650', 'SLUSH', 'MEDIUM_TO_POOR'],
  ])('A dry or cleared runway stays so until rain or snow, %s: %s and %s', (groups, dispatch, enroute) => {
    const [first = '', ...rest] = groups.split(' ');
    const weather = rest.length > 0 ? `${first} ` : '';
    expect(condition(`9999 ${weather}M05/M06 Q1010 ${rest[0] ?? first}`)).toEqual([dispatch, enroute]);
  });

  test.each([
    ['9999 // 12/08', true],
    ['9999 12/08 Q1010 R22L///////', true],
    ['9999 12/08 A2990 RMK AO2 PWINO', true],
    ['9999 12/08 Q1010 R22L/CLRD70', false],
    ['9999 // 12/08 Q1010 R22L/290250', false],
    ['9999 12/08', false],
  ])('For %s dry is assumed, %s', (groups, expected) =>
    expect(runwayCondition(report(groups), '22L').isAssumed).toBe(expected),
  );

  test('Very cold compacted snow, closed runways and contradictions are recognised', () => {
    expect(condition('9999 M16/M18 Q1010 R22L/890250')).toEqual(['COMPACTED_SNOW', 'GOOD_TO_MEDIUM']);
    expect(condition('9999 M06/M08 Q1010 R/SNOCLO')).toEqual([null, null]);
    expect(condition('1000 +SN M06/M08 Q1010 R22L/800355')).toEqual(['DRY_SNOW', 'MEDIUM']);
  });
});

describe('icing (M-2.11.r15)', () => {
  test.each([
    ['9999 -RA 10/08', true],
    ['9999 -RA 11/08', false],
    ['0300 FG 05/05', true],
    ['9999 MIFG 05/05', false],
    ['3000 BR 05/05', false],
    ['9999 VCSH 05/02', false],
    ['CAVOK 05/02', false],
    ['CAVOK 05/02 Q1010 R22L/290250', true],
    ['9999 -RA', false],
  ])('%s: %s', (groups, expected) => expect(isIcing(groups)).toBe(expected));
});
