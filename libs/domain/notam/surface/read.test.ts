import { describe, expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { isReject, parseNotam, parseNotamTexts } from '../parse.ts';
import { codeOfDeposits } from './contaminants.ts';
import { codesText, officialFor, officialReports, officialText } from './official.ts';
import { readSurface } from './read.ts';
import type { SurfaceReport } from './report.ts';

const now = new Date('2026-02-17T03:00:00Z');

const reportsOf = (raw: string, at = now): SurfaceReport[] => {
  const notam = parseNotam(raw, at);
  if (isReject(notam)) throw new Error(notam.reason);
  const { reports, unread } = readSurface(notam);
  expect([raw, unread]).toEqual([raw, []]);
  return reports;
};

/** `5 30% 13 WET_SNOW + 20% ICE` per third: code, `!` when computed, coverage, mm, contaminant. */
const shown = ({ thirds }: SurfaceReport): string[] =>
  thirds.map(({ code, isCodeReported, deposits }) =>
    [
      `${code}${isCodeReported ? '' : '!'}`,
      deposits
        .map(({ coveragePercent, depthMm, contaminant }) =>
          [coveragePercent === null ? '' : `${coveragePercent}%`, depthMm ?? '', contaminant]
            .filter((part) => part !== '')
            .join(' '),
        )
        .join(' + '),
    ]
      .join(' ')
      .trim(),
  );

const faa = (words: string): string =>
  `!ORD 02/123 ORD RWY 10L FICON ${words} OBS AT 2602170230. 2602170235-2602180230`;
const same = (third: string): string[] => [third, third, third];

describe('FICON', () => {
  test.each([
    ['5/5/5 100 PCT WET', same('5 100% WET')],
    ['3/3/3 SLIPPERY WHEN WET', same('3 SLIPPERY_WET')],
    ['10 PCT WET', same('5! 10% WET')],
    ['30 PCT WET, DRY, DRY', ['5! 30% WET', '6! DRY', '6! DRY']],
    [
      '5/3/3 25 PCT 1/8IN DRY SN, 50 PCT 1/2IN DRY SN, 100 PCT 1 1/2IN DRY SN',
      ['5 25% 3 DRY_SNOW', '3 50% 13 DRY_SNOW', '3 100% 38.1 DRY_SNOW'],
    ],
    ['2/2/2 60 PCT 1/4IN SLUSH', same('2 60% 6.4 SLUSH')],
    ['1/1/1 50 PCT ICE AND 50 PCT 1/8IN WET SN', same('1 50% ICE + 50% 3 WET_SNOW')],
    ['3/3/3 100 PCT 1IN DRY SN OVER COMPACTED SN', same('3 100% 25.4 DRY_SNOW_ON_COMPACTED_SNOW')],
    ['0/0/0 100 PCT WET ICE', same('0 100% WET_ICE')],
    ['0/0/0 90 PCT 1/2IN WET SN OVER ICE', same('0 90% 13 WET_SNOW_ON_ICE')],
    ['3/3/3 100 PCT COMPACTED SN SANDED DEICED LIQUID', same('3 100% COMPACTED_SNOW')],
    ['5/5/5 100 PCT 1/8IN WET SN PLOWED 100FT WIDE REMAINDER 2IN WET SN', same('5 100% 3 WET_SNOW')],
    ['5/5/5 75 PCT FROST', same('5 75% FROST')],
    ['4/4/4 100 PCT SPECIALLY PREPARED WINTER RWY', same('4 100% SPECIALLY_PREPARED_WINTER_RUNWAY')],
    ['2/2/2 40 PCT 1/4IN STANDING WATER', same('2 40% 6.4 STANDING_WATER')],
    ['5/5/5 100 PCT 1/8IN SLUSH', same('5 100% 3 SLUSH')],
    // A missing code follows from the depth: up to 1/8 inch is thin.
    ['100 PCT 1/8IN SLUSH', same('5! 100% 3 SLUSH')],
    ['100 PCT 1/4IN SLUSH', same('2! 100% 6.4 SLUSH')],
    ['6/6/6', same('6')],
  ])('The report is read by thirds: %s', (words, expected) => {
    const [report] = reportsOf(faa(words));
    expect(report).toMatchObject({
      format: 'FICON',
      runways: ['10L', '28R'],
      observedAt: '2026-02-17T02:30:00.000Z',
    });
    expect(report && shown(report)).toEqual(expected);
  });

  test('A text that is not understood is named, and nothing is guessed from it', () => {
    const notam = parseNotam(faa('100 PCT GREEN SLIME'), now);
    if (isReject(notam)) throw new Error(notam.reason);
    expect(readSurface(notam)).toEqual({
      reports: [],
      unread: ['RWY 10L FICON 100 PCT GREEN SLIME OBS AT 2602170230'],
    });
    expect(reportsOf(faa('1/1/1 100 PCT GREEN SLIME')).map(codesText)).toEqual(['1/1/1']);
  });

  test('All FAA and NAV CANADA texts are read', () => {
    const data = sharedData('notam');
    const texts = data.lines('ficon.jsonl').map((text) => (JSON.parse(text) as { raw: string }).raw);
    const reports = texts.flatMap((raw) => reportsOf(raw, new Date('2025-12-25T14:00:00Z')));
    expect(texts).toHaveLength(data.either(22, 6));
    expect(reports).toHaveLength(texts.length);
    expect(reports.filter(({ format }) => format === 'FICON').map(shown)[0]).toEqual(same('5 100% WET'));
    expect(reports.filter(({ format }) => format === 'RSC').map(shown)).toEqual([
      same('3! 100% 13 DRY_SNOW_ON_COMPACTED_SNOW'),
      same('3! 100% 13 DRY_SNOW'),
    ]);
    expect(reports.find(({ format }) => format === 'RSC')).toMatchObject({
      runways: ['10', '28'],
      observedAt: '2023-04-10T14:15:00.000Z',
    });
  });
});

const snowtam = (lines: string): string => `SWED0015 EDDM 02170210\n(SNOWTAM 0015\nEDDM\n${lines})`;

describe('SNOWTAM', () => {
  test.each([
    ['02170210 08L 5/5/5 100/100/100 NR/NR/NR WET/WET/WET', same('5 100% WET')],
    [
      '02170135 08L 5/2/2 100/50/75 NR/06/06 WET/SLUSH/SLUSH',
      ['5 100% WET', '2 50% 6 SLUSH', '2 75% 6 SLUSH'],
    ],
    [
      '02170225 08L 2/3/3 75/100/100 06/12/12 SLUSH/WET SNOW/WET SNOW',
      ['2 75% 6 SLUSH', '3 100% 12 WET_SNOW', '3 100% 12 WET_SNOW'],
    ],
    ['02170210 08L 6/6/6', same('6')],
    [
      '02170210 08L 1/1/0 100/100/100 NR/NR/NR ICE/ICE/WET ICE',
      ['1 100% ICE', '1 100% ICE', '0 100% WET_ICE'],
    ],
    [
      '02170210 08L 4/4/4 100/100/100 NR/NR/NR COMPACTED SNOW/COMPACTED SNOW/COMPACTED SNOW',
      same('4 100% COMPACTED_SNOW'),
    ],
    [
      '02170210 08L 3/3/3 50/50/50 20/20/20 DRY SNOW ON TOP OF COMPACTED SNOW/DRY SNOW ON TOP OF COMPACTED SNOW/DRY SNOW',
      ['3 50% 20 DRY_SNOW_ON_COMPACTED_SNOW', '3 50% 20 DRY_SNOW_ON_COMPACTED_SNOW', '3 50% 20 DRY_SNOW'],
    ],
    [
      '02170210 08L 2/2/2 50/75/75 04/05/05 STANDING WATER/STANDING WATER/STANDING WATER',
      ['2 50% 4 STANDING_WATER', '2 75% 5 STANDING_WATER', '2 75% 5 STANDING_WATER'],
    ],
    ['02170210 08L 5/5/6 25/25/NR NR/NR/NR FROST/FROST/NR', ['5 25% FROST', '5 25% FROST', '6']],
    [
      '02170210 08L 3/3/3 100/100/100 NR/NR/NR SLIPPERY WET/SLIPPERY WET/SLIPPERY WET',
      same('3 100% SLIPPERY_WET'),
    ],
    [
      '02170210 08L 0/0/0 100/100/100 NR/NR/NR WATER ON TOP OF COMPACTED SNOW/WET SNOW ON TOP OF ICE/DRY SNOW ON TOP OF ICE',
      ['0 100% WATER_ON_COMPACTED_SNOW', '0 100% WET_SNOW_ON_ICE', '0 100% DRY_SNOW_ON_ICE'],
    ],
    [
      '02170210 08L 4/4/4 100/100/100 NR/NR/NR SPECIALLY PREPARED WINTER RUNWAY/SPECIALLY PREPARED WINTER RUNWAY/SPECIALLY PREPARED WINTER RUNWAY',
      same('4 100% SPECIALLY_PREPARED_WINTER_RUNWAY'),
    ],
  ])('The report is read by thirds: %s', (line, expected) => {
    const [report] = reportsOf(snowtam(line));
    expect(report).toMatchObject({ format: 'SNOWTAM', runways: ['08L', '26R'] });
    expect(report && shown(report)).toEqual(expected);
  });

  test('A SNOWTAM has one line per runway, and remarks after them', () => {
    const raw = snowtam(
      [
        '02170210 08L 5/5/5 100/100/100 NR/NR/NR WET/WET/WET',
        '02170150 08R 3/3/3 100/100/100 08/08/08 WET SNOW/WET SNOW/WET SNOW',
        '',
        'RWY 08L SNOWBANK R20 FM CL. TWY B POOR. APRON NORTH POOR',
      ].join('\n'),
    );
    expect(reportsOf(raw).map((report) => [report.runways[0], report.observedAt, ...shown(report)])).toEqual([
      ['08L', '2026-02-17T02:10:00.000Z', ...same('5 100% WET')],
      ['08R', '2026-02-17T01:50:00.000Z', ...same('3 100% 8 WET_SNOW')],
    ]);
  });

  test('A SNOWTAM is found in a file among NOTAM, valid for eight hours, with the year nearest to now', () => {
    const texts = `${faa('5/5/5 100 PCT WET')}\n\n${snowtam('12312350 08L 5/5/5')}\n\n${faa('6/6/6').replace('123', '124')}\n`;
    const { records, rejects } = parseNotamTexts(texts, new Date('2026-01-01T00:30:00Z'));
    expect(rejects).toEqual([]);
    expect(records.map(({ number }) => number)).toEqual(['02/123', 'SNOWTAM 0015', '02/124']);
    expect(records[1]).toMatchObject({
      key: 'EDDM:2025:SNOWTAM 0015',
      airports: ['EDDM'],
      fromUtc: '2025-12-31T23:50:00.000Z',
      toUtc: '2026-01-01T07:50:00.000Z',
      effects: [],
    });
  });

  test('A SNOWTAM without any understood line is kept for reading, and one without a time is refused', () => {
    const old = parseNotam(snowtam('A) EDDM B) 02170210 C) 08L F) 7/7/7'), now);
    if (isReject(old)) throw new Error(old.reason);
    expect(old).toMatchObject({ number: 'SNOWTAM 0015', toUtc: '2026-02-17T10:10:00.000Z' });
    expect(readSurface(old)).toEqual({ reports: [], unread: [old.text] });
    const untimed = snowtam('C) 08L F) 7/7/7').replace('02170210', '');
    expect(parseNotam(untimed, now)).toMatchObject({ reason: expect.any(String) });
    expect(parseNotam(snowtam('02170210 08L 5/5/5'))).toMatchObject({
      reason: 'the year of a SNOWTAM is not known',
    });
  });
});

test('A SNOWTAM line that is not understood is named beside the others', () => {
  const raw = snowtam('02170210 08L 5/5/5 100/100/100\n02170210 08R 5/NR/X 100/100/100');
  const notam = parseNotam(raw, now);
  if (isReject(notam)) throw new Error(notam.reason);
  const { reports, unread } = readSurface(notam);
  expect([reports.length, unread]).toEqual([1, ['02170210 08R 5/NR/X']]);
});

const rsc = (words: string): string =>
  `(A7843/26 NOTAMN\nQ) CZUL/QFAXX/IV/NBO/A/000/999/4528N07345W005\nA) CYUL B) 2602170230 C) 2602171030\nE) RSC ${words}\n\nADDN NON-GRF/TALPA INFO:\nCRFI 06L NR OBS AT 2602170225.)`;

describe('RSC', () => {
  test.each([
    ['06L 5/5/5 100 PCT WET. VALID FEB 17 0225 - FEB 17 1025.', '06L', same('5 100% WET')],
    [
      '06R/24L 3/3/1 20 PCT 1/4IN WET SNOW AND 80 PCT COMPACTED SNOW, 100 PCT COMPACTED SNOW, 100 PCT ICE. TREATED. VALID FEB 17 0225 - FEB 17 1025.',
      '06R',
      ['3 20% 6.4 WET_SNOW + 80% COMPACTED_SNOW', '3 100% COMPACTED_SNOW', '1 100% ICE'],
    ],
    [
      '10/28 100 PCT 1/2IN DRY SNOW ON TOP OF COMPACTED SNOW. GRADED, PACKED. VALID FEB 17 0225 - FEB 18 0225.',
      '10',
      same('3! 100% 13 DRY_SNOW_ON_COMPACTED_SNOW'),
    ],
  ])('The report is read by thirds: %s', (words, runway, expected) => {
    const [report] = reportsOf(rsc(words));
    expect(report).toMatchObject({ format: 'RSC', observedAt: '2026-02-17T02:25:00.000Z' });
    expect(report?.runways[0]).toBe(runway);
    expect(report && shown(report)).toEqual(expected);
  });
});

const readOf = (text: string) => {
  const { reports, unread } = readSurface({ text, fromUtc: now.toISOString() });
  return [reports.map((report) => `${report.runways.join('/')} ${codesText(report)}`), unread];
};

describe('RSC sentences', () => {
  test.each([
    ['RWY 10/28 RSC WET', ['10/28 5/5/5'], []],
    ['RWY 10/28 RSC: ICE. RWY 15/33 RSC DRY', ['10/28 1/1/1', '15/33 6/6/6'], []],
    ['RWY 10/28 RSC 3/3/1 RWY 15/33 RSC 5/5/5 OBS AT 2602170225', ['10/28 3/3/1', '15/33 5/5/5'], []],
    ['RWY 10/28 RSC WET RCR 12', ['10/28 5/5/5'], ['RCR 12']],
    ['RWY 10/28 RSC GREEN SLIME', [], ['RWY 10/28 RSC GREEN SLIME']],
    [
      'RSC 10/28 DRY. PATCHES OF ICE NEAR TWY A. VALID FEB 17 0225 - FEB 17 1025.',
      ['10/28 6/6/6'],
      ['PATCHES OF ICE NEAR TWY A'],
    ],
    [
      'RSC 10/28 100 PCT 1/2IN DRY SNOW. 4IN WINDROWS ALONG RWY EDGE. SANDED. RWY LGT ON. ADDN NON-GRF/TALPA INFO: TWY A ICE.',
      ['10/28 3/3/3'],
      [],
    ],
    ['RSC 10/28 DRY. RSC 10/28 100 PCT ICE.', ['10/28 6/6/6', '10/28 1/1/1'], []],
    [
      'RWY 10 FICON 5/5/5 100 PCT WET OBS AT 2602170225. RWY 10 FICON 1/1/1 100 PCT ICE OBS AT 2602170225',
      ['10/28 5/5/5', '10/28 1/1/1'],
      [],
    ],
  ])('All sentences are read, and those not understood are named: %s', (text, reports, unread) =>
    expect(readOf(text)).toEqual([reports, unread]),
  );

  test.each([
    ['.22', '1/1/1'],
    ['0.22', '1/1/1'],
    ['-5C .28', '2/2/2'],
    ['-5C .38', '4/4/4'],
    ['-5C .41', '5/5/5'],
  ])(
    'A friction coefficient of %s lowers the code where it is worse, and never raises it',
    (friction, codes) => {
      const words = (deposits: string) =>
        `RSC 10/28 ${deposits}. ADDN NON-GRF/TALPA INFO: CRFI 10/28 ${friction} OBS AT 2602170225.`;
      expect(readOf(words('5/5/5 100 PCT WET'))).toEqual([[`10/28 ${codes}`], []]);
      expect(readOf(words('1/1/1 100 PCT ICE'))).toEqual([['10/28 1/1/1'], []]);
    },
  );
});

test('Of two sentences for one runway and time the worse applies, in either order', () => {
  const texts = ['RSC 10/28 DRY. RSC 10/28 100 PCT ICE.', 'RSC 10/28 100 PCT ICE. RSC 10/28 DRY.'];
  const codes = texts.map((text) => {
    const notam = parseNotam(rsc('06L DRY.'), now);
    if (isReject(notam)) throw new Error(notam.reason);
    const reports = officialReports([{ ...notam, text, id: 1 }], now, null);
    const counting = officialFor(reports, '28');
    return counting && codesText(counting);
  });
  expect(codes).toEqual(['1/1/1', '1/1/1']);
});

describe('report validity', () => {
  const countsUntil = (raw: string, runway: string, ...times: string[]): boolean[] => {
    const notam = parseNotam(raw, now);
    if (isReject(notam)) throw new Error(notam.reason);
    return times.map((time) => {
      const reports = officialReports([{ ...notam, id: 1 }], new Date(`${time}:00Z`), null);
      return officialFor(reports, runway)?.isExpired === false;
    });
  };
  const observed = faa('5/5/5 100 PCT WET').replace(/\. .*/, '. 2602170235-');

  test('An estimated end is the end of the FICON, too', () =>
    expect(countsUntil(`${observed}2602180230EST`, '10L', '2026-02-18T02:29', '2026-02-18T02:30')).toEqual([
      true,
      false,
    ]));

  test.each(['PERM', 'UFN'])('A FICON valid %s applies for a day after the observation', (end) =>
    expect(countsUntil(`${observed}${end}`, '10L', '2026-02-18T02:29', '2026-02-18T02:30')).toEqual([
      true,
      false,
    ]),
  );

  test('After its end a report stays the last known one for a day, unless another is in force', () => {
    const [over, current] = [
      faa('1/1/1 100 PCT ICE').replace('2602180230', '2602170400'),
      faa('5/5/5 100 PCT WET'),
    ];
    const seen = (time: string, ...texts: string[]) => {
      const notams = texts.flatMap((text, id) => {
        const notam = parseNotam(text, now);
        return isReject(notam) ? [] : [{ ...notam, id }];
      });
      const official = officialFor(officialReports(notams, new Date(time), null), '28R');
      return official && officialText(official);
    };
    expect(seen('2026-02-17T03:59:00Z', over)).toBe('FICON 02/123: 1/1/1');
    expect(seen('2026-02-17T04:00:00Z', over)).toBe('FICON 02/123: 1/1/1, expired');
    expect(seen('2026-02-18T03:59:00Z', over)).toBe('FICON 02/123: 1/1/1, expired');
    expect(seen('2026-02-18T04:00:00Z', over)).toBeNull();
    expect(seen('2026-02-17T04:00:00Z', over, current)).toBe('FICON 02/123: 5/5/5');
  });

  test('A text that is not understood is named until the estimated end', () => {
    const notam = parseNotam(`${faa('GREEN SLIME').replace(/\. .*/, '. 2602170235-')}2602180230EST`, now);
    if (isReject(notam)) throw new Error(notam.reason);
    const unreadAt = (time: string) => officialReports([{ ...notam, id: 1 }], new Date(time), null).unread;
    expect(unreadAt('2026-02-18T02:29:00Z')).toHaveLength(1);
    expect(unreadAt('2026-02-18T02:30:00Z')).toEqual([]);
  });

  test.each([
    ['before that of its NOTAM', '0825', '2026-02-17T08:24', '2026-02-17T08:25'],
    ['after that of its NOTAM', '1225', '2026-02-17T10:29', '2026-02-17T10:30'],
  ])('An RSC applies until the earlier end, its own %s', (_which, end, before, after) => {
    const raw = rsc(`06L 5/5/5 100 PCT WET. VALID FEB 17 0225 - FEB 17 ${end}.`);
    expect(countsUntil(raw, '06L', before, after)).toEqual([true, false]);
  });

  test('Each RSC of a NOTAM has its own end', () => {
    const raw = rsc(
      '06L 5/5/5 100 PCT WET. VALID FEB 17 0225 - FEB 17 0625. RSC 06R 5/5/5 100 PCT WET. VALID FEB 17 0225 - FEB 17 0825.',
    );
    expect(countsUntil(raw, '06L', '2026-02-17T06:24', '2026-02-17T06:25')).toEqual([true, false]);
    expect(countsUntil(raw, '06R', '2026-02-17T06:25', '2026-02-17T08:25')).toEqual([true, false]);
  });
});

test.each([
  ['RWY 09L/27R SLIPPERY WHEN WET', true],
  ['RWY 13 MAY BE SLIPPERY WHEN WET DUE TO RUBBER DEPOSITS', true],
  ['RWY 17/35 SLIPPERY WET', true],
  ['RWY 04/22 FRICTION LEVEL BELOW MINIMUM. RWY SLIPPERY IN WET CONDITIONS', true],
  ['RWY 04/22 FRICTION LEVEL BELOW MINIMUM. RWY MIGHT BE SLIPPERY IF WET', true],
  ['RWY 09L/27R NO LONGER SLIPPERY WHEN WET', false],
  ['TWY A SLIPPERY WHEN WET', false],
  ['RWY 09L/27R FICON 3/3/3 100 PCT SLIPPERY WHEN WET OBS AT 2602170200', undefined],
])('A runway that is slippery when wet is recognised: %s', (text, expected) =>
  expect(readSurface({ text, fromUtc: '2026-02-17T00:00:00.000Z' }).isSlipperyWhenWet).toBe(expected),
);

test('The matrix assigns codes to deposits by depth and coverage', () => {
  const code = (contaminant: 'SLUSH' | 'DRY_SNOW' | 'ICE' | 'DRY', depthMm: number | null, percent: number) =>
    codeOfDeposits([{ contaminant, depthMm, coveragePercent: percent }]);
  expect([code('SLUSH', 3, 100), code('SLUSH', 4, 100), code('SLUSH', null, 100)]).toEqual([5, 2, 2]);
  expect([code('DRY_SNOW', 3, 100), code('DRY_SNOW', 30, 100), code('DRY_SNOW', 30, 25)]).toEqual([5, 3, 5]);
  expect([code('ICE', null, 26), code('ICE', null, 20), code('DRY', null, 100)]).toEqual([1, 5, 6]);
});

test('A hostile text is read in linear time', () => {
  const texts = [
    'RWY 10L FICON ' + '1 '.repeat(50_000),
    `RSC 10 ${'1/1/1 '.repeat(20_000)}`,
    `SNOWTAM 0001 ${'02170210 08L 5/5/5 '.repeat(9_000)}`,
  ];
  const started = performance.now();
  for (const text of texts) readSurface({ text, fromUtc: now.toISOString() });
  expect(performance.now() - started).toBeLessThan(2_000);
});
