import { describe, expect, test } from 'vitest';
import { standardDispatchConditions, standardEnrouteConditions } from '../../aircraft/rcam.ts';
import { isReject, parseNotam } from '../../notam/parse.ts';
import { conditionOfReport, officialFor, officialReports } from '../../notam/surface/official.ts';
import { readReport } from '../../weather/report.ts';
import { runwayCondition } from '../../weather/runway-condition.ts';
import { dispatchForm, enrouteForm, missingDepthMm, surfaceOf, surfaceOfWords } from './condition.ts';
import type { KnownCondition } from '../../weather/condition-names.ts';

const at = new Date('2026-02-17T03:00:00Z');

/** The surface of a SNOWTAM whose thirds are alike, `3 100 03 WET SNOW`. */
const ofSnowtam = (third: string): KnownCondition | null => {
  const [code = '', percent = '', depth = '', ...words] = third.split(' ');
  const line = [code, percent, depth, words.join(' ')].map((part) => Array(3).fill(part).join('/')).join(' ');
  const notam = parseNotam(`SWED0015 EDDM 02170210\n(SNOWTAM 0015\nEDDM\n02170210 08L ${line})`, at);
  if (isReject(notam)) throw new Error(notam.reason);
  const official = officialFor(officialReports([{ ...notam, id: 1 }], at, null), '08L');
  return official && surfaceOf(conditionOfReport(official));
};
const ofMetar = (group: string, temperature = 'M05/M06'): KnownCondition | null =>
  surfaceOf(
    runwayCondition(
      readReport(`METAR EDDM 170250Z 08005KT 9999 ${temperature} Q1013 ${group}`, 'METAR'),
      '08L',
    ),
  );
/** State and depth in mm of a landing, and of a takeoff where it differs. */
const formsOf = (surface: KnownCondition | null) => {
  const [landing, takeoff] = (['landing', 'takeoff'] as const).map((use) => {
    const { state, depth } = dispatchForm(surface, use);
    return `${state} ${depth}`;
  });
  return landing === takeoff ? landing : `${landing}, ${takeoff}`;
};

describe('surface at dispatch and for takeoff', () => {
  test.each([
    ['6 NR NR DRY', 'DRY 0'],
    ['5 100 NR WET', 'WET 0'],
    ['5 100 03 WET SNOW', 'WET_SNOW 3'],
    ['5 100 NR DRY SNOW', 'DRY_SNOW 3'],
    ['4 100 NR COMPACTED SNOW', 'COMPACTED_SNOW 0'],
    ['4 100 NR SPECIALLY PREPARED WINTER RUNWAY', 'COMPACTED_SNOW 0'],
    ['3 100 05 DRY SNOW', 'DRY_SNOW 5'],
    ['3 100 NR WET SNOW', 'WET_SNOW 4, WET_SNOW 13'],
    ['2 100 04 STANDING WATER', 'STANDING_WATER 4'],
    ['1 100 NR ICE', 'ICE 0'],
  ])('A report whose code matches its contaminant is used unchanged: %s', (third, expected) =>
    expect(formsOf(ofSnowtam(third))).toBe(expected),
  );

  test.each([
    ['3 100 03 DRY SNOW ON TOP OF COMPACTED SNOW', 'SLIPPERY_WET 0'],
    ['4 100 03 DRY SNOW', 'COMPACTED_SNOW 0'],
    ['2 100 03 WET SNOW', 'ICE 0'],
    ['1 100 NR COMPACTED SNOW', 'ICE 0'],
    ['3 100 NR COMPACTED SNOW', 'SLIPPERY_WET 0'],
    ['3 100 NR SLIPPERY WET', 'SLIPPERY_WET 0'],
    ['2 100 NR SLIPPERY WET', 'ICE 0'],
    ['3 100 NR WET', 'SLIPPERY_WET 0'],
    ['1 100 15 WET SNOW', 'ICE 0'],
    // Their drag has more effect than the ice.
    ['1 100 30 WET SNOW', 'ICE 0, WET_SNOW 30'],
    ['1 100 08 SLUSH', 'ICE 0, SLUSH 8'],
  ])('A code worse than that of the contaminant applies: %s', (third, expected) =>
    expect(formsOf(ofSnowtam(third))).toBe(expected),
  );

  test.each([
    ['R08L/890091', 'ICE 0'],
    ['R08L/890093', 'SLIPPERY_WET 0'],
    ['R08L/890250', 'COMPACTED_SNOW 0'],
    ['R08L/490292', 'ICE 0'],
    ['R08L/490593', 'DRY_SNOW 5'],
    ['R08L/010035', 'SLIPPERY_WET 0'],
    ['R08L/290550', 'STANDING_WATER 5'],
  ])('Braking action or friction from a METAR applies likewise: %s', (group, expected) =>
    expect(formsOf(ofMetar(group))).toBe(expected),
  );

  test('Heavy rain without a reported braking action makes the runway wet', () => {
    expect(formsOf(ofMetar('RMK NIL', '12/08'))).toBe('DRY 0');
    expect(
      formsOf(surfaceOf(runwayCondition(readReport('EDDM 170250Z 08005KT 3000 +RA 12/08', 'METAR'), '08L'))),
    ).toBe('WET 0');
  });

  test('A deposit of less than a millimetre has the minimum depth of a calculation', () => {
    expect(formsOf(ofMetar('R08L/490050'))).toBe('DRY_SNOW 0.1');
    expect(formsOf(ofSnowtam('5 100 00 SLUSH'))).toBe('SLUSH 0.1');
  });

  test.each([
    ['3/3/3', 'SLIPPERY_WET 0'],
    ['medium', 'SLIPPERY_WET 0'],
    ['medium to good', 'COMPACTED_SNOW 0'],
    ['compacted snow', 'COMPACTED_SNOW 0'],
    ['2', 'ICE 0'],
  ])('The surface of a plan with %s is no better than stated', (words, expected) =>
    expect(formsOf(surfaceOfWords(words))).toBe(expected),
  );

  test('In flight only the code applies', () => {
    expect(enrouteForm(ofSnowtam('2 100 03 WET SNOW'))).toEqual({ state: 'MEDIUM_TO_POOR', depth: 0 });
    expect(enrouteForm(ofMetar('R08L/890091'))).toEqual({ state: 'POOR', depth: 0 });
  });
});

test('A deposit without depth gets the assumed depth, and a surface without a layer needs none', () => {
  for (const state of ['STANDING_WATER', 'SLUSH', 'WET_SNOW', 'DRY_SNOW'])
    expect((['arrival', 'landing', 'takeoff'] as const).map((use) => missingDepthMm(state, 0, use))).toEqual([
      4, 4, 13,
    ]);
  expect(missingDepthMm('SLUSH', 3, 'takeoff')).toBeNull();
  for (const state of ['DRY', 'GOOD', 'ICE', 'COMPACTED_SNOW'])
    expect(missingDepthMm(state, 0, 'landing')).toBeNull();
});

test('Every condition derived from a METAR can be calculated, since an unreported depth is assumed', () => {
  const dispatch = new Map(standardDispatchConditions().map((row) => [row.value, row]));
  const enroute = standardEnrouteConditions().map(({ value }) => value);
  const groups = ['-RASN', 'SN', 'PL', '+RA', 'FZRA', ''].map((weather) => `${weather} M05/M06 Q1013`);
  for (const [deposit, coverage] of '0123456789/'
    .split('')
    .flatMap((one) => '0159/'.split('').map((two) => [one, two])))
    for (const depth of ['//', '00', '03', '10', '20', '90', '92', '98', '99'])
      for (const braking of ['//', '22', '91', '95'])
        groups.push(`M05/M06 Q1013 R08L/${deposit}${coverage}${depth}${braking}`);
  const wrong = groups.flatMap((group) => {
    const surface = surfaceOf(
      runwayCondition(readReport(`EDDM 170250Z 08005KT 9999 ${group}`, 'METAR'), '08L'),
    );
    const forms = [dispatchForm(surface, 'landing'), dispatchForm(surface, 'takeoff')].filter(
      ({ state, depth }) => {
        const row = dispatch.get(state ?? '');
        return (
          state !== null &&
          (!row || depth < row.minDepthMm || depth > Math.max(row.maxDepthMm, surface?.depthMm ?? 0))
        );
      },
    );
    const { state } = enrouteForm(surface);
    return forms.length > 0 || (state !== null && !enroute.includes(state)) ? [group] : [];
  });
  expect(wrong).toEqual([]);
  expect(groups.length).toBeGreaterThan(1_500);
});

test.each(['R08L/290222', 'R08L/010022', 'R08L/CLRD22', 'R08L/////22', 'R08L/1/0025', 'R88/290019'])(
  'A poor friction coefficient is never good or dry: %s',
  (group) => expect(enrouteForm(ofMetar(group, '12/08')).state).toBe('POOR'),
);

test.each(['0.22', '.22', 'mu 22', 'friction 0.22', 'crfi .22', 'good 0.22', 'dry, friction .25'])(
  'A friction coefficient in the plan’s words applies: %s',
  (words) => expect(surfaceOfWords(words)?.code).toBe(1),
);

test('A good friction coefficient improves no surface', () => {
  expect(surfaceOfWords('wet 0.45')?.code).toBe(5);
  expect(surfaceOfWords('compacted snow 0.45')?.code).toBe(3);
  expect(surfaceOfWords('0.45')?.code).toBe(5);
});
