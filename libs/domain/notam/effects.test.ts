import { describe, expect, test } from 'vitest';
import { describeEffect } from './describe.ts';
import { readEffects } from './effects.ts';

const read = (text: string, qCode = 'QMRLC', more: { hasSchedule?: boolean; isFeet?: boolean } = {}) => {
  const { effects, flags } = readEffects({
    text,
    qCode,
    location: 'XAAA',
    hasSchedule: more.hasSchedule ?? false,
    isFeet: more.isFeet ?? false,
  });
  return { certain: effects.filter((e) => e.condition === undefined).map(describeEffect), effects, flags };
};

describe('full closures', () => {
  test.each([
    ['RWY09/27 CLSD', ['09', '27']],
    ['RWY 9/27 CLOSED DUE TO SNOW', ['09', '27']],
    ['RUNWAY 09L/27R CLSD. RWY 09R/27L AVBL', ['09L', '27R']],
    ['RWY 09L/27R AND RWY 09R/27L CLSD', ['09L', '27R', '09R', '27L']],
    ['RWY 15/33 AND 07/25 CLSD', ['15', '33', '07', '25']],
    ['RWY 10/28, TWY A AND APRON CLSD', ['10', '28']],
    ['RWY 10/28 U/S DUE TO WIP', ['10', '28']],
    ['RWY 10/28 NOT AVBL FOR OPS DUE MAINT', ['10', '28']],
    ['RWY 10/28 UNAVAILABLE FOR TAKE OFF AND LANDING', ['10', '28']],
    ['RWY 10/28 TAXI ONLY', ['10', '28']],
    ['RWY 10/28 CLSD TO FIXED-WING ACFT', ['10', '28']],
    ['RWY 10/28 CLSD FOR TKOF AND LDG EXC HEL: - ON INTERSECTION RWY 10 WITH TWY D', ['10', '28']],
    ['TAKE-OFF AND LANDING ON RWY 10/28 IS PROHIBITED UFN', ['10', '28']],
    ['RWY 10/28 CLSD.AVBL.PPR 30 MIN', ['10', '28']],
    ['XAAA RWY 10/28 CLSD', ['10', '28']],
    ['RWY 10 CLSD', ['10']],
    ['RWY 10/28 CLSD, LIGHTS SWITCHED ON', ['10', '28']],
    ['RWY 10/28 CLOSED TO ALL AIRCRAFT', ['10', '28']],
    ['RWY 10/28 CLSD TO JET TRAFFIC', ['10', '28']],
    ['RWY 10/28 CLSD TO TURBOJET ACFT', ['10', '28']],
    ['RWY 10/28 CLSD FOR ALL JET OPS DUE WIP', ['10', '28']],
    ['RWY 06 R/24 L CLSD', ['06R', '24L']],
    ['RWY 10/28 CLSD EXC ACFT LESS THAN 12500LBS', ['10', '28']],
    ['NO TKOF OR LDG ON RWY 10/28', ['10', '28']],
    ['RWY 08T/26T CLSD', ['08T', '26T']],
    ['RWY 5T/23T CLOSED DUE TO SNOW', ['05T', '23T']],
    ['RWY 08T CLSD', ['08T']],
    ['RWY 08T-26T AND 17T/35T CLSD', ['08T', '26T', '17T', '35T']],
  ])('%s', (text, runways) => {
    const { certain, flags } = read(text);
    expect(certain).toEqual(runways.map((runway) => `runway ${runway} closed`));
    expect(flags).toEqual([]);
  });

  test('The English part of a bilingual text is used', () => {
    const { certain } = read(
      'TESTO ITALIANO: PISTA 12/30 CHIUSA. ENGLISH TEXT: RWY 12/30 CLSD DUE TO WIP REF AIP AD 2 XAAA 2-1',
    );
    expect(certain).toEqual(['runway 12 closed', 'runway 30 closed']);
  });

  test('A runway designated by true north is shortened at the matching ends of its strip, and a mass is not a runway', () => {
    expect(read('RWY 08LT FIRST 300M CLSD').effects).toMatchObject([
      { kind: 'shortened', runway: '08LT', end: 'start', lengthM: 300 },
      { kind: 'shortened', runway: '26RT', end: 'end', lengthM: 300 },
    ]);
    expect(JSON.stringify(read('RWY 10/28, 20T AND ABOVE CLSD').effects)).not.toContain('20T');
  });

  test('A surface word applies only to the runway it describes', () => {
    const { effects } = read('RWY 09/27 AND GRASS RWY 09/27 CLSD');
    expect(effects.map((e) => ('surface' in e ? (e.surface ?? 'none') : 'none'))).toEqual([
      'none',
      'none',
      'unpaved',
      'unpaved',
    ]);
  });
});

describe('texts that close nothing', () => {
  test.each([
    'GLIDER STRIP CLSD.',
    'ULM RWY CLOSED.',
    'GRASS GLIDER STRIP 13/31 CLSD',
    'RWY 05/23 CLSD FOR VFR TRAFFIC.',
    'RWY 05/23 CLSD FOR GLIDERS',
    'RWY 05/23 CLSD TO ACFT WINGSPAN MORE THAN 118FT',
    'RWY 05/23 NOT AVBL FOR SPECIAL VFR ACTIVITIES',
    'RWY 18/36 PROHIBITED BY CROSSWIND COMPONENT GREATER THAN 20KT',
    'TWY Z BTN RWY 04L/22R AND TWY Y CLSD',
    'RWY 20 RWY END ID LGT U/S',
    'RWY 05/23 EDGE LGT U/S',
    'RVR TDZ RWY 10R AND RVR DEP END RWY 28L NOT AVBL',
    'ILS RWY 07 U/S',
    'RWY 09/27 MARKINGS LIMITED',
    'RWY 07/25 CLOSED TO AIRCRAFT HEAVIER THAN 5700KG',
    'RWY 07/25 CLSD FOR LDG OF CODE E ACFT',
    'RWY 07/25 CLSD TO TRANSIENT ACFT',
    'RWY 07/25 CLSD CANCELLED',
    'RWY 07/25 CLSD MARKINGS REMOVED',
    'RWY 07/25 WILL NOT BE CLSD',
    'RWY 07/25 MAY BE CLSD AT SHORT NOTICE',
    'RWY 07/25 SHOULDERS CLSD',
    'RWY 07/25 CLSD W OF TWY C',
    'RWY 07/25 REOPENED',
    'ALL RWYS CLSD EXC RWY 08/26',
    'AD CLSD EXC RWY 09/27',
    'TKOF AND LDG PROHIBITED EXC ON RWY 09/27',
    'RWY 07/25 CLSD BTN 2200 AND 0500',
    'START OF RWY CLSD WILL BE DELAYED',
    'RWY 05/23 CLSD BTN TWY A AND TWY C',
    'RWY 11R/29LR CLSD',
    'FORMATION TAKE OFF AND LANDING NOT ALLOWED ON RWY 16/34',
    'INTERSECTION TAKE OFFS RWY 09/27 ARE SUSPENDED',
    'TRIGGER NOTAM - AIP SUP 1/26 - RWY 06/24 CLOSURE',
    'TKOF RWY 08L NOT AUTH FM TWY M10 WHEN RVR BLW 1200FT',
  ])('%s', (text) => {
    expect(read(text).certain.filter((each) => / closed/.test(each) && !each.startsWith('exit'))).toEqual([]);
  });

  test.each([
    'RWY 05/23 CLSD FOR VFR TRAFFIC.',
    'RWY 05/23 CLSD BTN TWY A AND TWY C',
    'RWY09/27 NOT REGULAR WINTER MAINTENANCE',
  ])('A text that is not understood is flagged: %s', (text) => {
    const { certain, flags } = read(text);
    expect(certain).toEqual([]);
    expect(flags.length).toBeGreaterThan(0);
  });
});

describe('uncertain closures', () => {
  test.each([
    ['RWY 13L/31R CSLD', ['runway 13L closed', 'runway 31R closed'], /misspelt/],
    ['RWY 03L/21R CLSD EXC A5.', ['runway 03L closed', 'runway 21R closed'], /A5/],
    ['RWYS AND APRON CLSD DUE WIP.', ['all runways closed'], /without a designator/],
    ['TKOF AND LDG PROHIBITED EXC EMERG', ['aerodrome closed'], /whole aerodrome/],
    [
      'GRASS RWY 08R/26L OPEN FOR HELICOPTER ONLY.',
      ['runway 08R closed', 'runway 26L closed'],
      /helicopters/,
    ],
  ])('%s', (text, effects, flag) => {
    const result = read(text);
    expect(result.certain).toEqual(effects);
    expect(result.flags.join()).toMatch(flag);
  });

  test('A closure at an unknown time is uncertain', () => {
    for (const text of [
      'RWY 02/20 CLSD DURING THE ACTIVATION OF ZRT X',
      'RWY 10/28 CLSD OUTSIDE AFIS HOURS OF OPS',
      'RWY 16/34 CLSD DUE TO WIP. DATES AND TIMES: 03 05 07 0710-1515',
      'RWY 13/31 CLSD DUE TO WIP EXC FOR COMMERCIAL FLT AND MEDEVAC',
      'RWY 13/31 CLSD TO ALL TRAFFIC EXC: - STATE FLIGHTS, - IFR COMMERCIAL SCHEDULED TRAFFIC',
    ]) {
      const { certain, effects, flags } = read(text);
      expect(certain).toEqual([]);
      expect(effects).toHaveLength(2);
      expect(flags.length).toBeGreaterThan(0);
    }
  });
});

describe('closures for takeoff or landing only', () => {
  test.each([
    [
      'LDG RWY 18L AND TKOF RWY 36R PROHIBITED FOR ALL TRAFFIC',
      ['runway 18L closed for landing', 'runway 36R closed for take-off'],
    ],
    ['RWY 25 NOT AVBL FOR LANDING OPS', ['runway 25 closed for landing']],
    ['TKOF PROHIBITED RWY 12', ['runway 12 closed for take-off']],
    ['RWY 02/20 USE RESTRICTIONS : - LDG RWY 20 PROHIBITED.', ['runway 20 closed for landing']],
    ['RWY 22 : APPROACH AND LDG PROHIBITED', ['runway 22 closed for landing']],
    ['RWY 36 TKOF ONLY', ['runway 36 closed for landing']],
    ['RWY 18R AVBL FOR LDG ONLY', ['runway 18R closed for take-off']],
    ['NO LANDING ON RWY 09', ['runway 09 closed for landing']],
    ['RWY 09R CLSD FOR LANDINGS BUT AVBL FOR TKOF', ['runway 09R closed for landing']],
    ['RWY 05 CLSD TO ARR', ['runway 05 closed for landing']],
    ['LANDING PROHIBITED (ARRESTING GEAR MAINT).', ['all runways closed for landing']],
  ])('%s', (text, effects) => expect(read(text, 'QMRLT').certain).toEqual(effects));
});

describe('shortened runways and displaced thresholds', () => {
  test.each([
    ['FIRST 158M FROM THE BEGINNING OF RWY 32 CLSD', ['first 158 m of 32 closed', 'last 158 m of 14 closed']],
    [
      'PART OF RWY 16/34, FIRST 502M FM THE BEGINNING OF RWY 16, CLSD',
      ['first 502 m of 16 closed', 'last 502 m of 34 closed'],
    ],
    ['RWY 09L/27R CLOSED LAST 200M OF RWY 09L.', ['last 200 m of 09L closed', 'first 200 m of 27R closed']],
    ['RWY 09L FIRST 300M CLOSED.', ['first 300 m of 09L closed', 'last 300 m of 27R closed']],
    ['RWY 04/22 SW 2000FT CLSD', ['first 609.6 m of 04 closed', 'last 609.6 m of 22 closed']],
    ['WEST 500M OF RWY 09/27 CLSD', ['first 500 m of 09 closed', 'last 500 m of 27 closed']],
    ['THR 24 DISPLACED 200M INWARDS', ['threshold 24 displaced by 200 m']],
    ['THR RWY 27 DISPLACED BY 1800M', ['threshold 27 displaced by 1800 m']],
    ['RWY 29R THR DISPLACED 500FT', ['threshold 29R displaced by 152.4 m']],
  ])('%s', (text, effects) => {
    const { certain, flags } = read(text, 'QMRXX');
    expect(certain).toEqual(effects);
    expect(flags).toContain('LDA not stated: derived from the shortening');
  });

  test('A closed last part usable as stopway shortens nothing', () => {
    expect(read('LAST 224M RWY04 NOT AVBL BUT USABLE AS SWY04', 'QMDCH').certain).toEqual([]);
  });

  test('A compass direction across the runway is flagged', () => {
    const { certain, flags } = read('RWY 04/22 NW 500FT CLSD', 'QMRLC');
    expect(certain).toEqual([]);
    expect(flags.join()).toMatch(/end not clear/);
  });
});

describe('declared distances', () => {
  test.each([
    [
      'RWY 06: TORA 850M, LDA 1200M. RWY 24: TORA 1200M, LDA 850M.',
      'TORA 06 850 m|LDA 06 1200 m|TORA 24 1200 m|LDA 24 850 m',
    ],
    [
      'RWY 31 : TORA = TODA = ASDA = LDA = 1888M',
      'TORA 31 1888 m|TODA 31 1888 m|ASDA 31 1888 m|LDA 31 1888 m',
    ],
    ['RWY 01 TORA/TODA/ASDA 768M LDA 736M', 'TORA 01 768 m|TODA 01 768 m|ASDA 01 768 m|LDA 01 736 m'],
    [
      '-TODA : 32L 450M 14R 460M -LDA : 32L 370M 14R 450M',
      'TODA 32L 450 m|TODA 14R 460 m|LDA 32L 370 m|LDA 14R 450 m',
    ],
    [
      'RWY DIMENSIONS TODA ASDA LDA 04 657 X 100 M 657 657 640 22 657 X 100 M 650 650 558',
      'TODA 04 657 m|ASDA 04 657 m|LDA 04 640 m|TODA 22 650 m|ASDA 22 650 m|LDA 22 558 m',
    ],
    ['RWY36 : TORA (485) LDA (630) USABLE FOR TKOF (TORA / TODA)', 'TORA 36 485 m|LDA 36 630 m'],
    ['- TORA RWY06L 3096M - LDA RWY24R 3029M', 'TORA 06L 3096 m|LDA 24R 3029 m'],
    ['TODA RWY 15L/33R : 2034M', 'TODA 15L 2034 m|TODA 33R 2034 m'],
    ['QFU 06 : - ASDA 700M - LDA 700M', 'ASDA 06 700 m|LDA 06 700 m'],
    ['3.-RWY 32 LDA REMAINS UNCHANGED 2158M.', 'LDA 32 2158 m'],
  ])('%s', (text, effects) => expect(read(text, 'QMDCH').certain.join('|')).toBe(effects));

  test('Feet are recognised, explicit or by region', () => {
    expect(read('RWY 13 LDA 6000FT', 'QMDCH').certain).toEqual(['LDA 13 1828.8 m']);
    expect(read('RWY 13 LDA 6000', 'QMDCH', { isFeet: true }).certain).toEqual(['LDA 13 1828.8 m']);
  });

  test('Intersection figures are kept separate', () => {
    expect(
      read('DECLARED DISTANCES RWY 32 INTERSECTION TWY F TORA 1857M TODA 2062M ASDA 1857M.', 'QMDCH').certain,
    ).toEqual(['1857 m from F on 32']);
    expect(read('RWY 35 : NEW REMAINING DISTANCES FROM : - B = 1320M - C3 = 1025M', 'QMDCH').certain).toEqual(
      ['1320 m from B on 35', '1025 m from C3 on 35'],
    );
    const { certain, flags } = read('START POINT RWY15 (TORA 1885M) NOT AVBL', 'QMDXX');
    expect(certain).toEqual([]);
    expect(flags.length).toBeGreaterThan(0);
  });

  test('A figure mentioned without taking effect is flagged', () => {
    const { certain, flags } = read('RWY16 : LDA OF 1951M MEANS A FINAL APP SLOPE OF 5.1 PER CENT', 'QMDXX');
    expect(certain).toEqual([]);
    expect(flags).toContain('a declared distance is mentioned but was not understood');
  });

  test('Of two figures for one distance the shorter applies and is flagged', () => {
    const { certain, flags } = read('RWY 16 LDA 1400M. RWY 16 LDA 1300M', 'QMDCH');
    expect(certain).toEqual(['LDA 16 1300 m']);
    expect(flags.join()).toMatch(/two figures/);
  });
});

describe('closed exits and taxiways', () => {
  test.each([
    [
      'RWY 09L/27R ENTRY/EXIT A10W AND AB12/A12 CLSD.',
      'QMRLT',
      ['A10W:09L,27R', 'AB12:09L,27R', 'A12:09L,27R'],
    ],
    ['TWY A6 CLSD', 'QMXLC', ['A6:']],
    ['TWY ALPHA CLSD', 'QMXLC', ['A:']],
    ['TWY N1, TWY N2 AND N4 CLOSED', 'QMXLC', ['N1:', 'N2:', 'N4:']],
    ['RAPID EXIT TAXIWAY N5 CLOSED', 'QMYLC', ['N5:']],
    ['TWY Z BTN RWY 04L/22R AND TWY Y CLSD', 'QMXLC', ['Z:04L,22R']],
    ['TWY L BTN TWY A AND TWY B CLSD', 'QMXLC', []],
    ['TWY S11 CLSD BTN TWY R AND TWY S', 'QMXLC', []],
  ])('%s', (text, qCode, exits) => {
    const { effects } = read(text, qCode);
    expect(effects.map((e) => (e.kind === 'exitClosed' ? `${e.name}:${e.runways.join()}` : e.kind))).toEqual(
      exits,
    );
  });

  test('Limits by aircraft size are conditions', () => {
    const { certain, flags } = read('TWY A6 CLSD EXC ACFT WINGSPAN LESS THAN 118FT', 'QMXLC');
    expect(certain).toEqual([]);
    expect(flags).toHaveLength(1);
  });
});

describe('subjects without a reader', () => {
  const flagsOf = (qCode: string, text: string) => {
    const { effects, flags } = read(text, qCode);
    expect(effects).toEqual([]);
    return flags;
  };
  const closure = ['closure of the aerodrome or a runway, not understood'];
  const distance = ['a declared distance is mentioned but was not understood'];
  const trigger = ['trigger NOTAM: see the supplement'];

  test.each([
    ['QOBCE', 'RWY 09/27 CLSD', closure],
    ['QMWLC', 'RWY 08/26 LANE A CLSD', closure],
    ['QPIAU', 'ALL IFR APCH PROCEDURE SUSPENDED DUE TO RWY CLOSURE', closure],
    ['QPIAU', 'NOT AVBL DURING CLOSURE OF RWY 09/27', closure],
    ['QFAXX', 'ADD NEW SUBPOINT: RWY 10/28 AND ALL TWY CLSD TO ALL OPERATIONS EVERY SATURDAY', closure],
    ['QOBCE', 'CRANE WILL ONLY OPR WHEN RWY 09L/27R IS CLSD', []],
    ['QFHLC', 'FATO CLSD : HEL TKOF AND LDG ON PAVED RWY 18/36', []],
    [
      'QOAXX',
      'AD 2.12 RWY 01 CWY DIMENSIONS 840 TO READ 329. AD 2.13 RWY 01 TODA 4041 TO READ 3530',
      distance,
    ],
    ['QMXLT', 'TAXILANE N OF RWY 07/25 LTD: 1. TXL WID: 4M 4. TORA RWY 07: 1283M', distance],
    ['QOBCE', 'CRANE ERECTED 2090M BEYOND TORA RWY 22', []],
    ['QICAS', 'LDA RWY 06L U/S', []],
    ['QOBCE', 'CRANE ERECTED NEAR RWY 09', []],
    ['QMRLC', 'ULM RWY CLOSED', []],
    ['QSTLC', 'AERODROME TWR CLSD', []],
    ['QFUAU', 'AD AP FUEL CLSD', []],
    ['QFUAU', 'FUEL AT AIRPORT NOT AVBL, PUMP CLSD', []],
    ['QSTLC', 'AERODROME AND TWR CLSD', closure],
    ['QFUAU', 'RWY 09/27, TWR CLSD', closure],
    ['QFUAU', 'AD DUE FUEL CLSD', closure],
    ['QFUAU', 'AD CLSD FUEL CLSD', closure],
    ['QFUAU', 'FUEL AT AIRPORT NOT AVBL, AD CLSD', closure],
  ])('%s %s', (qCode, text, flags) => expect(flagsOf(qCode, text)).toEqual(flags));

  test.each([
    ['QFATT', 'TRIGGER NOTAM - AIP SUP 098/2025 WEF 03 JUL. XA AERODROME CLSD', trigger],
    ['QMXTT', 'TRIGGER NOTAM - AIP SUP IFR 01/26 WEF 02 FEB 2026. RECONSTRUCTION OF TWY J', trigger],
    ['QFATT', 'TRIGGER NOTAM - PERM AIRAC AIP AMDT 02/26. MODIFICATION : - RWY NUMBER - QFU', trigger],
    ['QFATT', 'TRIGGER NOTAM. PERM AIRAC AMDT 002/2026 19 FEB 2026. MAG VAR UPDATE', []],
    ['QMRTT', 'TRIGGER NOTAM. PERM AIRAC AMDT 002/2026 19 FEB 2026', trigger],
    ['QRTTT', 'TRIGGER NOTAM - AIP SUP 005/26. TEMPORARY RESTRICTED AREA', []],
  ])('%s %s', (qCode, text, flags) => expect(flagsOf(qCode, text)).toEqual(flags));

  test.each([
    'AD OPR HR MON CLSD TUE-THU 1000-1700 AND 1800-2230 FRI 0900-1400',
    'AERODROME HOURS OF SERVICE ARE NOW MON-THU 0430-2220, FRI 0430-1905, SAT CLSD, SUN 1245-2210',
    'MARHAM AD OPR HOURS FEB 05 0800-1730 FEB 06 0845-1915 FEB 07-08 CLOSED',
  ])('Aerodrome hours with a closure are flagged: %s', (text) =>
    expect(flagsOf('QFAAH', text)).toEqual(['closed at times that were not understood']),
  );

  test('Aerodrome hours without a closure are not flagged', () =>
    expect(flagsOf('QFAAH', 'AD OPR HR MON-FRI 0600-2000')).toEqual([]));
});

test('Work on markings can shorten a runway', () => {
  const { certain, flags } = read(
    '1. DUE TO WIP FIRST 1448M RWY 29R UNSERVICEABLE MARKED WITH CLSD RWY MARKINGS. 2. DISREGARD EXISTING TDZ MARKINGS PATTERN RWY 11L. NEW RWY 11L LDA 1900.',
    'QMMHW',
  );
  expect(certain).toEqual(['first 1448 m of 29R closed', 'last 1448 m of 11L closed', 'LDA 11L 1900 m']);
  expect(flags).toEqual(['LDA not stated: derived from the shortening']);
  expect(read('RWY 05/23 MARKINGS LIMITED', 'QMMXX')).toMatchObject({ effects: [], flags: [] });
});

describe('markings and lights of part of a runway', () => {
  test.each([
    ['QMMAU', 'TDZ MARKINGS FIRST 900M RWY 09 NOT AVBL'],
    ['QMMAU', 'CENTRE LINE MARKING LAST 900M OF RWY 27 UNUSABLE'],
    ['QMMAU', 'TDZ MARKINGS OF THE FIRST 900M RWY 09 NOT AVBL'],
    ['QMMAU', 'TDZ MARKINGS NOT AVBL FIRST 900M RWY 09'],
    ['QMRAS', 'RWY CENTRE LINE LIGHTS LAST 900M RWY 09 UNSERVICEABLE'],
    ['QMRAS', 'DUE TO WIP RCLL RWY 09 LAST 900M U/S'],
    ['QMRAS', 'RWY 09/27 EDGE LGT: FIRST 900M OF RWY 09 U/S'],
    ['QMRAS', 'RWY EDGE LGT WEST 500M OF RWY 09/27 U/S'],
  ])('Markings and lights of a part shorten nothing and are flagged: %s %s', (qCode, text) => {
    const { effects, flags } = read(text, qCode);
    expect(effects).toEqual([]);
    expect(flags.join()).toMatch(/^markings or lights of a part of the runway: "/);
  });

  test.each([
    'DUE TO WIP FIRST 900M RWY 09 U/S MARKED WITH CLSD RWY MARKINGS',
    'RWY EDGE LGT U/S. FIRST 900M RWY 09 U/S',
    'RWY EDGE LGT U/S AND FIRST 900M RWY 09 NOT AVBL',
    'DUE TO WIP ON LIGHTS FIRST 900M RWY 09 NOT AVBL',
    'EDGE MARKED WITH LIGHTS, FIRST 900M RWY 09 NOT AVBL',
    'TDZ FIRST 900M RWY 09 CLSD',
  ])('A closed part of the runway itself shortens it: %s', (text) =>
    expect(read(text, 'QMMHW').certain).toEqual(['first 900 m of 09 closed', 'last 900 m of 27 closed']),
  );
});
