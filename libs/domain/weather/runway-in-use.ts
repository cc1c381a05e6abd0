/** Runways in use: as the ATIS of a controller says, else the ones into the wind. */
import { z } from 'zod';
import { angleBetween } from '../airports/geometry.ts';
import type { WindGroup } from './groups.ts';

export const runwaysInUseSchema = z
  .array(
    z.strictObject({
      source: z
        .enum(['IVAO', 'VATSIM', 'WIND'])
        .describe('the online network whose ATIS says so, or the wind of the METAR'),
      isGuess: z.boolean().describe('true: not stated anywhere, these are the runways into the wind'),
      arrival: z.array(z.string()).describe('empty: not stated'),
      departure: z.array(z.string()).describe('empty: not stated'),
      text: z.string().describe('the words of the ATIS, or the wind'),
    }),
  )
  .describe(
    'one entry for each network that states it; without any, a guess by the wind; empty when nothing is known',
  );
export type RunwayInUse = z.output<typeof runwaysInUseSchema>[number];

type Use = 'arrival' | 'departure';
interface Statement {
  uses: readonly Use[];
  /** The words about runways. */
  words: string;
}

const both: readonly Use[] = ['arrival', 'departure'];
const spoken: Readonly<Record<string, string>> = {
  ZERO: '0',
  ONE: '1',
  TWO: '2',
  THREE: '3',
  TREE: '3',
  FOUR: '4',
  FIVE: '5',
  SIX: '6',
  SEVEN: '7',
  EIGHT: '8',
  NINE: '9',
  NINER: '9',
};
const digits = Object.keys(spoken).join('|');

/** The longest ATIS seen has 600 characters; the patterns take time with the square of the length. */
const maxLength = 2_000;

/** Lines as one text: spoken digits and sides as they are written, every word for a runway as RWY. */
const plain = (lines: readonly string[]): string =>
  lines
    .join(' ')
    .slice(0, maxLength)
    .toUpperCase()
    .replaceAll(/\b(?:RUNWAYS?|RWYS|RY)\b/g, 'RWY')
    .replaceAll(/\bRWY ?(?=\d)/g, 'RWY ')
    .replaceAll(
      new RegExp(`\\b(${digits}) (?:(${digits})\\b)`, 'g'),
      (_, a: string, b: string) => `${spoken[a]}${spoken[b]}`,
    )
    .replaceAll(/\b(\d) (\d) (?=LEFT|RIGHT|CENTER|CENTRE)/g, '$1$2 ')
    .replaceAll(/\b(\d{1,2}) ?(L|R|C)(?:EFT|IGHT|ENTER|ENTRE)\b/g, '$1$2')
    .replaceAll(/\s+/g, ' ');

const ident = String.raw`(?:RWY )?\d{1,2}[LRC]?\b(?! ?(?:KT|KNOTS|DEG|MILLI|PERCENT|FEET|FT)|\.\d)`;
/** `27L`, `16L 16R`, `RWY 10L AND RWY 10R`, `8 AND 14`. */
const list = String.raw`${ident}(?:(?:,? AND |, ?| & | OR | |/)${ident})*`;
const arrivals = String.raw`(?:ARR(?:IVALS?|IVING)?|LDG|LNDG|LANDING)`;
const departures = String.raw`(?:DEP(?:G|TG|ARTURES?|ARTING)?|TKOF|TAKE ?OFF)`;
const approach = String.raw`(?:AP(?:P|CHS?|PROACH(?:ES)?))`;

/** In the order of what they are worth; the first that states a use counts for it. */
const patterns: readonly (readonly [RegExp, readonly Use[]])[] = [
  [new RegExp(`\\b${arrivals}(?: ?/ ?| AND | & )${departures}(?: RWY)? (${list})`, 'g'), both],
  [new RegExp(`\\b${departures}(?: ?/ ?| AND | & )${arrivals}(?: RWY)? (${list})`, 'g'), both],
  [new RegExp(`\\b${arrivals}(?: RWY|:)? (${list})`, 'g'), ['arrival']],
  [new RegExp(`\\b${departures}(?: RWY|:)? (${list})`, 'g'), ['departure']],
  [new RegExp(`\\b(${list}) FOR ${arrivals}\\b`, 'g'), ['arrival']],
  [new RegExp(`\\b(${list}) FOR ${departures}\\b`, 'g'), ['departure']],
  [new RegExp(`\\bRWY IN USE:? (${list})`, 'g'), both],
  [new RegExp(`\\b(RWY ${list}) ${approach} IN USE\\b`, 'g'), ['arrival']],
  [new RegExp(`\\b${approach} (?:TO )?(${list}),? IN USE\\b`, 'g'), ['arrival']],
  [new RegExp(`\\bSIMUL[A-Z]* (?:[A-Z]+ )?${approach} IN USE,? (${list})`, 'g'), ['arrival']],
  [new RegExp(`(?<!\\b(?:TO|${approach}) )\\b(RWY ${list}),? IN USE\\b`, 'g'), both],
  [
    new RegExp(`\\b(?:ILS|RNAV|RNP|VOR|LOC|VISUAL|VIS)(?: [A-Z])?(?: ${approach})? (RWY ${list})`, 'g'),
    ['arrival'],
  ],
];

const identsOf = (words: string): string[] =>
  [...words.matchAll(/\b(\d{1,2})([LRC]?)\b/g)].map(
    ([, number = '', side = '']) => `${number.padStart(2, '0')}${side}`,
  );

const statements = (text: string): Statement[] =>
  patterns.flatMap(([pattern, uses]) =>
    [...text.matchAll(pattern)].map((match) => ({ uses, words: match[0] })),
  );

/** What the ATIS of one station says of the runways of its airport; null when it says nothing of them. */
export const runwaysOfAtis = (
  lines: readonly string[],
  idents: readonly string[],
  source: 'IVAO' | 'VATSIM',
): RunwayInUse | null => {
  const found: Record<Use, string[]> = { arrival: [], departure: [] };
  const words: string[] = [];
  const known = new Set(idents);
  const stated = statements(plain(lines));
  for (const use of both) {
    for (const statement of stated) {
      if (!statement.uses.includes(use)) continue;
      const own = identsOf(statement.words).filter((one) => known.size === 0 || known.has(one));
      if (own.length === 0) continue;
      // `LDG RWY 27L. LDG RWY 27R`: the same form once more.
      const same = stated.filter((one) => one.uses === statement.uses);
      const all = same
        .flatMap((one) => identsOf(one.words))
        .filter((one) => known.size === 0 || known.has(one));
      found[use] = [...new Set(all)].toSorted();
      words.push(...same.map((one) => one.words));
      break;
    }
  }
  if (words.length === 0) return null;
  return { source, isGuess: false, ...found, text: [...new Set(words)].join('; ') };
};

interface End {
  ident: string;
  trueBearingDeg: number;
  isClosed: boolean;
  lengthM: number;
}

/** Below this a tower uses the runway it prefers, which is not known. */
const calmKt = 3;
const parallelDeg = 10;

/** The open directions with the most headwind, parallel ones together; null in a wind without direction or strength. */
export const runwaysIntoWind = (wind: WindGroup | null, ends: readonly End[]): RunwayInUse | null => {
  const { directionDeg = null, speedKt = null } = wind ?? {};
  if (directionDeg === null || speedKt === null || speedKt < calmKt) return null;
  const open = ends.filter(({ isClosed }) => !isClosed);
  const off = ({ trueBearingDeg }: End): number => angleBetween(trueBearingDeg, directionDeg);
  const best = open.toSorted((a, b) => off(a) - off(b) || b.lengthM - a.lengthM)[0];
  if (!best) return null;
  const into = open
    .filter(({ trueBearingDeg }) => angleBetween(trueBearingDeg, best.trueBearingDeg) <= parallelDeg)
    .map(({ ident: name }) => name)
    .toSorted();
  const text = `wind ${String(directionDeg).padStart(3, '0')}/${Math.round(speedKt)} kt`;
  return { source: 'WIND', isGuess: true, arrival: into, departure: into, text };
};

interface Stations {
  networkA: readonly { atis: readonly string[] }[] | null;
  networkB: readonly { atis: readonly string[] }[] | null;
}

/** Arrivals and departures may have an ATIS each: the first that states a use counts for it. */
const ofNetwork = (
  stations: readonly { atis: readonly string[] }[] | null,
  idents: readonly string[],
  source: 'IVAO' | 'VATSIM',
): RunwayInUse[] => {
  const stated = (stations ?? []).flatMap(({ atis }) => runwaysOfAtis(atis, idents, source) ?? []);
  const arrival = stated.find((one) => one.arrival.length > 0);
  const departure = stated.find((one) => one.departure.length > 0);
  const used = stated.filter((one) => one === arrival || one === departure);
  if (used.length === 0) return [];
  return [
    {
      source,
      isGuess: false,
      arrival: arrival?.arrival ?? [],
      departure: departure?.departure ?? [],
      text: used.map(({ text }) => text).join('; '),
    },
  ];
};

/** What each network states, else a guess. */
export const runwaysInUse = (
  { networkA, networkB }: Stations,
  ends: readonly End[],
  wind: WindGroup | null,
): RunwayInUse[] => {
  const idents = ends.map(({ ident: name }) => name);
  const stated = [...ofNetwork(networkA, idents, 'IVAO'), ...ofNetwork(networkB, idents, 'VATSIM')];
  const guess = stated.length > 0 ? null : runwaysIntoWind(wind, ends);
  return guess ? [guess] : stated;
};
