/** Wordings once misread, each with everything that may be applied. */
import { describe, expect, test } from 'vitest';
import { describeEffect } from './describe.ts';
import { readEffects } from './effects.ts';
import type { EffectInput } from './effects.ts';

const read = (text: string, qCode: string, more: Partial<EffectInput> = {}) => {
  const { effects, flags } = readEffects({
    text,
    qCode,
    location: 'XXAA',
    hasSchedule: false,
    isFeet: false,
    ...more,
  });
  const applied = effects.filter((effect) => effect.condition === undefined).map(describeEffect);
  return { applied, effects, flags };
};

const all = (runway: string, values: readonly [number, number, number, number]) =>
  (['TORA', 'TODA', 'ASDA', 'LDA'] as const).map((kind, i) => `${kind} ${runway} ${values[i]} m`);
const closed = (...runways: string[]) => runways.map((runway) => `runway ${runway} closed`);

describe('declared distances', () => {
  const list = all('27L', [2_500, 2_600, 2_550, 2_200]);

  test.each<[string, string[]]>([
    ['RWY 27L TORA/TODA/ASDA/LDA 2500/2600/2550/2200M', list],
    ['RWY 27L TORA/TODA/ASDA/LDA 2500M/2600M/2550M/2200M', list],
    ['RWY 27L TORA TODA ASDA LDA: 2500 2600 2550 2200', list],
    ['RWY 27 L TORA 2500M TODA 2600M ASDA 2550M LDA 2200M', list],
    ['RWY - TORA - TODA - ASDA - LDA\n27L - 2500 - 2600 - 2550 - 2200', list],
    [
      'RWY TORA TODA ASDA LDA\n27L 2500 2600(1.9) 2550 -\n09R - - - 2100',
      [...list.slice(0, 3), 'LDA 09R 2100 m'],
    ],
    ['RWY 27L TORA, TODA, ASDA AND LDA 2500M, 2600M, 2550M AND 2200M', list],
    ['RWY 27L TORA (M) TODA (M) ASDA (M) LDA (M) 2500 2600 2550 2200', list],
    ['TORA(M) TODA(M) ASDA(M) LDA(M) RWY 27L 2500 2600 2550 2200', list],
    [
      'RWY TORA(FT) TODA(FT) ASDA(FT) LDA(FT) 08 5000 5000 5000 4000',
      all('08', [1_524, 1_524, 1_524, 1_219.2]),
    ],
    [
      'DECLARED DISTANCES: RWY TORA(M) TODA(M) ASDA(M) LDA(M) 08 1133 1133 1133 649 26 1133 1133 1133 1133',
      [...all('08', [1_133, 1_133, 1_133, 649]), ...all('26', [1_133, 1_133, 1_133, 1_133])],
    ],
    ['RWY 09R/27L LDA 2500/2200M', ['LDA 09R 2500 m', 'LDA 27L 2200 m']],
    ['LDA RWY 09R 2500M, RWY 27L 2200M', ['LDA 09R 2500 m', 'LDA 27L 2200 m']],
    ['RWY 27L LDA 3000M CHANGED TO 2700M', ['LDA 27L 2700 m']],
    ['LDA RWY 27L 3000M CHANGED TO 2700M', ['LDA 27L 2700 m']],
    ['RWY 27L LDA REDUCED FROM 3000M TO 2700M', ['LDA 27L 2700 m']],
    ['RWY 27L LDA 2700M INSTEAD OF 3000M', ['LDA 27L 2700 m']],
    ['RWY 27L LDA 2700M (8858FT)', ['LDA 27L 2700 m']],
    ['RWY 27L LDA 2,700M', ['LDA 27L 2700 m']],
    ['NEW LDA RWY 27L 2700M, OLD LDA 2200M', ['LDA 27L 2700 m']],
    ['RWY 27L LANDING DISTANCE AVAILABLE (LDA) REDUCED TO 2700M', ['LDA 27L 2700 m']],
    ['LDA: RWY 09R 2500M; RWY 27L 2200M', ['LDA 09R 2500 m', 'LDA 27L 2200 m']],
    [
      'RWY 09L/27R: TORA 2500/2400M, LDA 2300/2200M',
      ['TORA 09L 2500 m', 'TORA 27R 2400 m', 'LDA 09L 2300 m', 'LDA 27R 2200 m'],
    ],
    ['THR 09L MOVED. LDA 2200M', ['LDA 09L 2200 m']],
    ['RWY 04R TORA 10000FT LDA 8809FT', ['TORA 04R 3048 m', 'LDA 04R 2685 m']],
    ['RWY TODA 11 3444(2.13 ) 36 1584(1.33 )', ['TODA 11 3444 m', 'TODA 36 1584 m']],
    ['RWY TODA 05 3204(2.64) 23 3208(3.08) AMD ENR SUP', ['TODA 05 3204 m', 'TODA 23 3208 m']],
    [
      'RWY TORA TODA ASDA LDA 32 1854(6082) 1914(6279)(1.60) 1854(6082) 1794(5885) 14 1794(5885) 1854(6082)(3.27) 1794(5885) 1794(5885) SUPPLEMENTARY TKOF DISTANCES RWY32- NIL RWY14- 1749(5738)(1.6) 1781(5843)(1.9)',
      [...all('32', [1_854, 1_914, 1_854, 1_794]), ...all('14', [1_794, 1_854, 1_794, 1_794])],
    ],
    ['RWY 27L LDA 8858(2700)', ['LDA 27L 2699.9 m']],
  ])('Values and names are paired by number: %s', (text, effects) => {
    expect(read(text, 'QMDCH').applied.sort()).toEqual([...effects].sort());
  });

  test.each([
    'RWY 27L TORA/TODA/LDA 2500/2600M',
    'RWY 27L LDA 2500/2600M',
    'RWY 09R/27L TORA/LDA 2500/2200M',
    'RWY 09R/27L TORA/TODA/LDA 2500/2200M',
    'RWY SLOPE TORA TODA ASDA LDA 09 0.5 2500 2600 2550 2200',
    'RWY LENGTH TORA TODA ASDA LDA 09 2600 2500 2600 2550 2200',
    'TORA TODA ASDA LDA 09 2500 2600 2550',
    'RWY TORA TODA ASDA LDA 16R 1439 1529 (2.4) 1469 34L - - - 1493',
    'RWY TORA TODA ASDA LDA 32 1854(6082) 1794(5885)',
    'RWY TORA TODA ASDA LDA 32 1854(6082)',
    'RWY 27L LDA 2700(2200)',
    'RWY 09 2500M TORA 2200M LDA',
    'RWY 06 LDA 1200M, RWY 24 850M',
    'RWY 27L LDA REDUCED BY 300M',
    'RWY 09L/27R CRANE 300M FROM THR 09L: LDA 2200M',
    'RWY 09/27 DECLARED DISTANCES: LDA 2500M RWY 09, LDA 2200M RWY 27',
    'RWY 09/27 LDA 2500M FOR RWY 09 AND 2200M FOR RWY 27',
    'RWY 09/27 IN USE. LDA 2200M',
    'RWY 27L LDA 26000M',
    'START POINT RWY 15 (LDA 1885M) NOT AVBL',
  ])('Where the numbers do not match nothing is applied: %s', (text) => {
    const { applied, flags } = read(text, 'QMDCH');
    expect(applied).toEqual([]);
    expect(flags).not.toEqual([]);
  });

  test.each([
    'RWY 27L LDA 2200M WHEN CRANE OPR',
    'RWY 27L LDA 2200M AT NIGHT',
    'RWY 27L LDA 2200M DAILY 0800-1000',
  ])('A distance with a condition is not applied: %s', (text) => {
    const { applied, effects, flags } = read(text, 'QMDCH');
    expect(applied).toEqual([]);
    expect(effects).toHaveLength(1);
    expect(flags).not.toEqual([]);
  });
});

describe('closure qualifiers', () => {
  test.each([
    ['QFALC', 'AP CLSD V-22 VTOL'],
    ['QFALC', 'AD AP CLSD TRANSIENT GA ACFT'],
    ['QMRLC', 'RWY 07/25 CLSD GLIDERS'],
    ['QMRLC', 'RWY 07/25 CLSD, V-22'],
    ['QMRLC', 'RWY 07/25 CLSD JETS'],
    ['QMRLC', 'RWY 07/25 CLSD STUDENTS'],
    ['QMRLC', 'RWY 07/25 CLSD SINGLE ENG ACFT'],
    ['QMRLC', 'RWY 07/25 CLSD FOR INTERSECTION TAKEOFF'],
    ['QMRLC', 'RWY 07/25 CLSD FOR TKOF FM INTERSECTION A'],
    ['QMRLC', 'RWY 07/25 CLSD FOR LDG CAT II/III'],
    ['QMRLC', 'RWY 07/25 CLSD TO A380'],
    ['QMRLC', 'RWY 07/25 CLSD SOMETHING NEW'],
    ['QMRLC', 'RWY 07/25 CLSD FOR MAINT OF CODE E ACFT STANDS'],
    ['QMRLC', 'RWY 07/25 CLSD WIP ON NORTH SIDE'],
    ['QMRLC', 'PISTE 09/27 FERMEE AUX PLANEURS'],
    ['QFALC', 'AD CLSD TO NON-SKED TFC'],
    ['QMRLC', 'RWY 02/20 CLSD FOR ALL ACFT OTHER THAN THOSE WITH WRITTEN AUTHORISATION'],
    ['QMRLC', 'PISTE 09/27 FERMÉE POUR TRAVAUX'],
    ['QMRLC', 'PISTA 07L/25R Y 07R/25L CERRADAS POR OBRAS'],
    ['QMRLC', 'CERRADA PISTA 18/36'],
    ['QFALC', 'AERODROME FERME AU TRAFIC AERIEN'],
    ['QAECD', 'AEROPUERTO CERRADO'],
    ['QOBCE', 'AEROPUERTO CERRADO'],
  ])(
    'A qualification or closure that is not understood is flagged and never closes: %s %s',
    (qCode, text) => {
      const { effects, flags } = read(text, qCode);
      expect(effects).toEqual([]);
      expect(flags).not.toEqual([]);
    },
  );
});

describe('closures', () => {
  test.each<[string, string, string[]]>([
    ['QAECD', 'XXAA CTA, CTR, ATZ DEACTIVATED, AD CLSD, NO ATC SERVICE AVBL', ['aerodrome closed']],
    ['QAECD', 'CTA, ATZ, DEACTIVATED AD CLSD.', ['aerodrome closed']],
    ['QFALC', 'AD CLSD FOR ESSENTIAL MAINT', ['aerodrome closed']],
    ['QFALC', 'AD CLSD FOR LDG/TKOF TO ALL FLTS', ['aerodrome closed']],
    ['QFALC', 'AD CLSD TO ALL CIV FLTS', ['aerodrome closed']],
    ['QFALC', 'AIRSTRIP CLSD', ['aerodrome closed']],
    ['QMRLC', 'RWY 16/34 ASPHALT AND 16/34 GRASS CLOSED', closed('16', '34')],
    ['QMRLT', 'RWY 28R AVAILABLE FOR DEPARTURES ONLY', ['runway 28R closed for landing']],
    ['QMRLC', 'NEITHER RWY 08R/26L OR 08L/26R WILL BE AVBL', closed('08R', '26L', '08L', '26R')],
    ['QMRLC', 'NEITHER RWY 09/27 NOR RWY 13/31 AVBL', closed('09', '27', '13', '31')],
    [
      'QMRLC',
      'RWY 18 CLSD FOR TKOF, RWY 36 CLSD FOR LDG',
      ['runway 18 closed for take-off', 'runway 36 closed for landing'],
    ],
    ['QMRLC', 'RWY ALL CLSD', ['all runways closed']],
    ['QMRLC', 'TWY A AND RWY 09/27 CLSD', closed('09', '27')],
    ['QMRLC', 'RWY 09/27 CLSD FOR PERIODIC MAINT OF AGL', closed('09', '27')],
    ['QMRLT', 'RWY 27 NOT TO BE USED FOR LDG', ['runway 27 closed for landing']],
    ['QMRLC', 'RWY 04 CLSD EXC TKOF AND TAX', ['runway 04 closed for landing']],
    ['QMRLC', 'RWY 04 CLSD EXC FOR LDG', ['runway 04 closed for take-off']],
    ['QMRLC', 'RWY 05L/R CLSD', closed('05L', '05R')],
    ['QMRLC', 'BOTH RWYS CLSD', ['all runways closed']],
    ['QMRLC', 'AERODROME RWY 02/20 CLOSED', closed('02', '20')],
    ['QMRLC', 'CAUTION: RWY 18/36 CLOSED', closed('18', '36')],
    ['QMRLC', 'RWY 18/36 CLSD CTN MEN AND EQPT ON RWY', closed('18', '36')],
    ['QMRLC', 'RWY 18/36 CLSD DUE TO MAINT RMK: EXCEPT CROSS RWY', closed('18', '36')],
    ['QMRLC', 'RWY 18/36 CLSD,AVBL FOR ACFT CROSSING FM TWY B,C TO TWY L', closed('18', '36')],
    ['QMRLC', 'RWY 05/23 CLSD DEBIDO A MAINT', closed('05', '23')],
    ['QMRLC', 'RWY 05/23 CLSD POUR TRAVAUX', closed('05', '23')],
    [
      'QMRLC',
      'RWY 04/22 CLSD DUE WIP (CIV WORKS, WIRING AT TWY H AND JUNCTION FM RWY TO TWY J)',
      closed('04', '22'),
    ],
    ['QMRLC', 'THR 05 DISPLACED, RWY 05: LANDING NOT AUTH', ['runway 05 closed for landing']],
    [
      'QMRLC',
      'INT DEP FM TWY B10 RWY REMAINING 1439M DEP FM RWY 34L NOT AVBL',
      ['runway 34L closed for take-off'],
    ],
  ])('A closure in other wording is found: %s %s', (qCode, text, effects) => {
    expect(read(text, qCode).applied).toEqual(effects);
  });

  test.each<[string, string[]]>([
    ['RWY 07 CLOSED FIRST 1,500 FT', ['first 457.2 m of 07 closed', 'last 457.2 m of 25 closed']],
    ['RWY 09/27 WEST 1230FT CLSD', ['first 374.9 m of 09 closed', 'last 374.9 m of 27 closed']],
    ['RWY 07/25 CLOSED FIRST 1,500 FT', []],
  ])('A closed part shortens the runway and does not close it: %s', (text, effects) => {
    const { applied, flags } = read(text, 'QMRLC');
    expect(applied).toEqual(effects);
    expect(flags).not.toEqual([]);
  });

  test.each([
    'TWY A BTN TWY B AND RWY 09/27 CLSD',
    'TWY A, TWY B BTN TWY C AND RWY 09/27 CLSD',
    'INTERSECTION TWY A AND RWY 09/27 CLSD',
    'RWY 09/27 AND TWY A INT CLSD',
    'RWY 09/27 TWY A XNG CLSD',
    'RWY 09/27 STRIP CLSD',
    'RWY 09/27 SHOULDERS CLSD',
  ])('A runway named beside the closed object stays open: %s', (text) => {
    expect(read(text, 'QMRLC').applied.filter((each) => each.startsWith('runway'))).toEqual([]);
  });

  test.each([
    'FROM 2230-2240 AND 0550-0600 NEITHER RWY 08R/26L OR 08L/26R WILL BE AVBL',
    'RWY 28R AVAILABLE FOR DEPARTURES ONLY DURING OPERATIONAL HOURS',
    'RWY 09/27 CLSD AT NIGHT',
    'RWY 09/27 CLSD DAILY',
    'RWY 09/27 CLSD 12-14 MAY',
    'RWY 09/27 CLSD UNTIL 1200',
    'AD CLSD FOR ESSENTIAL MAINT 2359-0600',
    'RWY 09/27 CLSD DUE TO WIP BTN TWY A AND B',
    'RWY 09/27 CLSD EXC ACFT WITH WINGSPAN LESS THAN 36M',
    'RWY 05 AVBL FOR TKOF DRG DAY AND NIGHT, LDG NOT AUTH',
    'WHEN CRANE ERECTED, RWY 05: LDG NOT AUTH',
    'RWY 09/27 CLSD. SKED CARRIERS: EXEMPTIONS ARE GRANTED BY THE OPERATOR',
  ])('A closure with unknown times or traffic is not applied: %s', (text) => {
    const { applied, flags } = read(text, 'QMRLC');
    expect(applied).toEqual([]);
    expect(flags).not.toEqual([]);
  });
});

describe('closed parts and thresholds', () => {
  test.each<[string, string[]]>([
    [
      'RWY 18 CLSD FOR TKOF AND LDG OF THE FIRST 600M',
      ['first 600 m of 18 closed', 'last 600 m of 36 closed'],
    ],
    ['RWY 18 CLOSED LAST 600M', ['last 600 m of 18 closed', 'first 600 m of 36 closed']],
    ['THR02R IS DISPLACED 243M', ['threshold 02R displaced by 243 m']],
    ['RWY 14R DTHR 300M', ['threshold 14R displaced by 300 m']],
    ['DTHR RWY 14R 300M', ['threshold 14R displaced by 300 m']],
    ['RWY 14 R DISP THR BY 300M', ['threshold 14R displaced by 300 m']],
    ['RWY 14R THR DISPL 300M', ['threshold 14R displaced by 300 m']],
  ])('%s', (text, applied) => {
    expect(read(text, 'QMRXX').applied).toEqual(applied);
  });

  test('A threshold given only as a position displaces nothing', () => {
    expect(read('RWY 36 USABLE FOR TKOF UP TO THE OPPOSITE DTHR', 'QMRXX').applied).toEqual([]);
    expect(read('RWY 07/25 CLSD TO JET ACFT ABOVE 50000KG', 'QMRLC')).toMatchObject({
      applied: [],
      flags: [expect.stringContaining('JET') as string],
    });
  });
});
