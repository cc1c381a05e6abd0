/**
 * Takeoffs from one aerodrome with the wordings of real reports and NOTAM, and the conditions found by hand or in
 * published tables.
 */
import { ficon, notamOf, snowtam } from './named-flights.ts';
import type { Named } from './named-flights.ts';

const atBoston = (text: string) => notamOf(text, '2609160600', '2609170600', 'KBOS');
const runs = (runway: string, metres: number) =>
  atBoston(
    `RWY ${runway} DECLARED DISTANCES CHANGED: TORA ${metres}M TODA ${metres}M ASDA ${metres}M LDA ${metres}M`,
  );

/** A takeoff at KBOS with 57.2 t, from 04R unless stated. */
interface NamedTakeoff extends Named {
  runway?: string;
  /** For flaps 5, in kilograms, from the manufacturer's tables for a 737-800 with 26,000 lb of thrust. */
  limits?: { climb?: number; field?: number };
}

/** 04R is at 020 degrees true and 27 at 257, of 2,134 m. */
export const takeoffs: readonly [string, NamedTakeoff][] = [
  // 18 kt times cos 20 gives a tailwind of 16.9 kt.
  [
    'a tailwind that may come',
    {
      taf: '04014KT 9999 SCT030 TEMPO 1614/1617 22018KT',
      isLater: true,
      weather: { windDirection: 220, windSpeed: 18 },
      verdict: 'LIMIT_EXCEEDED',
      codes: ['TAILWIND_LIMIT'],
    },
  ],
  [
    'a wind that is turning ahead',
    {
      taf: '20010KT 9999 SCT030 BECMG 1614/1618 02010KT',
      isLater: true,
      weather: { windDirection: 200, windSpeed: 10 },
      verdict: 'FITS',
    },
  ],
  [
    'a gusty wind of no direction',
    {
      metar: 'VRB05G17KT 9999 18/12 Q1013',
      weather: { windDirection: null, gust: 17 },
      verdict: 'LIMIT_EXCEEDED',
      codes: ['TAILWIND_LIMIT'],
    },
  ],
  [
    'a storm ahead that a breeze from behind interrupts',
    {
      taf: '02045KT 9999 SCT030 TEMPO 1614/1617 20006KT',
      isLater: true,
      weather: { windDirection: 200, windSpeed: 6, maxHeadwind: 45 },
      verdict: 'LIMIT_EXCEEDED',
      codes: ['HEADWIND_LIMIT'],
    },
  ],
  // 33 kt times sin 83 gives a crosswind of 32.8 kt: above the limit of 30 on a wet runway, below 34 on a
  // long and wide one.
  [
    'a crosswind within the raised limit of a long runway',
    {
      runway: '27',
      taf: '34033KT 4000 RA SCT030',
      isLater: true,
      verdict: 'FITS',
      codes: ['CROSSWIND_LIMIT_INCREASED'],
    },
  ],
  [
    'a crosswind above the limit of a runway that is not long today',
    {
      runway: '27',
      taf: '34033KT 4000 RA SCT030',
      notams: runs('27', 1_900),
      isLater: true,
      verdict: 'LIMIT_EXCEEDED',
      codes: ['CROSSWIND_LIMIT'],
    },
  ],
  [
    'the heat of the afternoon',
    {
      taf: '00000KT 9999 SCT030 TX38/1614Z TN18/1709Z',
      isLater: true,
      weather: { temperature: 38 },
      verdict: 'FITS',
      limits: { climb: 76_000 },
    },
  ],
  [
    'a report of hours before',
    {
      metar: '00000KT 9999 SCT030 30/12 Q1013',
      taf: 'NIL',
      isLater: true,
      weather: { temperature: 30 },
      codes: ['WEATHER_OLD'],
      limits: { climb: 81_300 },
    },
  ],
  [
    'no weather at all',
    {
      metar: 'NIL',
      taf: 'NIL',
      weather: { windSpeed: 0, temperature: 15, qnh: 1_013 },
      codes: ['ASSUMED'],
    },
  ],
  ['snow with the anti-ice off', { metar: '03010KT 2000 SN M02/M03 Q1009', codes: ['ICING_ANTI_ICE_OFF'] }],
  [
    'braking nil on one third',
    {
      notams: ficon('5/0/5 TDZ 100 PCT WET, MIDPOINT 100 PCT WET ICE, ROLLOUT 100 PCT WET', 'BOS RWY 04R'),
      state: null,
      verdict: null,
    },
  ],
  [
    'a run that NOTAM shorten',
    {
      metar: '00000KT 9999 SCT030 14/08 Q1013',
      notams: runs('04R', 1_200),
      verdict: 'TOO_HEAVY',
      figures: { tora: 1_200, isNOTAM: true, limitedBy: 'FIELD' },
      limits: { field: 52_900 },
    },
  ],
  [
    'a wet run that NOTAM shorten',
    {
      metar: '00000KT 4000 RA SCT030 14/12 Q1013',
      notams: runs('04R', 1_200),
      state: 'WET',
      verdict: 'TOO_HEAVY',
      limits: { field: 52_500 },
    },
  ],
  // 20 kt times cos 20 gives a tailwind of 18.8 kt; the breeze gives a headwind of 9.4 kt.
  [
    'a tailwind that may come in three of ten cases',
    {
      taf: '02010KT 9999 SCT030 PROB30 1614/1617 20020KT',
      isLater: true,
      weather: { windDirection: 200, windSpeed: 20 },
      verdict: 'LIMIT_EXCEEDED',
      codes: ['TAILWIND_LIMIT'],
    },
  ],
  [
    'ice under the next designator of the runway',
    {
      notams: snowtam('05R 1/1/1 100/100/100 NR/NR/NR ICE/ICE/ICE', '09161130', 'KBOS'),
      state: 'ICE',
      text: 'runway 05R',
    },
  ],
  [
    'slush of a depth that is not reported',
    { metar: '03010KT 9999 M01/M03 Q1009 R04R/69////', state: 'SLUSH', verdict: 'FITS' },
  ],
  [
    'a damp runway with a friction of 0.22',
    { metar: '03010KT 9999 M01/M03 Q1009 R04R/190022', state: 'ICE' },
  ],
  [
    'a first part that is closed',
    {
      notams: atBoston('RWY 04R CLSD FOR TKOF AND LDG OF THE FIRST 600M'),
      figures: { tora: 2_449, isNOTAM: true },
    },
  ],
  ['a runway closed to jets', { notams: atBoston('RWY 04R/22L CLSD TO JET TRAFFIC'), verdict: null }],
  [
    'gusts across a long runway of which NOTAM leave little',
    {
      runway: '22R',
      metar: '28033KT 9999 SCT030 12/10 Q1009 R04L/590395',
      notams: runs('22R', 1_900),
      verdict: 'LIMIT_EXCEEDED',
      codes: ['CROSSWIND_LIMIT'],
    },
  ],
  // Last, because it stays the latest known report.
  [
    'ice in a report that was over minutes before',
    {
      notams: snowtam('04R 1/1/1 100/100/100 NR/NR/NR ICE/ICE/ICE', '09160230', 'KBOS'),
      state: 'ICE',
      text: 'expired',
      codes: ['SURFACE_REPORT_EXPIRED'],
    },
  ],
];
