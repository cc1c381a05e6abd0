import { describe, expect, test } from 'vitest';
import { sigmetList } from '#simulated/sigmets.ts';
import { parseSigmets } from './parse.ts';

const now = new Date('2026-06-20T21:00:00Z');
const unix = (text: string) => Date.parse(text) / 1000;

/** A record in the source's format. */
const record = (change: object = {}) => ({
  icaoId: 'FAOR',
  firId: 'FAJA',
  firName: 'FAJA JOHANNESBURG',
  receiptTime: '2026-06-20T17:46:30.633Z',
  validTimeFrom: unix('2026-06-20T18:00:00Z'),
  validTimeTo: unix('2026-06-20T22:00:00Z'),
  seriesId: 'D01',
  hazard: 'TURB',
  qualifier: 'SEV',
  base: 0,
  top: 6500,
  geom: 'AREA',
  coords: [
    { lon: 28.75, lat: -31.083 },
    { lon: 30.9, lat: -32.25 },
    { lon: 30.85, lat: -32.35 },
    { lon: 28.65, lat: -31.133 },
  ],
  dir: null,
  spd: null,
  chng: null,
  rawSigmet: 'FAJA SIGMET D01 VALID 201800/202200 FAOR-\nFAJA JOHANNESBURG FIR SEV TURB FCST SFC/FL065=',
  ...change,
});
const read = (...records: unknown[]) => parseSigmets(JSON.stringify(records), 'isigmet', now);

test('A SIGMET is read with region, hazard, levels, period, area and text', () => {
  const { records, rejects, issuedAt } = read(record());
  expect(rejects).toEqual([]);
  expect(issuedAt?.toISOString()).toBe('2026-06-20T17:46:30.633Z');
  expect(records).toEqual([
    {
      product: 'isigmet',
      kind: 'SIGMET',
      fir: 'FAJA',
      firName: 'FAJA JOHANNESBURG',
      series: 'D01',
      hazard: 'TURB',
      qualifier: 'SEV',
      validFrom: '2026-06-20T18:00:00.000Z',
      validTo: '2026-06-20T22:00:00.000Z',
      baseFt: 0,
      topFt: 6500,
      shape: 'area',
      parts: [
        [
          [-31.083, 28.75],
          [-32.25, 30.9],
          [-32.35, 30.85],
          [-31.133, 28.65],
        ],
      ],
      movement: null,
      change: null,
      raw: record().rawSigmet,
    },
  ]);
});

test('Lines, several areas, areas across the date line, closed rings and unknown speeds are read', () => {
  const square = (west: number) =>
    [west, west + 2, west + 1, west].map((lon, i) => ({ lon, lat: i === 2 ? 2 : 0 }));
  const { records } = read(
    record({
      geom: 'LINE',
      coords: [
        { lon: 164.2, lat: -4.5 },
        { lon: 162.6, lat: 0 },
      ],
      dir: 'WSW',
      spd: '25',
    }),
    record({ geom: 'AREAS', coords: [square(10), square(14), square(20).slice(0, 2)], dir: 'W', spd: 'UNK' }),
    record({ coords: square(179) }),
    record({ coords: null }),
  );
  expect(records.map(({ shape, movement }) => [shape, movement])).toEqual([
    ['line', { towardDeg: 247.5, speedKt: 25 }],
    ['area', null],
    ['area', null],
    ['area', null],
  ]);
  expect(records.map(({ parts }) => parts.map((part) => part.length))).toEqual([[2], [3, 3], [3], []]);
  expect(records[2]?.parts[0]).toEqual([
    [0, 179],
    [0, -179],
    [2, 180],
  ]);
});

describe('levels read from text and decoded columns', () => {
  test.each([
    // For `TOP ABV`, the source puts the level into the column of the base or of the top.
    ['TC CB OBS TOP ABV FL390', [39_000, null], [null, null]],
    ['TC CB OBS TOP ABV FL390', [39_000, 60_000], [null, null]],
    ['EMBD TS OBS WI S28 E028 - S30 E030 TOP ABV FL390', [null, 39_000], [null, null]],
    ['TS TOP ABV FL090', [null, 9_000], [null, null]],
    ['TC CB OBS TOPS\nABOVE FL450', [null, 45_000], [null, null]],
    ['EMBD TS TOP FL390', [39_000, 39_000], [null, 39_000]],
    ['EMBD TS TOP FL390', [null, null], [null, 39_000]],
    ['EMBD TS TOP FL350/400', [35_000, 40_000], [null, 40_000]],
    ['EMBD TS TOP BTN FL350/400', [35_000, 40_000], [null, 40_000]],
    ['SEV ICE ABV FL140', [14_000, 14_000], [14_000, null]],
    ['SEV ICE ABV FL140', [null, null], [14_000, null]],
    ['SEV ICE ABV 10000FT', [null, 10_000], [10_000, null]],
    ['SEV ICE BLW FL100', [10_000, null], [null, 10_000]],
    ['SEV TURB ABV FL250 TOP FL390', [25_000, 39_000], [25_000, 39_000]],
    ['SEV TURB FCST FL250/390', [null, null], [25_000, 39_000]],
    ['SEV ICE FCST 2000/9000FT', [null, null], [2_000, 9_000]],
    ['SEV TURB FCST SFC/3000M', [null, null], [0, 9_843]],
    ['BKN CLD OBS 0900/ABV10000FT', [null, null], [900, null]],
    ['OCNL SEV TURB BTN 16000FT AND FL300', [null, null], [16_000, 30_000]],
    ['VA CLD OBS AT 1200Z SFC/FL200 FCST AT 1800Z VA CLD FL180/350', [0, 20_000], [0, 35_000]],
    ['SEV TURB OBS AT 1200Z BY B738 FL350 MOV E 10KT', [33_000, 37_000], [33_000, 37_000]],
  ])('%s', (levels, [base, top], [baseFt, topFt]) => {
    const text = `FAJA SIGMET D01 VALID 201800/202200 FAOR- ${levels} MOV E 10KT=`;
    expect(read(record({ base, top, rawSigmet: text })).records[0]).toMatchObject({ baseFt, topFt });
  });
});

describe('United States', () => {
  test('A convective SIGMET has no base but a direction of movement, and an outlook is not a SIGMET', () => {
    const own = {
      icaoId: 'KKCI',
      seriesId: '3E',
      validTimeFrom: unix('2026-06-20T20:55:00Z'),
      validTimeTo: unix('2026-06-20T22:55:00Z'),
      airSigmetType: 'SIGMET',
      hazard: 'CONVECTIVE',
      altitudeHi1: 32000,
      altitudeHi2: 45000,
      altitudeLow1: null,
      movementDir: 10,
      movementSpd: 15,
      rawAirSigmet: 'CONVECTIVE SIGMET 3E',
      coords: record().coords,
    };
    const above = { ...own, altitudeLow1: 45000, rawAirSigmet: 'AREA TS MOV FROM 01015KT. TOPS ABV FL450.' };
    const list = JSON.stringify([own, { ...own, airSigmetType: 'OUTLOOK' }, above]);
    const { records, rejects } = parseSigmets(list, 'airsigmet', now);
    expect(rejects).toEqual([]);
    expect(records.map(({ baseFt, topFt }) => [baseFt, topFt])).toEqual([
      [null, 45000],
      [null, null],
    ]);
    expect(records[0]).toMatchObject({ baseFt: null, movement: { towardDeg: 190, speedKt: 15 } });
  });

  test('A G-AIRMET is valid for 90 minutes around its snapshot, with levels in hundreds of feet', () => {
    const own = {
      tag: '1W',
      forecastHour: 3,
      validTime: '2026-06-21T00:00:00.000Z',
      hazard: 'ICE',
      severity: 'MOD',
      due_to: null,
      top: '180',
      base: 'FZL',
      fzltop: '090',
      fzlbase: '060',
      product: 'ZULU',
      geom: 'AREA',
      coords: record().coords.map(({ lat, lon }) => ({ lat: String(lat), lon: String(lon) })),
    };
    const list = JSON.stringify([own, { ...own, hazard: 'FZLVL' }, { ...own, base: 'SFC' }]);
    const { records } = parseSigmets(list, 'gairmet', now);
    expect(records.map(({ baseFt, topFt }) => [baseFt, topFt])).toEqual([
      [6000, 18000],
      [0, 18000],
    ]);
    expect(records[0]).toMatchObject({
      kind: 'G-AIRMET',
      validFrom: '2026-06-20T22:30:00.000Z',
      validTo: '2026-06-21T01:30:00.000Z',
      raw: 'G-AIRMET ZULU ICE MOD',
    });
  });
});

test('Each unreadable record is rejected with a reason, and the others are kept', () => {
  const { records, rejects } = read(
    record(),
    record({ validTimeTo: 'later' }),
    record({ validTimeTo: unix('2026-06-20T17:00:00Z') }),
    record({ validTimeFrom: unix('2026-07-20T18:00:00Z'), validTimeTo: unix('2026-07-20T22:00:00Z') }),
    record({ hazard: '' }),
    record({ coords: [{ lon: 1, lat: 91 }] }),
    7,
  );
  expect(records).toHaveLength(1);
  expect(rejects.map(({ reason }) => reason)).toEqual([
    'the period of validity is unreadable',
    'the period of validity is unreadable',
    'valid for more than 48 hours from now',
    'without hazard, region or text',
    expect.any(String),
    expect.any(String),
  ]);
});

test('An answer without content is an empty list of its product, and other content is refused', () => {
  expect(parseSigmets('', 'airsigmet', now)).toMatchObject({ product: 'airsigmet', records: [] });
  for (const [text, expected] of [
    ['{"features":[]}', 'isigmet'],
    ['[', 'isigmet'],
    [sigmetList('airsigmet', now, null), 'isigmet'],
    ['[]', null],
    ['[{"lat":1}]', null],
  ] as const)
    expect(() => parseSigmets(text, expected, now)).toThrow(/SIGMET/i);
});

test.each(['isigmet', 'airsigmet', 'gairmet'] as const)(
  'Every simulated record of %s is readable',
  (product) => {
    const { records, rejects } = parseSigmets(sigmetList(product, now, null), null, now);
    expect(rejects).toEqual([]);
    expect(records.length).toBeGreaterThan(5);
    expect(
      records.every(({ parts, validTo }) => parts.length === 1 && Date.parse(validTo) > now.getTime()),
    ).toBe(true);
  },
);
