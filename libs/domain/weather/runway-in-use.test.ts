import { describe, expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { runwaysIntoWind, runwaysOfAtis } from './runway-in-use.ts';

const read = (text: string, idents: string[] = []) => {
  const found = runwaysOfAtis([text], idents, 'VATSIM');
  return found && [found.arrival.join(' '), found.departure.join(' ')];
};

describe('an ATIS', () => {
  test.each([
    ['ARR RWY 27 / DEP RWY 27 / TRL FL060 / TA 5000ft', '27', '27'],
    ['ARR RWY 16L 16R / DEP RWY 25 / TRL FL70 / TA 6000ft', '16L 16R', '25'],
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
    ['ILS Z APCH EXPECTED. RWY 24 IN USE. RUNWAY 06 CONDITION REPORT AT 1854 UTC', '24', '24'],
    ['LNDG/DEPG RWY 04L', '04L', '04L'],
    ['RWY 03 FOR ARR. RWY 06 FOR DEP', '03', '06'],
  ])('%s: lands on %s, departs from %s', (text, arrival, departure) => {
    expect(read(text)).toEqual([arrival, departure]);
  });

  test.each([
    'KDEN 2253Z 05008KT 10SM FEW080 16/M03 A3000. NOTAMS... RWY 17R CLSD. ASDE-X IN USE',
    'SURFACE RADAR IN USE. TRANSITION LEVEL 60 WIND 210 DEGREES 12 KNOTS',
    'DEPARTURE FREQUENCY FOR ALL DEPARTING AIRCRAFT IS LANGEN RADAR ON 121.355',
    'DEP FREQ 122.800',
  ])('%s: states no runway', (text) => {
    expect(read(text)).toBeNull();
  });

  test('Runways of another field that the controller serves do not count', () => {
    expect(read('ARR RWY 33 / DEP RWY 33L', ['33L', '15R'])).toEqual(['', '33L']);
    expect(read('ARR RWY 33 / DEP RWY 33', ['09', '27'])).toBeNull();
  });

  test('Most of the ATIS of a whole network state a runway', () => {
    const { atis } = JSON.parse(sharedData('weather').text('vatsim-data-v3.sample.json')) as {
      atis: { text_atis: string[] | null }[];
    };
    const texts = atis.flatMap(({ text_atis: lines }) => (lines ? [lines] : []));
    const named = texts.filter((lines) => /\b(?:RWYS?|RUNWAYS?|RY) ?\d/i.test(lines.join(' ')));
    const found = named.filter((lines) => runwaysOfAtis(lines, [], 'VATSIM') !== null);
    expect(named.length).toBeGreaterThan(20);
    expect(found.length / named.length).toBeGreaterThan(0.9);
  });

  test('Of a text much longer than any ATIS only the beginning is read', () => {
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

  test('The runways into the wind are a guess, parallel ones together, closed ones left out', () => {
    expect(runwaysIntoWind(wind(50, 12), ends)).toEqual({
      source: 'WIND',
      isGuess: true,
      arrival: ['04L', '04R'],
      departure: ['04L', '04R'],
      text: 'wind 050/12 kt',
    });
    const closed = ends.map((one) => (one.ident === '04L' ? { ...one, isClosed: true } : one));
    expect(runwaysIntoWind(wind(50, 12), closed)?.arrival).toEqual(['04R']);
  });

  test('No guess in a calm or variable wind, without a report or without runways', () => {
    for (const given of [wind(50, 2), wind(null, 5), wind(50, null), null])
      expect(runwaysIntoWind(given, ends)).toBeNull();
    expect(runwaysIntoWind(wind(50, 12), [])).toBeNull();
  });
});
