/**
 * Reports and plans for a landing at KJFK 04L, with their expected interpretation; condition codes follow
 * weather.md, 3.4 and landing-performance.md.
 */
import type { TlrConditions } from './flights.ts';

/** Values in a report or plan, in its own units; direction null: variable. */
export interface Raw {
  wind: readonly [directionDeg: number | null, kt: number, gustKt?: number];
  c: number;
  hPa: number;
  code: 1 | 2 | 3 | 4 | 5 | 6;
}

const dry = { c: 18, hPa: 30.02 * 33.8639, code: 6 } as const;
export const report = (text: string) => `KJFK 161151Z ${text}`;
export const wet = (text: string) => report(`03012KT 9999 ${text} 18/12 A3002`);
const wind: Raw['wind'] = [30, 12];
const section: Raw = { wind: [270, 10], c: 15, hPa: 29.92 * 33.8639, code: 6 };
const hot = { wind_direction: '140', wind_speed: '14', temperature: '36' };

/**
 * Name, METAR, performance section, expected values, values expected to be named as assumed, and those for a landing
 * later than the report.
 */
export const situations: readonly [string, string, TlrConditions | null, Raw, string[]?, Raw?][] = [
  ['a headwind', report('03012KT 10SM 18/12 A3002'), {}, { ...dry, wind }],
  ['gusts', report('03012G25KT 10SM 18/12 A3002'), {}, { ...dry, wind: [30, 12, 25] }],
  ['a variable wind', report('VRB05KT 10SM 18/12 A3002'), {}, { ...dry, wind: [null, 5] }],
  ['a variable wind with gusts', report('VRB08G18KT 10SM 18/12 A3002'), {}, { ...dry, wind: [null, 8, 18] }],
  ['calm', report('00000KT 10SM 18/12 A3002'), {}, { ...dry, wind: [0, 0] }],
  ['a tailwind', report('21012KT 10SM 18/12 A3002'), {}, { ...dry, wind: [210, 12] }],
  ['a tailwind in gusts', report('21008G17KT 10SM 18/12 A3002'), {}, { ...dry, wind: [210, 8, 17] }],
  ['a crosswind in gusts', report('12020G34KT 10SM 18/12 A3002'), {}, { ...dry, wind: [120, 20, 34] }],
  ['metres per second', report('04008MPS 9999 18/12 A3002'), {}, { ...dry, wind: [40, 8 * 1.943_844] }],
  ['a QNH in hectopascals', report('03012KT 9999 18/12 Q0985'), {}, { ...dry, wind, hPa: 985 }],
  ['frost', report('03012KT 9999 M12/M15 A3002'), {}, { ...dry, wind, c: -12 }],
  ['heat', report('03012KT CAVOK 41/12 A3002'), {}, { ...dry, wind, c: 41 }],
  ['an automatic report', report('AUTO 03012KT 9999 18/12 A3002'), {}, { ...dry, wind }],
  ['a missing wind', report('/////KT 9999 18/12 A3002'), hot, { ...dry, wind: [140, 14] }],
  ['a missing temperature', report('03012KT 9999 ///// A3002'), hot, { ...dry, wind, c: 36 }],
  ['a missing QNH', report('03012KT 9999 18/12 Q////'), {}, { ...dry, wind, hPa: section.hPa }],
  [
    'a report that says nothing',
    report('NIL'),
    hot,
    { ...section, wind: [140, 14], c: 36 },
    ['runway condition'],
  ],
  ['no report', '', {}, section, ['runway condition']],
  ['no report, a wet runway', '', { surface_condition: 'wet' }, { ...section, code: 5 }],
  [
    'neither report nor performance section',
    '',
    null,
    { wind: [0, 0], c: 15, hPa: 1013, code: 6 },
    ['wind calm', 'temperature 15', 'QNH 1013', 'runway condition dry'],
  ],
  ['a friction coefficient', `${wet('')} R04L/490120`, {}, { ...dry, wind, code: 1 }],
  ['a wet runway state', `${wet('')} R04L/290195`, {}, { ...dry, wind, code: 5 }],
  ['thin slush with braking action', `${wet('')} R04L/690394`, {}, { ...dry, wind, code: 4 }],
  ['deep slush', `${wet('')} R04L/691095`, {}, { ...dry, wind, code: 2 }],
  ['ice', `${wet('')} R04L/790094`, {}, { ...dry, wind, code: 1 }],
  ['the state of the whole airport', `${wet('')} R88/490594`, {}, { ...dry, wind, code: 3 }],
  ['light rain', wet('-RA'), {}, { ...dry, wind, code: 5 }],
  ['heavy rain', wet('+RA'), {}, { ...dry, wind, code: 2 }],
  ['rain that has ended', `${wet('')} RERA`, {}, { ...dry, wind, code: 5 }],
  ['freezing rain', wet('FZRA'), {}, { ...dry, wind, code: 1 }],
  ['snow', report('03012KT 2000 SN M03/M04 A3002'), {}, { ...dry, wind, c: -3, code: 3 }],
  ['a dense mist', report('03012KT 0800 BR 18/17 A3002'), {}, { ...dry, wind, code: 5 }],
  ['a planned wet runway', wet(''), { surface_condition: 'wet' }, { ...dry, wind, code: 5 }],
  ['planned compacted snow', wet(''), { surface_condition: 'COMPACTED SNOW' }, { ...dry, wind, code: 3 }],
  ['planned standing water', wet(''), { surface_condition: 'standing_water' }, { ...dry, wind, code: 2 }],
  ['planned ice', wet(''), { surface_condition: 'ice' }, { ...dry, wind, code: 1 }],
  ['a planned condition code', wet(''), { surface_condition: '5/4/3' }, { ...dry, wind, code: 3 }],
  [
    'a report that is worse than the plan',
    wet('+RA'),
    { surface_condition: 'wet' },
    { ...dry, wind, code: 2 },
  ],
  [
    'a plan that is worse than the report',
    wet('-RA'),
    { surface_condition: 'slush' },
    { ...dry, wind, code: 2 },
  ],
  ['a special report', `SPECI ${report('03012KT 10SM 18/12 A3002')}`, {}, { ...dry, wind }],
  ['a corrected report', `METAR COR ${report('03012KT 10SM 18/12 A3002')}`, {}, { ...dry, wind }],
  [
    'a wind between two directions',
    report('03012KT 350V070 10SM 18/12 A3002'),
    {},
    { ...dry, wind: [350, 12] },
  ],
  ['a wind from north', report('36012KT 10SM 18/12 A3002'), {}, { ...dry, wind: [360, 12] }],
  [
    'gusts in metres per second',
    report('03006G12MPS 9999 18/12 A3002'),
    {},
    { ...dry, wind: [30, 6 * 1.943_844, 12 * 1.943_844] },
  ],
  ['a calm in metres per second', report('00000MPS 9999 18/12 A3002'), {}, { ...dry, wind: [0, 0] }],
  [
    'a trend with gusts',
    report('03012KT 9999 18/12 A3002 TEMPO 21025G40KT'),
    {},
    { ...dry, wind },
    [],
    { ...dry, wind: [210, 25, 40] },
  ],
  ['a dew point that is missing', report('03012KT 9999 18/// A3002'), {}, { ...dry, wind }],
  ['a temperature of minus zero', report('03012KT 9999 M00/M03 A3002'), {}, { ...dry, wind, c: 0 }],
  ['two pressures', report('03012KT 9999 18/12 Q0985 A2909'), {}, { ...dry, wind, hPa: 985 }],
  ['remarks', report('03012KT 10SM CLR 18/12 A3002 RMK AO2 SLP163 T01780122'), {}, { ...dry, wind }],
  ['showers in the vicinity', wet('VCSH'), {}, { ...dry, wind }],
  ['a thunderstorm with rain', wet('TSRA'), {}, { ...dry, wind, code: 5 }],
  ['drizzle', wet('DZ'), {}, { ...dry, wind, code: 5 }],
  // Slush or wet snow (weather.md, 3.4): the worse one counts.
  ['rain and snow', report('03012KT 2000 RASN 01/00 A3002'), {}, { ...dry, wind, c: 1, code: 2 }],
  ['heavy snow', report('03012KT 0400 +SN M03/M04 A3002'), {}, { ...dry, wind, c: -3, code: 3 }],
  ['a runway that is cleared', `${wet('')} R04L/CLRD70`, {}, { ...dry, wind }],
  ['a runway state of another runway', `${wet('')} R13L/790094`, {}, { ...dry, wind }],
  ['braking action poor', `${wet('')} R04L/590091`, {}, { ...dry, wind, code: 1 }],
  [
    'a planned code for each third',
    wet('-RA'),
    { surface_condition: 'RWYCC 2/2/2' },
    { ...dry, wind, code: 2 },
  ],
  ['gusts of 99 kt', report('03012G99KT 10SM 18/12 A3002'), {}, { ...dry, wind: [30, 12, 99] }],
  ['a wind without direction', report('///10KT 9999 18/12 A3002'), {}, { ...dry, wind: [null, 10] }],
  [
    'hard frost',
    report('VRB01MPS CAVOK M40/M45 Q1050'),
    {},
    { ...dry, wind: [null, 1.94], c: -40, hPa: 1050 },
  ],
  ['a low pressure', report('03012KT 9999 18/12 A2800'), {}, { ...dry, wind, hPa: 28 * 33.8639 }],
  ['an impossible QNH', report('03012KT 9999 18/12 Q0840'), {}, { ...dry, wind, hPa: section.hPa }],
  ['a dry thunderstorm', wet('TS'), {}, { ...dry, wind }],
  ['heavy rain with hail', wet('+TSRAGR'), {}, { ...dry, wind, code: 2 }],
  ['freezing fog', report('03012KT 0300 FZFG M02/M02 A3002'), {}, { ...dry, wind, c: -2, code: 5 }],
  ['freezing rain that has ended', `${wet('')} REFZRA`, {}, { ...dry, wind, code: 1 }],
  ['light rain and snow', report('03012KT 3000 -RASN 02/01 A3002'), {}, { ...dry, wind, c: 2, code: 2 }],
  ['rain, and snow', report('03012KT 3000 RA SN 01/01 A3002'), {}, { ...dry, wind, c: 1, code: 2 }],
  ['melting snow', report('03012KT 3000 SN 02/01 A3002'), {}, { ...dry, wind, c: 2, code: 2 }],
  ['light snow', report('03012KT 6000 -SN M03/M05 A3002'), {}, { ...dry, wind, c: -3, code: 5 }],
  ['ice pellets', report('03012KT 3000 PL 01/M01 A3002'), {}, { ...dry, wind, c: 1, code: 3 }],
  [
    'unobserved weather',
    report('AUTO 03012KT 9999 // 18/12 A3002'),
    {},
    { ...dry, wind },
    ['runway condition'],
  ],
  ['no sensor for weather', `${wet('')} RMK AO2 PWINO`, {}, { ...dry, wind }, ['runway condition']],
  ['no sensor for thunderstorms', `${wet('')} RMK AO2 TSNO`, {}, { ...dry, wind }],
  ['a deposit not reported', `${wet('')} R04L///////`, {}, { ...dry, wind }, ['runway condition']],
  ['a slippery bare runway', `${wet('')} R04L/010035`, {}, { ...dry, wind, code: 3 }],
  ['dry snow of 3 mm', `${wet('')} R04L/490399`, {}, { ...dry, wind, code: 5 }],
  ['dry snow of 4 mm', `${wet('')} R04L/490499`, {}, { ...dry, wind, code: 3 }],
  ['wet snow of 10 cm', `${wet('')} R04L/5992//`, {}, { ...dry, wind, code: 3 }],
  ['water of 5 mm', `${wet('')} R04L/290595`, {}, { ...dry, wind, code: 2 }],
  ['a state in the old form', `${wet('')} 04790091`, {}, { ...dry, wind, code: 1 }],
  ['ice at the other end', `${wet('')} R22R/790091`, {}, { ...dry, wind, code: 1 }],
  ['an unknown surface', wet(''), { surface_condition: 'grooved' }, { ...dry, wind }, ['runway condition']],
];
