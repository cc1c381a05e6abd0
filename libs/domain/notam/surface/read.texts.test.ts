/** Forty texts: 22 published by the FAA and NAV CANADA, and 18 SNOWTAMs written for this test after ICAO Doc 10066. */
import { expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { isReject, parseNotam } from '../parse.ts';
import { codeOfDeposits } from './contaminants.ts';
import { conditionOfReport, officialFor, officialReports } from './official.ts';
import type { OfficialReport } from './official.ts';
import { readSurface } from './read.ts';

const minuteMs = 60_000;

/** Number, runway, observation time, and each third as `code coverage% depth contaminant`; `!` marks a derived code. */
type Expected = readonly [number: string, runway: string, observedAt: string, thirds: string];

const published: readonly Expected[] = [
  ['06/026', '09', '2022-06-01T18:39', '5 100% - WET'],
  ['06/008', '15', '2022-06-01T19:36', '5 100% - WET'],
  ['06/010', '23', '2022-06-01T17:37', '5 100% - WET'],
  ['06/009', '34', '2022-06-01T14:52', '5 100% - WET'],
  ['06/047', '18L', '2022-06-01T19:16', '3 -% - SLIPPERY_WET'],
  ['06/010', '31', '2022-06-01T19:49', '5 100% - WET'],
  ['06/024', '04L', '2022-06-01T18:36', '5 100% - WET'],
  ['06/004', '25', '2022-06-01T19:00', '5! 10% - WET'],
  ['06/012', '36', '2022-06-01T17:08', '5 100% - WET'],
  ['06/005', '10', '2022-06-01T16:32', '5 90% - WET'],
  ['06/004', '02', '2022-06-01T11:56', '5 100% - WET'],
  ['06/011', '27', '2022-06-01T17:00', '5 100% - WET'],
  ['06/009', '35L', '2022-06-01T16:35', '5 100% - WET'],
  ['06/005', '18', '2022-06-01T19:20', '5! 10% - WET'],
  ['06/005', '22', '2022-06-01T17:33', '5 100% - WET'],
  ['06/009', '15', '2022-06-01T18:08', '5 100% - WET'],
  ['06/003', '24', '2022-06-01T19:50', '5 100% - WET'],
  ['06/008', '10', '2022-06-01T18:08', '5 100% - WET'],
  ['06/005', '14', '2022-06-01T11:56', '5 100% - WET'],
  ['A7843/23', '10', '2023-04-10T14:15', '3! 100% 13 DRY_SNOW_ON_COMPACTED_SNOW'],
  ['A8045/23', '15', '2023-04-11T11:39', '3! 100% 13 DRY_SNOW'],
  ['12/177', '04R', '2025-12-25T13:19', '5! 30% - WET|6! -% - DRY|6! -% - DRY'],
];

/** SNOWTAM lines from the runway on, with their thirds. */
const ownLines: readonly (readonly [line: string, thirds: string])[] = [
  ['09L 5/5/5 100/100/100 NR/NR/NR WET/WET/WET', '5 100% - WET'],
  ['09R 6/6/5 NR/NR/25 NR/NR/NR DRY/DRY/WET', '6 -% - DRY|6 -% - DRY|5 25% - WET'],
  ['18 5/2/2 100/50/75 NR/06/06 WET/SLUSH/SLUSH', '5 100% - WET|2 50% 6 SLUSH|2 75% 6 SLUSH'],
  ['02C 2/2/2 100/100/100 15/15/15 SLUSH/SLUSH/SLUSH', '2 100% 15 SLUSH'],
  [
    '07 5/3/3 50/75/75 03/10/12 WET SNOW/WET SNOW/WET SNOW',
    '5 50% 3 WET_SNOW|3 75% 10 WET_SNOW|3 75% 12 WET_SNOW',
  ],
  [
    '12 3/5/3 100/75/100 40/03/120 DRY SNOW/DRY SNOW/DRY SNOW',
    '3 100% 40 DRY_SNOW|5 75% 3 DRY_SNOW|3 100% 120 DRY_SNOW',
  ],
  [
    '04L 4/4/3 100/100/100 NR/NR/NR COMPACTED SNOW/COMPACTED SNOW/COMPACTED SNOW',
    '4 100% - COMPACTED_SNOW|4 100% - COMPACTED_SNOW|3 100% - COMPACTED_SNOW',
  ],
  [
    '33 3/3/3 75/75/75 20/20/25 DRY SNOW ON TOP OF COMPACTED SNOW/DRY SNOW ON TOP OF COMPACTED SNOW/DRY SNOW ON TOP OF COMPACTED SNOW',
    '3 75% 20 DRY_SNOW_ON_COMPACTED_SNOW|3 75% 20 DRY_SNOW_ON_COMPACTED_SNOW|3 75% 25 DRY_SNOW_ON_COMPACTED_SNOW',
  ],
  [
    '15 3/3/3 50/50/50 NR/NR/NR WET SNOW ON TOP OF COMPACTED SNOW/WET SNOW ON TOP OF COMPACTED SNOW/WET SNOW ON TOP OF COMPACTED SNOW',
    '3 50% - WET_SNOW_ON_COMPACTED_SNOW',
  ],
  ['25R 1/1/1 50/75/100 NR/NR/NR ICE/ICE/ICE', '1 50% - ICE|1 75% - ICE|1 100% - ICE'],
  ['27 0/1/1 100/100/100 NR/NR/NR WET ICE/ICE/ICE', '0 100% - WET_ICE|1 100% - ICE|1 100% - ICE'],
  [
    '01 0/0/0 100/100/100 NR/NR/NR WATER ON TOP OF COMPACTED SNOW/DRY SNOW ON TOP OF ICE/WET SNOW ON TOP OF ICE',
    '0 100% - WATER_ON_COMPACTED_SNOW|0 100% - DRY_SNOW_ON_ICE|0 100% - WET_SNOW_ON_ICE',
  ],
  [
    '14L 0/0/0 75/75/75 05/05/05 SLUSH ON TOP OF ICE/SLUSH ON TOP OF ICE/SLUSH ON TOP OF ICE',
    '0 75% 5 SLUSH_ON_ICE',
  ],
  [
    '36 2/5/5 75/50/50 04/03/03 STANDING WATER/STANDING WATER/STANDING WATER',
    '2 75% 4 STANDING_WATER|5 50% 3 STANDING_WATER|5 50% 3 STANDING_WATER',
  ],
  ['03 5/5/6 75/50/NR NR/NR/NR FROST/FROST/NR', '5 75% - FROST|5 50% - FROST|6'],
  ['21 3/3/3 100/100/100 NR/NR/NR SLIPPERY WET/SLIPPERY WET/SLIPPERY WET', '3 100% - SLIPPERY_WET'],
  [
    '19 4/4/4 100/100/100 NR/NR/NR SPECIALLY PREPARED WINTER RUNWAY/SPECIALLY PREPARED WINTER RUNWAY/SPECIALLY PREPARED WINTER RUNWAY',
    '4 100% - SPECIALLY_PREPARED_WINTER_RUNWAY',
  ],
  ['10 6/6/6', '6'],
];

const shown = ({ thirds }: OfficialReport): string =>
  thirds
    .map(({ code, isCodeReported, deposits }) =>
      [
        `${code}${isCodeReported ? '' : '!'}`,
        ...deposits.map(
          ({ coveragePercent, depthMm, contaminant }) =>
            `${coveragePercent ?? '-'}% ${depthMm ?? '-'} ${contaminant}`,
        ),
      ].join(' '),
    )
    .join('|');
const inThirds = (thirds: string): string =>
  thirds.includes('|') ? thirds : Array(3).fill(thirds).join('|');

/** The report on one runway half an hour and eight hours and a minute after observation, and after the NOTAM ends. */
const readAt = (raw: string, runway: string, observedAt: string) => {
  const observedMs = Date.parse(`${observedAt}Z`);
  const notam = parseNotam(raw, new Date(observedMs + 40 * minuteMs));
  if (isReject(notam)) throw new Error(notam.reason);
  // Some validities begin after the observation, in Canada by up to an hour and a half.
  const whole = { ...notam, id: 1, fromUtc: `${observedAt}:00.000Z` };
  const at = (minutes: number) => officialReports([whole], new Date(observedMs + minutes * minuteMs), null);
  const ended = officialReports([whole], new Date(notam.toUtc ?? Number.NaN), null);
  return { number: notam.number, found: officialFor(at(30), runway), late: at(481), ended, runway };
};

/** Values read from a text, in the form of `expectedOf`. */
const summaryOf = (raw: string, [, runway, observedAt]: Expected) => {
  const { number, found, late, ended } = readAt(raw, runway, observedAt);
  if (!found) return { raw, number, found };
  const { notam, observedAt: observed, ageMinutes, isExpired } = found;
  const { code, isAssumed } = conditionOfReport(found);
  const counts8h = officialFor(late, runway)?.isExpired === false;
  return {
    raw,
    number,
    notam,
    observed,
    ageMinutes,
    isExpired,
    thirds: shown(found),
    code,
    isAssumed,
    counts8h,
    countsAtEnd: officialFor(ended, runway)?.isExpired === false,
  };
};

/** The worst third decides; code 0 has no condition. SNOWTAMs and the RSC A8045/23 last eight hours, others as long as their NOTAM. */
const expectedOf = (raw: string, [number, , observedAt, listed]: Expected) => {
  const thirds = inThirds(listed);
  const code = Math.min(...thirds.split('|').map((third) => Number(third[0]))) || null;
  const observed = `${observedAt}:00.000Z`;
  const counts8h = !number.startsWith('SNOWTAM') && number !== 'A8045/23';
  const counting = { ageMinutes: 30, isExpired: false, isAssumed: false, counts8h, countsAtEnd: false };
  return { raw, number, notam: number, observed, thirds, code, ...counting };
};

const data = sharedData('notam');

test('All published texts are read by thirds and apply from the observation to the end of the NOTAM', () => {
  const raws = data.lines('ficon.jsonl').map((text) => (JSON.parse(text) as { raw: string }).raw);
  const isHere =
    ([number, runway]: Expected) =>
    (raw: string) =>
      raw.includes(number) && raw.includes(`RWY ${runway} `);
  const rows = published.flatMap((expected, i) => {
    const raw = data.isWhole ? raws[i] : raws.find(isHere(expected));
    return raw === undefined ? [] : [{ raw, expected }];
  });
  expect(rows).toHaveLength(data.either(published.length, 3));
  expect(rows.map(({ raw, expected }) => summaryOf(raw, expected))).toEqual(
    rows.map(({ raw, expected }) => expectedOf(raw, expected)),
  );
});

test.each(ownLines.map(([line, thirds], i) => ({ line, thirds, number: String(i + 1).padStart(4, '0') })))(
  'SNOWTAM $number is read by thirds, in force half an hour after the observation, and expired after eight hours: $line',
  ({ line, thirds, number }) => {
    const raw = `SWNO${number} ENGM 01150610\n(SNOWTAM ${number}\nENGM\n01150610 ${line}\n\nRWY ${line.slice(0, 2)} CHEMICALLY TREATED. APRON POOR)`;
    const expected = [`SNOWTAM ${number}`, line.split(' ')[0] ?? '', '2026-01-15T06:10', thirds] as const;
    expect(summaryOf(raw, expected)).toEqual(expectedOf(raw, expected));
  },
);

test('Every contaminant of the format occurs in a SNOWTAM, and no third gets a better code than in the assessment matrix', () => {
  const deposited = ownLines.flatMap(([line]) => {
    const raw = `SWNO0001 ENGM 01150610\n(SNOWTAM 0001\nENGM\n01150610 ${line}\n)`;
    const { found } = readAt(raw, line.split(' ')[0] ?? '', '2026-01-15T06:10');
    return (found?.thirds ?? []).filter(({ deposits }) => deposits.length > 0);
  });
  const names = deposited.flatMap(({ deposits }) => deposits.map(({ contaminant }) => contaminant));
  expect(new Set(names).size).toBe(18);
  const better = deposited.filter(({ code, deposits }) => code > codeOfDeposits(deposits));
  // Compacted snow has code 4 in severe cold, which deposits do not show.
  expect(new Set(better.flatMap(({ deposits }) => deposits.map(({ contaminant }) => contaminant)))).toEqual(
    new Set(['COMPACTED_SNOW']),
  );
});

test.each([
  ['RWY 09/27, ALL TWY AND APN COVERED WITH ICE.', true],
  ['MOVEMENT AREA, TWY AND APN COVERED WITH ICE AND SNOW.', true],
  ['RWY 08/26 COVERD WITH SNOW. BRAKING ACTION MEDIUM TO POOR.', true],
  ['BRAKING ACTION ON RWY 04L/22R NIL', true],
  ['RWY 18/36 AND ALL TWY COVERED WITH UP TO 5CM SNOW AND ICE PATCHES.', true],
  ['RWY 04L/22R SLIPPERY DUE TO ICE', true],
  ['APN NORTH PARTLY COVERED WITH ICE', false],
  ['RWY 04L/22R NO LONGER COVERED WITH ICE', false],
  ['WHEN RWY 04L/22R IS COVERED WITH SNOW LGT MAY BE OBSCURED', false],
  ['FUEL SUPPLY SUSPECTED TO BE CONTAMINATED WITH WATER', false],
])('Surface wording of no known format must be read, whatever the NOTAM code: %s', (text, isUnread) => {
  for (const code of ['QMALT', 'QMRLT', 'QFAXX']) {
    const notam = parseNotam(
      `A0123/26 NOTAMN\nQ) EFIN/${code}/IV/NBO/A/000/999/6019N02458E005\nA) EFHK B) 2602170230 C) 2602180230\nE) ${text}`,
    );
    if (isReject(notam)) throw new Error(notam.reason);
    expect(readSurface(notam)).toMatchObject({ reports: [], unread: isUnread ? [text] : [] });
    expect(isUnread ? notam.flags : []).toEqual([]);
  }
});
