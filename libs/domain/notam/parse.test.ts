import { describe, expect, test } from 'vitest';
import { isReject, parseNotam, parseNotamTexts } from './parse.ts';
import { splitNotamTexts } from './split.ts';
import { parseNotamTime } from './time.ts';
import type { Notam } from './types.ts';

const read = (raw: string): Notam => {
  const result = parseNotam(raw);
  if (isReject(result)) throw new Error(result.reason);
  return result;
};

const icao = `A1234/26 NOTAMR A1200/26
Q) XXFF/QMRLC/IV/NBO/A/000/999/5129N00028W005
A) XXAA B) 2602022230 C) 2602060600 EST
D) 2230-0600
E) RWY 05L/23R CLSD DUE WIP.
RWY 05R/23L IN USE.

SECOND PARAGRAPH
F) SFC G) FL100
CREATED: 03 Feb 2026 10:00:00
SOURCE: EUECYIYN`;

describe('ICAO layout', () => {
  test('An ICAO text with all items is read', () => {
    expect(read(icao)).toMatchObject({
      key: 'XXFF:A1234/26',
      number: 'A1234/26',
      type: 'R',
      replacesKey: 'XXFF:A1200/26',
      fir: 'XXFF',
      locations: ['XXAA'],
      airports: ['XXAA'],
      qCode: 'QMRLC',
      fromUtc: '2026-02-02T22:30:00.000Z',
      toUtc: '2026-02-06T06:00:00.000Z',
      isEstimated: true,
      scheduleRaw: '2230-0600',
      text: 'RWY 05L/23R CLSD DUE WIP.\nRWY 05R/23L IN USE.\n\nSECOND PARAGRAPH',
      flags: [],
      effects: [
        { kind: 'closed', runway: '05L', use: 'all' },
        { kind: 'closed', runway: '23R', use: 'all' },
      ],
    });
    expect(read(icao).position?.latitudeDeg).toBeCloseTo(51.4833, 3);
    expect(read(icao).position?.longitudeDeg).toBeCloseTo(-0.4667, 3);
  });

  test('An office prefix, blanks in item Q, ISO times and the last 32-bit second as permanent end are read', () => {
    const notam = read(`XXAO-B0007/26 NOTAM
Q) XXFF / QMRLC / IV / NBO / A / 000/999 / 4742N01850E001
A) XXAA
B) 2026-02-27 07:00 C) 2038-01-19 03:14
E) RWY 09/27 CLSD`);
    expect(notam).toMatchObject({ qCode: 'QMRLC', toUtc: null, isEstimated: false });
  });

  test('The French briefing layout is read', () => {
    const notam = read(`    XXHQ-E0508/26
    DU: 23 01 2026 14:42 AU: 22 04 2026 14:00 EST
    A)  XXAA
    Q)  XXFF / QMRLC / IV / NBO / A / 000/999 / 4647N07124W005
    D)  DAILY 1400-1600 1700-1900
    E)  RWY 11/29 CLSD`);
    expect(notam).toMatchObject({
      number: 'E0508/26',
      fromUtc: '2026-01-23T14:42:00.000Z',
      toUtc: '2026-04-22T14:00:00.000Z',
      isEstimated: true,
      scheduleRaw: 'DAILY 1400-1600 1700-1900',
    });
    expect(notam.effects).toHaveLength(2);
  });

  test('One line and brackets are read', () => {
    const line =
      '(C0001/26 NOTAMN Q) XXFF/QMRLC/IV/NBO/A/000/999/5129N00028W005 A) XXAA B) 2602020000 C) PERM E) RWY 01/19 CLSD)';
    expect(read(line)).toMatchObject({ text: 'RWY 01/19 CLSD', toUtc: null });
  });

  test('A cancellation has no effects and names the NOTAM it cancels', () => {
    const notam = read(icao.replace('NOTAMR A1200/26', 'NOTAMC A1100/26'));
    expect(notam).toMatchObject({ type: 'C', replacesKey: 'XXFF:A1100/26', effects: [] });
  });

  test('A part of a longer text is flagged, and "PART" is not a location', () => {
    const notam = read(icao.replace('A) XXAA', 'A) XXAA PART 3 OF 3'));
    expect(notam.locations).toEqual(['XXAA']);
    expect(notam.flags).toEqual(['part 3 of 3 of a longer text']);
  });

  test('FAA numbers in ICAO layout have the key of the FAA text, and blank lines before the times are allowed', () => {
    const text =
      '10/132 NOTAMN\nQ) KXFF/QMRLC/IV/NBO/A/000/999/5129N00028W005\nA) KXYZ\n\nB) 2610171100\nC) 2610171300\n\nE) RWY 17R/35L CLSD';
    expect(parseNotamTexts(`${text}\n\n${icao}`).records).toMatchObject([
      { key: 'XYZ:2026:10/132', number: '10/132', airports: ['KXYZ'], effects: [{}, {}] },
      { key: 'XXFF:A1234/26' },
    ]);
  });

  test('Runways named in a text are part of the record', () => {
    expect(read(icao).runways).toEqual(['05L', '23R', '05R', '23L']);
    expect(read(icao.replace('NOTAMR A1200/26', 'NOTAMC A1100/26')).runways).toEqual([]);
  });

  test('Airspace scope has no aerodrome, and a schedule that was not understood is flagged', () => {
    expect(read(icao.replace('/A/000', '/W/000')).airports).toEqual([]);
    const notam = read(icao.replace('D) 2230-0600', 'D) AFTER LAST FLIGHT'));
    expect(notam.schedule).toBeNull();
    expect(notam.flags).toEqual(['schedule not understood: "AFTER LAST FLIGHT"']);
  });

  test.each([
    ['no number', 'Q) XXFF/QMRLC\nA) XXAA\nE) RWY CLSD', /number/],
    ['no item E', 'A0001/26 NOTAMN\nA) XXAA B) 2602020000 C) PERM', /item E/],
    ['impossible date', 'A0001/26 NOTAMN\nA) XXAA B) 2602320000 C) PERM\nE) X', /item B/],
    ['item C missing', 'A0001/26 NOTAMN\nA) XXAA B) 2602020000\nE) X', /item C/],
    ['ends before it starts', 'A0001/26 NOTAMN\nA) XXAA B) 2602020000 C) 2601020000\nE) X', /ends before/],
    ['empty', '', /number/],
  ])('A text is rejected with a reason: %s', (_name, raw, reason) => {
    const result = parseNotam(raw);
    expect(isReject(result) && result.reason).toMatch(reason);
  });
});

describe('FAA domestic layout', () => {
  test('A domestic runway closure is read', () => {
    expect(read('!XYZ 08/123 XYZ RWY 04L/22R CLSD 2508210234-2510012359')).toMatchObject({
      key: 'XYZ:2025:08/123',
      format: 'faa',
      locations: ['XYZ'],
      airports: ['KXYZ'],
      fromUtc: '2025-08-21T02:34:00.000Z',
      toUtc: '2025-10-01T23:59:00.000Z',
      effects: [
        { kind: 'closed', runway: '04L' },
        { kind: 'closed', runway: '22R' },
      ],
    });
  });

  test('A schedule at the end, feet, and estimated and permanent ends are read', () => {
    const nightly = read('!XYZ 08/124 XYZ RWY 06L/24R CLSD DLY 0830-1430 2508210234-2510012359EST');
    expect(nightly).toMatchObject({ scheduleRaw: 'DLY 0830-1430', isEstimated: true, flags: [] });
    const distances = read('!XYZ 08/125 XYZ RWY 13 DECLARED DIST: TORA 8500FT LDA 8000 2508210234-PERM');
    expect(distances).toMatchObject({ toUtc: null, isEstimated: false });
    expect(distances.effects).toEqual([
      { kind: 'declaredDistance', runway: '13', distance: 'TORA', valueM: 2590.8 },
      { kind: 'declaredDistance', runway: '13', distance: 'LDA', valueM: 2438.4 },
    ]);
  });

  test('The keyword decides the kind of NOTAM', () => {
    expect(
      read('!FDC 5/1188 XYZ IAP S-ILS RWY 35R NA. RWY 17L CLSD 2508211444-2604021444EST').effects,
    ).toEqual([]);
    expect(read('!XYZ 08/126 XYZ RWY 20 RWY END ID LGT U/S 2508210234-2510012359').effects).toEqual([]);
    expect(read('!XYZ 08/127 XYZ AD AP CLSD 2508210234-2510012359').effects).toMatchObject([
      { kind: 'aerodromeClosed' },
    ]);
    expect(
      read('!XYZ 08/128 XYZ TWY C BTN RWY 04L/22R AND TWY E CLSD 2508210234-PERM').effects,
    ).toMatchObject([{ kind: 'exitClosed', name: 'C', runways: ['04L', '22R'] }]);
  });

  test('A blank line before the times and the end marker of a part belong to the text', () => {
    const first = '!XYZ 08/123 XYZ RWY 04L/22R CLSD\n\n2508210234-2510012359\nEND PART 1 OF 2';
    const { records, rejects } = parseNotamTexts(`${first}\n\n!XYZ 08/124 XYZ TWY A CLSD 2508210234-PERM`);
    expect(rejects).toEqual([]);
    expect(records.map(({ number, effects }) => [number, effects.length])).toEqual([
      ['08/123', 2],
      ['08/124', 1],
    ]);
  });

  test.each([
    ['ANC', 'PANC'],
    ['HNL', 'PHNL'],
    ['GUM', 'PGUM'],
    ['SJU', 'TJSJ'],
    ['STT', 'TIST'],
    ['JNU', 'PAJN'],
    ['MAJ', 'PKMJ'],
    ['ROI', 'PKRO'],
    ['KWA', 'PKWA'],
    ['TKK', 'PTKK'],
    ['PNI', 'PTPN'],
    ['ROR', 'PTRO'],
    ['TTK', 'PTSA'],
    ['T11', 'PTYA'],
    ['GRO', 'PGRO'],
    ['Z84', 'PACL'],
    ['JFK', 'KJFK'],
  ])('The location %s is the airport %s, in both layouts under one key', (location, airport) => {
    const domestic = read(`!${location} 02/123 ${location} RWY 07R/25L CLSD 2602090000-2602100000`);
    expect(domestic.airports).toEqual([airport]);
    const international = read(
      `02/123 NOTAMN\nQ) PAZA/QMRLC/IV/NBO/A/000/999/6110N15000W005\nA) ${airport} B) 2602090000 C) 2602100000\nE) RWY 07R/25L CLSD`,
    );
    expect(international).toMatchObject({ key: domestic.key, airports: [airport] });
  });

  test('Figures without a unit are feet in Puerto Rico and Alaska', () => {
    for (const fir of ['TJZS', 'PAZA'])
      expect(
        read(`A0001/26 NOTAMN\nQ) ${fir}/QMDCH/IV/NBO/A\nA) TJSJ B) 2602090000 C) PERM\nE) RWY 08 LDA 6000`)
          .effects,
      ).toEqual([{ kind: 'declaredDistance', runway: '08', distance: 'LDA', valueM: 1828.8 }]);
  });

  test('An aerodrome without an ICAO code is identified by its location, and text without times is rejected', () => {
    const field = read('!XYZ 08/130 8WC RWY 02/20 CLSD 2508210234-2510012359');
    expect([field.airports, field.effects.length]).toEqual([['8WC'], 2]);
    expect(isReject(parseNotam('!XYZ 08/131 XYZ RWY 02/20 CLSD'))).toBe(true);
  });
});

describe('text files', () => {
  const second = icao.replace('A1234/26 NOTAMR A1200/26', 'A1235/26 NOTAMN');
  test('Texts are split at their numbers, and blank lines in item E are kept', () => {
    const texts = splitNotamTexts(
      `${icao}\n\n${second}\n\n!XYZ 08/123 XYZ RWY 04L/22R CLSD 2508210234-2510012359\n`,
    );
    expect(texts).toHaveLength(3);
    expect(texts[0]).toContain('SECOND PARAGRAPH');
    expect(parseNotamTexts(texts.join('\n\n')).records.map((r) => r.number)).toEqual([
      'A1234/26',
      'A1235/26',
      '08/123',
    ]);
  });

  test('The same text under two FIRs counts once, and another text under the same number is kept', () => {
    const { records } = parseNotamTexts(`${icao}\n\n${icao}\n\n${icao.replace('SECOND', 'OTHER')}`);
    expect(records.map((r) => r.key)).toEqual(['XXFF:A1234/26', 'XXFF:A1234/26#2']);
  });

  test('An invalid text does not affect the others', () => {
    const { records, rejects } = parseNotamTexts(`A0001/26 NOTAMN\nQ) nonsense\n\n${icao}`);
    expect(records).toHaveLength(1);
    expect(rejects).toHaveLength(1);
  });

  test('A text over the size limit is refused, and a very long one is flagged without being read', () => {
    const head = 'A0001/26 NOTAMN\nQ) XXFF/QMRLC/IV/NBO/A/000/999/\nA) XXAA B) 2602010000 C) PERM\nE) ';
    expect(parseNotamTexts(`${head}${'X'.repeat(70_000)}`).rejects).toMatchObject([
      { reason: 'longer than 60000 characters' },
    ]);
    expect(parseNotamTexts(`${head}RWY 09/27 CLSD. ${'X'.repeat(20_000)}`).records).toMatchObject([
      { effects: [], flags: ['text too long to process'], runways: [] },
    ]);
    expect(
      parseNotamTexts(`${head}RWY 09/27 CLSD. RWY 10/28 ${'X '.repeat(1_000)} CLSD`).records,
    ).toMatchObject([
      { effects: [{ runway: '09' }, { runway: '27' }], flags: ['a sentence is too long to process'] },
    ]);
  });

  test('Random truncations and changes never throw', () => {
    let seed = 7;
    const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
    for (let i = 0; i < 3_000; i++) {
      const at = random(icao.length);
      const cut = icao.slice(0, at) + String.fromCharCode(32 + random(96)) + icao.slice(at + random(20));
      const { records, rejects } = parseNotamTexts(i % 2 ? cut : cut.slice(0, random(cut.length)));
      expect(records.length + rejects.length).toBeLessThan(5);
    }
  });
});

test('Two-digit years are within 50 years of now', () => {
  const yearAt = (text: string, now: string) => parseNotamTime(text, new Date(now))?.utc?.slice(0, 4);
  expect(yearAt('2602022230', '2026-01-01')).toBe('2026');
  expect(yearAt('9912312359', '2026-01-01')).toBe('1999');
  expect(yearAt('7512312359', '2026-01-01')).toBe('2075');
  expect(yearAt('0101010000', '2099-12-31')).toBe('2101');
  expect(yearAt('9912312359', '2100-01-02')).toBe('2099');
  const text =
    'A0001/01 NOTAMN\nA) LFPG B) 0101010000 C) 0102010000\nD) 0101020600 TO 0101021800\nE) RWY 09L/27R CLSD';
  const [record] = parseNotamTexts(text, new Date('2100-12-30')).records;
  expect(record).toMatchObject({
    fromUtc: '2101-01-01T00:00:00.000Z',
    schedule: { periods: [{ from: '2101-01-02T06:00:00.000Z' }] },
  });
});
