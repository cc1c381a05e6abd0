import { expect, test } from 'vitest';
import { atisFacts } from './atis-facts.ts';

const facts = (text: string) =>
  atisFacts({ networkA: null, networkB: [{ callsign: 'EFTP_ATIS', atis: [text] }] })[0];

test.each([
  ['TRL 65. AUTO. T M01 DP M03 QNH 1010. ACK INFO T', 65, 1010],
  ['TRANSITION LEVEL FLIGHT LEVEL 6 0, SURFACE WIND 18 0, 4 KNOTS QNH 101 7, THRESHOLD QFE 100 8,', 60, 1017],
  ['TRANSITION LEVEL ONE EIGHT ZERO. QNH NINER NINER FOUR.', 180, 994],
  ['LFMT 041530Z CAVOK 15/09 Q1030 NOSIG ARR RWY 30 / TRL FL060 / TA 5000FT', 60, 1030],
  ['CLR 19/M01 A3021 (THREE ZERO TWO ONE)', null, 1023],
  ['09. 07. A1022 (ONE ZERO TWO TWO)', null, 1022],
  ['QNH 1002 HPA TRANSITION LEVEL 3600 M', null, 1002],
  ['Q N H 0 9 9 7, Q F E 0 9 9 7. TRANSITION LEVEL 6 0.', 60, 997],
  ['DEP FREQ 122.800', null, null],
  ['TRL070. ALTIMETER 2992', 70, 1013],
  ['T/L 70 QNH1013', 70, 1013],
])('%s', (text, transitionLevel, qnh) => {
  expect(facts(text)).toMatchObject({ transitionLevel, qnh });
});

test.each([
  [
    'RUNWAY 06 CONDITION REPORT AT 1854 UTC. RUNWAY CONDITION CODES 4 DOWNGRADED, 4 DOWNGRADED, 4 DOWNGRADED.',
    [{ runways: ['06'], codes: [4, 4, 4], surface: null }],
  ],
  ['ALL RWYS, COND CODE, 5, 5, 3 AT 0851Z', [{ runways: [], codes: [5, 5, 3], surface: null }]],
  ['ALL RWYS RWY CONDITION CODE 5 5 5 ISSUED AT 0753Z', [{ runways: [], codes: [5, 5, 5], surface: null }]],
  ['RUNWAY 23L AND 23R DAMP DAMP WET', [{ runways: ['23L', '23R'], codes: null, surface: 'DAMP DAMP WET' }]],
  ['[RWY] 23L [RWY COND] DRY', [{ runways: [], codes: null, surface: 'DRY' }]],
  ['RWY 27 RCC 5/5/3', [{ runways: ['27'], codes: [5, 5, 3], surface: null }]],
  ['RUNWAY CONDITION CODE RUNWAY 27 5 5 5', [{ runways: ['27'], codes: [5, 5, 5], surface: null }]],
  ['RWYCC 5/5/5', [{ runways: [], codes: [5, 5, 5], surface: null }]],
  ['GRF FOR RWY 27, 3/3/3. ARR RWY 27', [{ runways: ['27'], codes: [3, 3, 3], surface: null }]],
  ['RUNWAY 25 COVERED WITH FROST', [{ runways: ['25'], codes: null, surface: 'FROST' }]],
  ['ALL RWYS 100 PCT BARE AND DRY', [{ runways: [], codes: null, surface: 'BARE AND DRY' }]],
  ['SKY CONDITION BROKEN 600 FEET. RUNWAY 27 IN USE', []],
])('The runway condition of an ATIS is read: %s', (text, runwayConditions) => {
  expect(facts(text)?.runwayConditions).toEqual(runwayConditions);
});
