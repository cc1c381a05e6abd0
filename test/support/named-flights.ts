/** Landings with the wordings of real reports and NOTAM, and the conditions found by hand. */
import { numberMark } from './random-flights.ts';
import type { RandomEnd, RandomFlight } from './random-flights.ts';

export const notamOf = (text: string, from = '2609160600', to = '2609170600', at = 'KJFK') =>
  `A${numberMark}/26 NOTAMN\nQ) KZNY/QMRXX/IV/NBO/A/000/999/4038N07347W005\nA) ${at} B) ${from} C) ${to}\nE) ${text}\n\n`;
export const ficon = (text: string, at = 'JFK RWY 04L') =>
  `!${at.slice(0, 3)} 09/${numberMark} ${at} FICON ${text} OBS AT 2609161040. 2609161040-2609170600\n\n`;
export const snowtam = (line: string, at = '09161130', icao = 'KJFK') =>
  `SWUS${numberMark} ${icao} ${at}\n(SNOWTAM ${numberMark}\n${icao}\n${at} ${line})\n\n`;
const slippery = notamOf('RWY 04L/22R SLIPPERY WHEN WET.');
const fine = '03010KT 9999 SCT030';

/** A landing in half an hour or, with `isLater`, in three hours. */
export interface Named {
  metar?: string;
  taf?: string;
  notams?: string;
  surface?: string;
  isLater?: boolean;
  state?: string | null;
  weather?: Record<string, unknown>;
  text?: string;
  /** Null: no figures. */
  verdict?: string | null;
  /** Expected caution codes of the calculation. */
  codes?: readonly string[];
  figures?: Record<string, unknown>;
}
/** Landings at KJFK on 04L, whose direction is 031 degrees true. */
export const landings: readonly [string, Named][] = [
  // Wind from 340 is 51 degrees to the left, from 080 only 49 degrees to the right.
  [
    'a wind that varies ahead',
    { metar: '03012KT 340V080 9999 18/12 Q1013', weather: { windDirection: 340 } },
  ],
  // 211 is a direct tailwind; within the variation, 140 has the strongest crosswind, 9.5 kt.
  [
    'a wind that varies behind',
    { metar: '20010KT 140V260 9999 18/12 Q1013', weather: { windDirection: 140, headwind: -10 } },
  ],
  [
    'a gusty wind of no direction',
    { metar: 'VRB06G18KT 9999 18/12 Q1013', weather: { windDirection: null, gust: 18 } },
  ],
  [
    'rain where it is slippery when wet',
    { metar: '03010KT 3000 -RA 12/10 Q1009', notams: slippery, state: 'MEDIUM', text: 'slippery when wet' },
  ],
  ['a dry day where it is slippery when wet', { notams: slippery, state: 'DRY' }],
  [
    'rain where it was slippery when wet',
    {
      metar: '03010KT 3000 -RA 12/10 Q1009',
      notams: notamOf('RWY 04L/22R SLIPPERY WHEN WET.', '2609100600', '2609160600'),
      state: 'GOOD',
    },
  ],
  [
    'the other strip is slippery when wet',
    {
      metar: '03010KT 3000 -RA 12/10 Q1009',
      notams: notamOf('RWY 13L/31R MAY BE SLIPPERY WHEN WET'),
      state: 'GOOD',
    },
  ],
  [
    'a FICON of a wet runway that is slippery then',
    { notams: ficon('5/5/5 100 PCT WET') + slippery, state: 'MEDIUM', text: 'FICON' },
  ],
  [
    'thin slush where it is slippery when wet',
    {
      notams: notamOf('RSC 04L/22R 100 PCT 1/8IN SLUSH. VALID SEP 16 1040 - SEP 17 0600.') + slippery,
      state: 'MEDIUM',
      text: 'slippery when wet',
    },
  ],
  [
    'slush in the METAR after a FICON of dry snow',
    {
      metar: '03010KT 9999 M02/M03 Q1009 R04L/690592',
      notams: ficon('3/3/3 100 PCT 1/4IN DRY SN'),
      state: 'MEDIUM_TO_POOR',
    },
  ],
  [
    'slush on another runway after a FICON',
    { metar: '03010KT 9999 M02/M03 Q1009 R04R/690592', notams: ficon('5/5/5 100 PCT WET'), state: 'GOOD' },
  ],
  [
    'a compacted runway in words',
    {
      notams: notamOf('RSC 04L/22R 100 PCT COMPACTED SNOW. VALID SEP 16 1040 - SEP 17 0600.'),
      state: 'MEDIUM',
    },
  ],
  [
    'braking nil on one third',
    { notams: ficon('5/0/5 TDZ 100 PCT WET, MIDPOINT 100 PCT WET ICE, ROLLOUT 100 PCT WET'), state: null },
  ],
  ['closed by snow', { metar: '03010KT 2000 SN M02/M03 Q1009 R/SNOCLO', state: null }],
  [
    'a thunderstorm that may come',
    { taf: `${fine} TEMPO 1614/1617 03015G25KT 2000 +TSRA`, isLater: true, state: 'MEDIUM_TO_POOR' },
  ],
  [
    'freezing rain from a time on',
    { taf: `${fine} FM161330 03010KT 3000 -FZRA OVC010`, isLater: true, state: 'POOR' },
  ],
  [
    'freezing rain after the landing',
    { taf: `${fine} FM161800 03010KT 3000 -FZRA OVC010`, isLater: true, state: 'DRY' },
  ],
  ['snow in three of ten cases', { taf: `${fine} PROB30 1614/1618 1500 SN`, isLater: true, state: 'MEDIUM' }],
  ['slush in the plan alone', { surface: 'slush', state: 'MEDIUM_TO_POOR' }],
  [
    'the heat of the afternoon',
    { taf: `${fine} TX34/1615Z TN18/1709Z`, isLater: true, weather: { temperature: 34 } },
  ],
  // At 12 and 15: of the values on both sides of the landing just before 15, the warmer temperature and the
  // lower pressure apply.
  [
    'the T and Q of a forecast',
    {
      taf: `${fine} RMK T 18 22 25 17 Q 1016 1013 1010 1012`,
      isLater: true,
      weather: { temperature: 22, qnh: 1_013 },
    },
  ],
  [
    'a wind that is turning behind',
    { taf: `${fine} BECMG 1614/1618 22025KT`, isLater: true, weather: { windDirection: 220, windSpeed: 25 } },
  ],
  // The storm gives a headwind of 45 kt, the breeze a tailwind of 5.9 kt: no single figure covers both.
  [
    'a storm ahead that a breeze from behind interrupts',
    {
      taf: '03045KT 9999 SCT030 TEMPO 1614/1617 22006KT',
      isLater: true,
      weather: { maxHeadwind: 45 },
      verdict: 'LIMIT_EXCEEDED',
      codes: ['HEADWIND_LIMIT'],
    },
  ],
  // A crosswind of 20 kt, and a tailwind of 10 kt gusting 14: none exceeds its limit.
  [
    'gusts from behind that do not blow across',
    {
      taf: '12020KT 9999 SCT030 TEMPO 1614/1617 21010G14KT',
      isLater: true,
      weather: { windSpeed: 20, gust: null, maxTailwind: 14 },
      verdict: 'FITS',
    },
  ],
  // The METAR, three and a half hours old, is the only remaining information for this time.
  [
    'a period of the forecast without its word',
    {
      taf: `${fine} PROB40 1612/1614 4000 BR 1614/1618 0300 FZFG VV002`,
      isLater: true,
      text: 'METAR: nothing',
      codes: ['WEATHER_OLD'],
    },
  ],
  // The airport has no 05; its neighbours are 04L and 04R, and 04L is on the named side.
  [
    'ice on the runway under its next designator',
    { notams: snowtam('05L 1/1/1 100/100/100 NR/NR/NR ICE/ICE/ICE'), state: 'POOR', text: 'runway 05L' },
  ],
  [
    'ice on a runway that may be any',
    {
      notams: snowtam('18 1/1/1 100/100/100 NR/NR/NR ICE/ICE/ICE'),
      state: 'POOR',
      codes: ['SURFACE_REPORT_NOT_READ'],
    },
  ],
  // 54 is 04 of the right-hand parallel.
  ['ice on the right-hand parallel', { metar: `${fine} M02/M03 Q1013 R54/790191`, state: 'DRY' }],
  ['a state of no runway behind the pressure', { metar: `${fine} M02/M03 Q1013 R87/790191`, state: 'DRY' }],
  [
    'rain after a report of snow',
    {
      metar: '03010KT 9999 -RA SCT030 04/02 Q1009',
      notams: ficon('3/3/3 100 PCT 1/4IN DRY SN'),
      state: 'MEDIUM',
      text: 'rain since',
      codes: ['SURFACE_MAY_HAVE_CHANGED'],
    },
  ],
  [
    'two sentences for one strip',
    {
      notams: notamOf(
        'RSC 04L/22R 100 PCT DRY. VALID SEP 16 1040 - SEP 17 0600. RSC 04L/22R 100 PCT ICE. VALID SEP 16 1040 - SEP 17 0600.',
      ),
      state: 'POOR',
    },
  ],
  ['the words of the military', { notams: notamOf('RWY 04L/22R RSC WET'), state: 'GOOD' }],
  [
    'words for the surface that are not known',
    { notams: notamOf('RWY 04L/22R RSC PATCHES OF GOO'), state: 'DRY', codes: ['SURFACE_REPORT_NOT_READ'] },
  ],
  [
    'plain words for ice',
    { notams: notamOf('RWY 04L/22R, ALL TWY AND APN COVERED WITH ICE.'), codes: ['SURFACE_REPORT_NOT_READ'] },
  ],
  [
    'slush of a depth that is not reported',
    { metar: `${fine} M01/M03 Q1013 R04L/69////`, state: 'MEDIUM_TO_POOR' },
  ],
  ['a damp runway with a friction of 0.22', { metar: `${fine} M01/M03 Q1013 R04L/190022`, state: 'POOR' }],
  [
    'a landing distance by NOTAM and a displaced threshold',
    {
      notams: notamOf('RWY 04L THR DISPLACED BY 1000M. RWY 04L LDA 2300M'),
      figures: { lda: 2_300 },
      verdict: 'FITS',
    },
  ],
  [
    'a landing distance by NOTAM that is too short on a wet runway',
    {
      metar: '03010KT 3000 -RA 12/10 Q1009',
      notams: notamOf('RWY 04L LDA 1300M'),
      figures: { lda: 1_300 },
      verdict: 'MARGIN_NOT_MET',
    },
  ],
  ['a first part that is closed', { notams: notamOf('RWY 04L CLSD FOR TKOF AND LDG OF THE FIRST 600M') }],
  ['a runway closed to jets', { notams: notamOf('RWY 04L/22R CLSD TO JET TRAFFIC'), verdict: null }],
  [
    'a table with a dash',
    {
      notams: notamOf('RWY TORA TODA ASDA LDA\n04L 8000 8000 8000 7000\n22R 8000 8000 8000 -'),
      figures: { lda: 2_133 },
    },
  ],
  // Last, because it stays the latest known report.
  [
    'ice in a report that was over minutes before',
    {
      notams: snowtam('04L 1/1/1 100/100/100 NR/NR/NR ICE/ICE/ICE', '09160330'),
      state: 'POOR',
      text: 'expired',
      codes: ['SURFACE_REPORT_EXPIRED'],
    },
  ],
];

/** One end of a flight, with fine weather unless stated. */
export const endOf = (icao: string, runway: string, { metar, taf, notams = '' }: Named = {}): RandomEnd => ({
  icao,
  runway,
  metar: `METAR ${icao} 161140Z ${metar ?? `${fine} 18/12 Q1013`}`,
  taf: `TAF ${icao} 161120Z ${taf === 'NIL' ? '' : '1612/1718 '}${taf ?? fine}`,
  notams,
  said: [],
  winds: { observed: [], forecast: [] },
  brakingCode: null,
  isClosedBySnow: false,
});
export const flightOf = (
  ends: Pick<RandomFlight, 'origin' | 'destination'>,
  { surface = '', isLater }: Named,
) => ({
  ...ends,
  out: new Date(isLater ? '2026-09-16T14:00:00Z' : '2026-09-16T11:00:00Z'),
  surface,
  hasSection: surface !== '',
  maker: 0,
});
