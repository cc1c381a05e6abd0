import { describe, expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { runwaysInUse, runwaysIntoWind, runwaysOfAtis } from './runway-in-use.ts';

const read = (text: string, idents: string[] = []) => {
  const found = runwaysOfAtis([text], idents, 'VATSIM');
  return found && [found.arrival.join(' '), found.departure.join(' ')];
};

describe('with an ATIS', () => {
  test.each([
    ['ARR RWY 27 / DEP RWY 27 / TRL FL060 / TA 5000ft', '27', '27'],
    ['ARR RWY 16L 16R / DEP RWY 25 / TRL FL70 / TA 6000ft', '16L 16R', '25'],
    ['RWY 16L ARR RWY 34R DEP. QNH 1013', '16L', '34R'],
    [
      'ARR RWY 30R 30L  / DEP RWY 30R 30L / TRL FL60 / RMK INFO LFMP / ARR RNAV RNPZ RWY 33',
      '30L 30R',
      '30L 30R',
    ],
    ['1020. LDG RWY 27L. DEP RWY 27R. TRL 70', '27L', '27R'],
    ['A3049. ILS RWY 22L APCH IN USE, DEPTG RWY 22R. READBACK ALL HOLD SHORT', '22L', '22R'],
    ['LANDING AND DEPARTING RWY 6L AND 6R. DEPATURES EXPECT RWY 06L', '06L 06R', '06L 06R'],
    [
      'ARRIVALS EXPECT ILS APPROACH RWY 7. LANDING AND DEPARTING RWY 7. NOTAMS... RWY 6/24 CLOSED',
      '07',
      '07',
    ],
    [
      'VIS APP TO RWYS 27R AND 27L IN USE. DEPTG RWYS 27R, 27C AND 27L. VFR AIRCRAFT',
      '27L 27R',
      '27C 27L 27R',
    ],
    ['VIS APP TO RWYS THREE FIVE RIGHT AND THREE SIX LEFT IN USE. BTN RWY 17R AND 35L', '35R 36L', ''],
    ['RUNWAY IN USE 26L. TRANSITION LEVEL 70. ILS APPROACH TO BE EXPECTED', '26L', '26L'],
    ['EXPECT VECTORS FOR ILS APPROACH RWY 23L .. RUNWAYS IN USE 23L .. TRL 60', '23L', '23L'],
    ['RNP APCH RWY IN USE 35 TRL 50', '35', '35'],
    ['RUNWAYS 24 AND 15 IN USE, EXPECT ILS RWY 24 APCH OR RNAV RWY 15 APCH', '15 24', '15 24'],
    ['SIMUL VIS APCHS IN USE RWYS 10L AND 10R. DEPTG RWYS 10L AND 10R', '10L 10R', '10L 10R'],
    ['EXPECT ILS APPROACH RUNWAY 27 TRANSITION LEVEL 60 WIND 210 DEGREES 12 KNOTS', '27', ''],
    ['AT TIME 2300Z. EXP ILS APPROACHES. ARR RWY 30 LEFT. SFC WIND 26008KT. RWY 30 RIGHT CLSD', '30L', ''],
    ['DEPG RWY8, RWY25, RUNWAY 3 4 LEFT. NOTAMS', '', '08 25 34L'],
    ['RUNWAY IN USE 2 7, TRANSITION LEVEL FLIGHT LEVEL 7 5, SURFACE WIND 21 0, 10 KNOTS', '27', '27'],
    ['ATIS YMML P 210111 [APCH] EXP GLS APCH [RWY] 34 ARRS, 27 DEPS +[WIND] 010/22', '34', '27'],
    ['[RWY] 16 FOR ARRS RWY 27 FOR DEPS [WIND] 250/8', '16', '27'],
    ['[RWY] 03 ARRS. 03 DEPS VIA OTLED & KEELS, 06 FOR ALL OTHER DEPS +[WIND] 100/7', '03', '03 06'],
    ['[APCH] EXP INST APCH [RWY] 34L AND R FOR ARRIVALS AND DEPS', '34L 34R', '34L 34R'],
    ['ATIS YBSU J 081337 [RWY] 13 +[WIND] 130/11', '13', '13'],
    ['LANDING RUNWAY 04 LEFT, TAKEOFF RUNWAY 04 RIGHT. EXPECTED DEPARTURES 6 ALPHA.', '04L', '04R'],
    ['DEP 6A,6B,6C, TAKEOFF 04R, LANDING 04L, APPROACH ILS 04L', '04L', '04R'],
    ['EXP ILS ZULU OR YANKEE APPROACH RUNWAY 29 DEPARTURE RUNWAY 29', '29', '29'],
    ['V O R DME APPROACH. RUNWAY ZERO EIGHT. TRANSITION LEVEL ONE EIGHT ZERO', '08', '08'],
    ['EXP ILS APCH RWY IN USE 03 TL 35 FOR DEP CLEARANCE CONTACT GND', '03', '03'],
    ['ILS APPROACH RUNWAY 05 RUNWAYS IN USE 05 FOR LANDING 33 FOR TAKE OFF TRL 70', '05', '33'],
    ['ILS APPROACH RUNWAY 01 FOR ARRIVALS RUNWAY 07R FOR DEPARTURES', '01', '07R'],
    ['ILS 25L FREQUENCY 110.35 RUNWAY 25L AND 25R FOR ARRIVAL RUNWAY 25R FOR DEPARTURE', '25L 25R', '25R'],
    ['ILS APPROACH RUNWAY 23 RUNWAY 23 IN USE FOR LANDING AND TAKE OFF', '23', '23'],
    ['ARRIVAL RUNWAY 23R DEPARTURE RUNWAY 23L RUNWAY 23L AND 23R DRY DRY DRY', '23R', '23L'],
    ['ARRIVAL RUNWAY 07L RUNWAY 07R DEPARTURE RUNWAY 07R WIND CALM', '07L 07R', '07R'],
    [
      'SIMUL ILS APPS IN PROG RWYS 6L AND 7R. SIMUL INSTRUMENT DEPS IN PROG RWYS 6R AND 7L',
      '06L 07R',
      '06R 07L',
    ],
    ['SIMUL ILS Z RWY 22R AND ILS RWY 21L APCHS IN USE. DEPG RWY 21R, RWY 22L', '21L 22R', '21R 22L'],
    ['APCH IN USE RNAV GPS *Z RY 13L, RNAV GPS *X RY 22L. DEPTG RY 13R', '13L 22L', '13R'],
    ['SIMUL DEPS, DEPG RWYS 26L, 27R. SIMUL APCHS IN USE VIS 26R, VIS 27L', '26R 27L', '26L 27R'],
    ['ILS RWY 8 APCH IN USE. ARVNG AND DEPG RWY 8 AND RWY 15. LAHSO IN EFFECT RWY 15', '08 15', '08 15'],
    ['DEPTG RWYS 1R FULL LENGTH, AND 1L AT TWY B. LDG RWYS 26L, 1L, AND 1R', '01L 01R 26L', '01L 01R'],
    ['LANDING RUNWAYS 18L AND 18R. DEPARTING RUNWAYS 18R, 18C AND 9 ON REQUEST', '18L 18R', '18C 18R'],
    ['ARR RWY 16LR / DEP RWY 25 16R / TRL FL70', '16L 16R', '16R 25'],
    ['ARR RWY 25L., 25R., DEP RWY 25L., 25R..', '25L 25R', '25L 25R'],
    ['LANDING RWY 0 3R, TAKE OFF RWY 0 3R. RWY 0 3L 21R AND TAXIWAYS ALPHA CLOSED', '03R', '03R'],
    ['RUNWAY IN USE 28 RIGHT HAND CIRCUIT', '28', '28'],
    ['EXPECT ILS APPROACH RWY 36 CIRCLING RWY 18. DEPARTURE RWY 18', '18', '18'],
    ['ILS RWY 5 IN USE. RUNWAY 23 WINDSOCK OUT OF SERVICE', '05', ''],
    ['ILS Z APCH EXPECTED. RWY 24 IN USE. RUNWAY 06 CONDITION REPORT AT 1854 UTC', '24', '24'],
    ['LNDG/DEPG RWY 04L', '04L', '04L'],
    ['RWY 03 FOR ARR. RWY 06 FOR DEP', '03', '06'],
  ])('With the ATIS %s aircraft land on %s and depart from %s', (text, arrival, departure) => {
    expect(read(text)).toEqual([arrival, departure]);
  });

  test.each([
    'KDEN 2253Z 05008KT 10SM FEW080 16/M03 A3000. NOTAMS... RWY 17R CLSD. ASDE-X IN USE',
    'SURFACE RADAR IN USE. TRANSITION LEVEL 60 WIND 210 DEGREES 12 KNOTS',
    'DEPARTURE FREQUENCY FOR ALL DEPARTING AIRCRAFT IS LANGEN RADAR ON 121.355',
    'DEP FREQ 122.800',
    'DEP 6R // ARR 6T EXCEPT ILSZ',
    'TL 50 FOR DEP CLEARANCE CONTACT GND 121.750. CAUT DEPTG TFC RWY 18 HS OF CAT 2 HOLDING',
    'RWY 16/34 CLOSED. ILS 34R U/S. WIND SHEAR RUNWAY 05 LEFT. SUGGESTED RUNWAYS 10L & 10R',
    'WHEN ILS RWY 36 APP IN USE REDUCE SPEED. AFTER LANDING RWY 25L VACATE ASAP',
    'NOTAMS... LANDING RUNWAY 09 EXPECT TO HOLD SHORT RWY 14',
  ])('The ATIS %s states no runway', (text) => {
    expect(read(text)).toBeNull();
  });

  test('A stated runway missing in the airport data is reported and not mistaken for another', () => {
    expect(
      runwaysOfAtis(['RUNWAY 4 IN USE. EXPECT ILS 04R'], ['04L', '04R', '22L', '22R'], 'VATSIM'),
    ).toEqual({
      source: 'VATSIM',
      isGuess: false,
      arrival: ['04R'],
      departure: [],
      notInData: ['04'],
      text: 'ILS 04R; RWY 4 IN USE',
    });
    expect(runwaysOfAtis(['ARR RWY 33 / DEP RWY 33'], ['09', '27'], 'IVAO')).toMatchObject({
      arrival: [],
      departure: [],
      notInData: ['33'],
    });
  });

  test('Remarks in an IVAO ATIS about other aerodromes are ignored', () => {
    const lines = [
      'LFMT 041530Z CAVOK Q1030 RMK A2999',
      'ARR RWY 30R 30L / DEP RWY 30R',
      'RMK INFO LFMP / ARR RNAV RWY 33',
    ];
    expect(runwaysOfAtis(lines, [], 'IVAO')).toMatchObject({ arrival: ['30L', '30R'], departure: ['30R'] });
  });

  test('An arrival ATIS states landing runways, a departure ATIS departure runways', () => {
    const station = (callsign: string, text: string) => ({ callsign, atis: [text] });
    const found = runwaysInUse(
      {
        networkA: null,
        networkB: [
          station('ESSA_A_ATIS', 'ILS RWY 19L IN USE. DEP RWY 08.'),
          station('ESSA_D_ATIS', 'RWY 19R IN USE. ARR RWY 26.'),
        ],
      },
      [],
      null,
    );
    expect(found).toMatchObject([{ arrival: ['19L'], departure: ['19R'] }]);
  });

  test('Most ATIS of a whole network state a runway', () => {
    const { atis } = JSON.parse(sharedData('weather').text('vatsim-data-v3.sample.json')) as {
      atis: { text_atis: string[] | null }[];
    };
    const texts = atis.flatMap(({ text_atis: lines }) => (lines ? [lines] : []));
    const named = texts.filter((lines) => /\b(?:RWYS?|RUNWAYS?|RY) ?\d/i.test(lines.join(' ')));
    const found = named.filter((lines) => runwaysOfAtis(lines, [], 'VATSIM') !== null);
    expect(named.length).toBeGreaterThan(20);
    expect(found.length / named.length).toBeGreaterThan(0.9);
  });

  test('Only the beginning of a text much longer than any ATIS is read', () => {
    const filled = (length: number) => read(`${'X '.repeat(length / 2)}LANDING RWY 27`);
    expect(filled(1_900)).toEqual(['27', '']);
    expect(filled(2_000)).toBeNull();
  });
});

describe('without an ATIS', () => {
  const end = (ident: string, trueBearingDeg: number, isClosed = false) => ({
    ident,
    trueBearingDeg,
    isClosed,
    lengthM: 3_000,
  });
  const ends = [
    end('04L', 31),
    end('04R', 31),
    end('13L', 121),
    end('22L', 211),
    end('22R', 211),
    end('31R', 301),
  ];
  const wind = (directionDeg: number | null, speedKt: number | null) => ({
    kind: 'wind' as const,
    directionDeg,
    variable: directionDeg === null,
    speedKt,
    gustKt: null,
    isGustMissing: false,
    above: false,
  });

  test('Runways into the wind are a guess, with parallels together and closed ones excluded', () => {
    expect(runwaysIntoWind(wind(50, 12), ends)).toEqual({
      source: 'WIND',
      isGuess: true,
      arrival: ['04L', '04R'],
      departure: ['04L', '04R'],
      notInData: [],
      text: 'wind 050/12 kt',
    });
    const closed = ends.map((one) => (one.ident === '04L' ? { ...one, isClosed: true } : one));
    expect(runwaysIntoWind(wind(50, 12), closed)?.arrival).toEqual(['04R']);
  });

  test('There is no guess in calm or variable wind, without a report or without runways', () => {
    for (const given of [wind(50, 2), wind(null, 5), wind(50, null), null])
      expect(runwaysIntoWind(given, ends)).toBeNull();
    expect(runwaysIntoWind(wind(50, 12), [])).toBeNull();
  });
});
