/**
 * Random flights: reports, NOTAM and plans in the wordings of their sources, with their effect on the planned
 * runway.
 */
import fc from 'fast-check';

/** A NOTAM's statement about a runway for a period, ISO 8601. */
interface Said {
  from: string;
  to: string;
  closes?: boolean;
  isSlipperyWhenWet?: boolean;
  ldaM?: number;
  /** The worst code in a surface report, and its observation time. */
  code?: number;
  observedAt?: string;
}

export interface RandomWind {
  direction: number | null;
  kt: number;
  gust: number | null;
  text: string;
}

export interface RandomEnd {
  icao: string;
  runway: string;
  metar: string;
  taf: string;
  notams: string;
  said: Said[];
  /** Winds within an hour of the METAR, and later. */
  winds: { observed: RandomWind[]; forecast: RandomWind[] };
  /** From the braking action in the runway's state group; null without one. */
  brakingCode: number | null;
  isClosedBySnow: boolean;
}

export interface RandomFlight {
  origin: RandomEnd;
  destination: RandomEnd;
  /** Off-blocks. */
  out: Date;
  surface: string;
  hasSection: boolean;
  maker: number;
}

const two = (value: number): string => String(value).padStart(2, '0');
const three = (value: number): string => String(value).padStart(3, '0');

export const windText = (direction: number | null, kt: number, gust: number | null): string =>
  `${direction === null ? 'VRB' : three(direction)}${two(kt)}${gust === null ? '' : `G${two(gust)}`}KT`;

const wind = fc
  .record({
    tens: fc.integer({ min: 1, max: 36 }),
    kt: fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 28 }) }, fc.integer({ min: 29, max: 60 })),
    gust: fc.option(fc.integer({ min: 5, max: 12 })),
    isVariable: fc.boolean(),
  })
  .map(({ tens, kt, gust, isVariable }): RandomWind => {
    const [direction, strongest] = [
      isVariable && kt < 7 ? null : tens * 10,
      gust === null ? null : kt + gust,
    ];
    return { direction, kt, gust: strongest, text: windText(direction, kt, strongest) };
  });

const cold = ['1200 SN', '3000 -SN', '0600 +SHSN', '0400 FZFG', '2500 -FZRA', '2000 RASN', '4000 PL'];
const warm = [
  '9999',
  '9999',
  '9999 VCSH',
  '3000 -RA',
  '2000 RA',
  '1500 +RA',
  '0800 FG',
  '2000 +TSRA',
  '1200 BR',
];
const weather = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...warm).map((falling) => ({ falling, air: '12/10 Q1009' })) },
  { weight: 2, arbitrary: fc.constantFrom(...cold).map((falling) => ({ falling, air: 'M02/M03 A2985' })) },
);

/** The runway named, and the end that it is named by. */
const strips: Readonly<Record<string, readonly string[]>> = {
  KJFK: ['04L/22R', '04R/22L', '13L/31R', '13R/31L'],
  KBOS: ['04R/22L', '09/27', '15R/33L', '04L/22R'],
};

const states = ['1901', '2905', '4905', '4920', '5903', '6905', '7900', '8902', '9900', '////', '1101'];
const stateGroup = (strip: string) =>
  fc
    .record({
      state: fc.constantFrom(...states),
      braking: fc.constantFrom(91, 92, 93, 94, 95, null),
      form: fc.constantFrom('own', 'own', 'all', 'closed', 'cleared'),
    })
    .map(({ state, braking, form }) => {
      const name = form === 'all' ? 'R88' : `R${strip.split('/')[0]}`;
      if (form === 'closed') return { text: `${name}/SNOCLO`, brakingCode: null, isClosed: true };
      if (form === 'cleared') return { text: `${name}/CLRD//`, brakingCode: null, isClosed: false };
      const text = `${name}/${state}${braking ?? '//'}`;
      return { text, brakingCode: braking && braking - 90, isClosed: false };
    });

/** Periods on the day of the test: before it, during it, starting within it, and after it. */
const times = fc.constantFrom(
  ['2609160600', '2609170600'],
  ['2609160600', '2609170600'],
  ['2609160600', '2609161000'],
  ['2609161430', '2609162300'],
  ['2609170000', '2609180000'],
);
const iso = (time: string): string =>
  `20${time.slice(0, 2)}-${time.slice(2, 4)}-${time.slice(4, 6)}T${time.slice(6, 8)}:${time.slice(8, 10)}:00.000Z`;

/** A third of a FICON and its equivalent in a SNOWTAM, with the code. */
const thirds = [
  [6, 'DRY', '6 NR NR DRY'],
  [5, '100 PCT WET', '5 100 NR WET'],
  [5, '100 PCT 1/8IN SLUSH', '5 100 03 SLUSH'],
  [4, '100 PCT COMPACTED SN', '4 100 NR COMPACTED SNOW'],
  [3, '100 PCT 1/4IN DRY SN', '3 100 06 DRY SNOW'],
  [3, '100 PCT SLIPPERY WHEN WET', '3 100 NR SLIPPERY WET'],
  [2, '100 PCT 1/4IN SLUSH', '2 100 06 SLUSH'],
  [2, '100 PCT 1/4IN WATER', '2 100 06 STANDING WATER'],
  [1, '100 PCT ICE', '1 100 NR ICE'],
  [0, '100 PCT WET ICE', '0 100 NR WET ICE'],
] as const;
type Third = (typeof thirds)[number];

/** Placeholder for a NOTAM's four-digit number. */
export const numberMark = '@@@@';

const snowtam = (icao: string, strip: string, observed: string, all: readonly Third[]): string => {
  const parts = all.map(([, , said]) => said.split(' '));
  const line = [0, 1, 2, 3].map((i) =>
    parts.map((one) => (i < 3 ? one[i] : one.slice(3).join(' '))).join('/'),
  );
  return `SWUS${numberMark} ${icao} ${observed.slice(2)}\n(SNOWTAM ${numberMark}\n${icao}\n${observed.slice(2)} ${strip.split('/')[0]} ${line.join(' ')})\n\n`;
};

interface Drawn {
  text: string;
  said: Said;
}

const notam = (icao: string, strip: string, runway: string) =>
  fc
    .record({
      kind: fc.constantFrom(
        'closed',
        'faaClosed',
        'distances',
        'faaDistances',
        'displaced',
        'ficon',
        'snowtam',
        'rsc',
        'slippery',
      ),
      slippery: fc.constantFrom(
        'SLIPPERY WHEN WET',
        'MAY BE SLIPPERY WHEN WET DUE TO RUBBER DEPOSITS',
        'SLIPPERY WET',
      ),
      period: times,
      isWholeStrip: fc.boolean(),
      ldaM: fc.constantFrom(900, 1_300, 1_700, 2_200),
      codes: fc.array(fc.constantFrom(...thirds), { minLength: 3, maxLength: 3 }),
      isEven: fc.boolean(),
      minute: fc.integer({ min: 0, max: 55 }),
    })
    .map(({ kind, period: [from, to], isWholeStrip, ldaM, codes, isEven, minute, slippery }): Drawn => {
      const location = icao.slice(1);
      const said: Said = { from: iso(from), to: iso(to) };
      const named = isWholeStrip ? strip : runway;
      const head = `A${numberMark}/26 NOTAMN\nQ) KZNY/QMRXX/IV/NBO/A/000/999/4038N07347W005\nA) ${icao} B) ${from} C) ${to}\nE) `;
      const faa = `!${location} 09/${numberMark} ${location} `;
      if (kind === 'closed') return { text: `${head}RWY ${named} CLSD\n\n`, said: { ...said, closes: true } };
      if (kind === 'faaClosed')
        return { text: `${faa}RWY ${strip} CLSD ${from}-${to}\n\n`, said: { ...said, closes: true } };
      if (kind === 'slippery')
        return { text: `${head}RWY ${named} ${slippery}\n\n`, said: { ...said, isSlipperyWhenWet: true } };
      const [tora, feet] = [ldaM + 300, (metres: number) => Math.round(metres / 0.3048)];
      if (kind === 'distances')
        return {
          text: `${head}RWY ${runway} DECLARED DISTANCES CHANGED: TORA ${tora}M TODA ${tora}M ASDA ${tora}M LDA ${ldaM}M\n\n`,
          said: { ...said, ldaM },
        };
      if (kind === 'faaDistances')
        return {
          text: `${faa}RWY ${runway} DECLARED DISTANCES: TORA ${feet(tora)}FT TODA ${feet(tora)}FT ASDA ${feet(tora)}FT LDA ${feet(ldaM)}FT. ${from}-${to}\n\n`,
          said: { ...said, ldaM: ldaM + 1 },
        };
      if (kind === 'displaced') return { text: `${head}RWY ${runway} THR DISPLACED 400M\n\n`, said };
      const all = isEven && codes[0] ? [codes[0], codes[0], codes[0]] : codes;
      const code = Math.min(...all.map(([one]) => one));
      const observed = `26091610${two(minute)}`;
      const observedAt = iso(observed);
      if (kind === 'snowtam') {
        const end = new Date(Date.parse(observedAt) + 8 * 3_600_000).toISOString();
        return {
          text: snowtam(icao, strip, observed, all),
          said: { from: observedAt, to: end, code, observedAt },
        };
      }
      const day = { from: observedAt, to: iso('2609170600'), observedAt };
      if (kind === 'rsc') {
        const [[rscCode, deposit]] = all as [Third, ...Third[]];
        const words = deposit.replace(/\bSN\b/, 'SNOW');
        return {
          text: `A${numberMark}/26 NOTAMN\nQ) KZNY/QFAXX/IV/NBO/A/000/999/4038N07347W005\nA) ${icao} B) ${observed} C) 2609170600\nE) RSC ${strip} ${words}. VALID SEP 16 10${two(minute)} - SEP 17 0600.\n\n`,
          said: { ...day, code: rscCode },
        };
      }
      const codesText = all.map(([one]) => one).join('/');
      const words = all.every((one) => one === all[0])
        ? (all[0]?.[1] ?? '')
        : all.map((one, i) => `${['TDZ', 'MIDPOINT', 'ROLLOUT'][i]} ${one[1]}`).join(', ');
      return {
        text: `${faa}RWY ${strip.split('/')[0]} FICON ${codesText} ${words} OBS AT ${observed}. ${observed}-2609170600\n\n`,
        said: { ...day, code },
      };
    });

const end = (icao: 'KJFK' | 'KBOS') =>
  fc
    .record({ strip: fc.constantFrom(...(strips[icao] ?? [])), isLower: fc.boolean() })
    .chain(({ strip, isLower }) => {
      const runway = strip.split('/')[isLower ? 0 : 1] ?? '';
      return fc
        .record({
          observed: wind,
          forecast: wind,
          change: wind,
          now: weather,
          later: weather,
          between: weather,
          isVaried: fc.boolean(),
          state: fc.option(stateGroup(strip), { freq: 3 }),
          trend: fc.constantFrom('', 'NOSIG', 'TEMPO', 'BECMG'),
          word: fc.constantFrom('TEMPO', 'PROB30', 'PROB40 TEMPO', 'BECMG', 'INTER', 'FM'),
          extremes: fc.constantFrom('', 'TX34/1615Z TN18/1709Z', 'TXM01/1618Z TNM08/1706Z'),
          notams: fc.oneof(
            { weight: 2, arbitrary: fc.constant<Drawn[]>([]) },
            { weight: 3, arbitrary: fc.array(notam(icao, strip, runway), { minLength: 1, maxLength: 2 }) },
          ),
        })
        .map((drawn): RandomEnd => {
          const { observed, forecast, change, now, later, between, isVaried, state, trend, word } = drawn;
          const from = ((observed.direction ?? 0) + 310) % 360;
          const varied =
            isVaried && observed.direction !== null ? ` ${three(from)}V${three((from + 100) % 360)}` : '';
          const trends =
            trend === '' || trend === 'NOSIG' ? trend : `${trend} ${change.text} ${between.falling}`;
          const group =
            word === 'FM'
              ? `FM161330 ${change.text} ${between.falling} SCT030`
              : `${word} 1612/1618 ${change.text} ${between.falling}`;
          const body = `${observed.text}${varied} ${now.falling} SCT030 ${now.air} ${state?.text ?? ''} ${trends}`;
          return {
            icao,
            runway,
            metar: `METAR ${icao} 161140Z ${body}`.replace(/ +/g, ' ').trim(),
            taf: `TAF ${icao} 161120Z 1612/1718 ${forecast.text} ${later.falling} SCT030 ${drawn.extremes} ${group}`.replace(
              / +/g,
              ' ',
            ),
            notams: drawn.notams.map(({ text }) => text).join(''),
            said: drawn.notams.map(({ said }) => said),
            winds: {
              observed: word === 'FM' ? [observed] : [observed, change],
              forecast: word === 'FM' ? [change] : [forecast, change],
            },
            brakingCode: state?.brakingCode ?? null,
            isClosedBySnow: state?.isClosed ?? false,
          };
        });
    });

const surfaces = ['', '', '', 'dry', 'wet', 'compacted_snow', 'slush', '5/5/5', '3', 'medium to poor', 'ice'];

export const randomFlight: fc.Arbitrary<RandomFlight> = fc.record({
  origin: end('KBOS'),
  destination: end('KJFK'),
  out: fc.constantFrom(new Date('2026-09-16T11:00:00Z'), new Date('2026-09-16T14:00:00Z')),
  surface: fc.constantFrom(...surfaces),
  hasSection: fc.boolean(),
  maker: fc.integer({ min: 0, max: 3 }),
});
