/** Runways in use: from a controller's ATIS, else the runways into wind. */
import { z } from 'zod';
import { angleBetween } from '../airports/geometry.ts';
import { reciprocalIdent } from '../airports/ident.ts';
import { atisText, runwaysIn } from './atis-text.ts';
import type { AtisNetwork, AtisOfStation, NetworkStations } from './atis-text.ts';
import type { WindGroup } from './groups.ts';
import type { RunwayEnd } from '../airports/types.ts';

export const runwaysInUseSchema = z
  .array(
    z.strictObject({
      source: z
        .enum(['IVAO', 'VATSIM', 'WIND'])
        .describe('the online network whose ATIS states it; `WIND`: guessed from the wind of the METAR'),
      isGuess: z.boolean().describe('true: not stated anywhere; these are the runways into the wind'),
      arrival: z.array(z.string()).describe('runway ids; empty: not stated'),
      departure: z.array(z.string()).describe('runway ids; empty: not stated'),
      notInData: z
        .array(z.string())
        .describe('stated runways that are not in the airport data, for example after a renumbering'),
      text: z.string().describe('original text in the ATIS, or the wind'),
    }),
  )
  .describe(
    'one entry for each network that states it; if none does, a guess from the wind; empty when nothing is known',
  );
type RunwayInUse = z.output<typeof runwaysInUseSchema>[number];

type Use = 'arrival' | 'departure';
interface Statement {
  uses: readonly Use[];
  /** Explicit uses rank before runways in use, and these before approaches. */
  rank: number;
  idents: string[];
  words: string;
}

const both: readonly Use[] = ['arrival', 'departure'];

const ident = String.raw`(?:0?[1-9]|[12]\d|3[0-6])[LRC]?\b(?! ?(?:KT|KNOTS?|DEG|MPS|M\b|METERS|METRES|MILLI|PERCENT|PCT|FEET|FT|K?MS?\b)|[.:]\d)`;
const paired = String.raw`(?:0[1-9]|[12]\d|3[0-6])[LRC]?\b`;
const kind = String.raw`(?:ILS|LOC(?:ALIZER)?|VOR|RNAV|RNP|GLS|GNSS|GPS|LDA|CVA|NDB|2NDB|PAR|DME|VIS(?:UAL)?|INST(?:R|RUMENT)?)`;
const letter = String.raw`(?: \*?(?:[A-Z]|ZULU|YANKEE|X-?RAY|WHISKEY|VICTOR))?\b`;
const approach = String.raw`(?:APP(?:R|RS|S)?|APCHS?|APPROACH(?:ES)?)`;
/** `16L 16R`, `8 AND 14`, `10L, RWY 10R`, `10 ILS Z 17`, `22R AND ILS RWY 21L`. */
const more = String.raw`(?:(?: (?:FULL LENGTH|${approach}|${kind}${letter}))*(?:(?:,? ?(?:AND|OR|&)|,|\/|-)(?: OR)? ?(?:(?:${kind}${letter} (?:OR |AND )?){0,2}(?:${approach} )?RWY |${kind}${letter} (?:${approach} (?=\d\d[LRC]))?)?| RWY (?!${ident} (?:IN USE|AND|&|DRY|WET|DAMP|CLSD|CLOSED|IS|COND|FOR|TOUCH))| (?=${paired}))${ident})*`;
const list = String.raw`RWY ${ident}${more}`;
/** A two-digit number with a side is neither a SID nor a level. */
const listOrSided = String.raw`(?:RWY |(?=\d\d[LRC]))${ident}${more}`;
const arrivals = String.raw`(?:ARR(?:S|IVALS?|IVING)?|ARVNG|LDG|LNDG|LANDINGS?)`;
const departures = String.raw`(?:DEP(?:S|G|TG|ART(?:URES?|ING|S)?)?|TKOF|TAKE ?-?OFFS?)`;
const use = String.raw`(?:${arrivals}|${departures})\b`;
const uses = String.raw`${use}(?: ?(?:\/|AND|&|OR|,)? ?${use})?`;
/** Words between a use or an approach and its runways. */
const filler = String.raw`(?:[:,]| (?:[IO]N|IS|ARE|TO|FROM|FOR|EXPE?CT|EXPC|XPCT|EXPT|EXP|PROG(?:RESS)?|USE|PARALLEL|TRAFFIC|TFC|SIMUL(?:TANEOUS)?|VECTORS?|VECTORING|VCTR|AND|OR|${kind}|${approach}|\*?[ZYXWV]|ZULU|YANKEE|X-?RAY)(?=[ ,:]))* `;

/** Scans from left to right: `16 FOR ARRS RWY 27 FOR DEPS` does not contain `ARRS RWY 27`. */
const scanner = new RegExp(
  [
    String.raw`\b(?<listed>(?:RWY )?(?:IN USE )?${ident}${more}),? (?:IN USE )?(?:FOR (?:ALL |OTHER )*(?<listedFor>${uses})(?! (?:CL|FREQ|INFO))|(?<listedUse>${uses})(?! ?:?(?:RWY(?! ${ident} ${use} ?$)|\d|CL|FREQ|INFO|EXP)))`,
    String.raw`\b(?<!(?:ACFT|AIRCRAFT) )(?<use>${uses})${filler}(?<runways>${listOrSided})`,
    String.raw`\b(?:RWY IN USE|ACTIVE(?= RWY))[:,]? (?<general>(?:RWY )?${ident}${more})`,
    String.raw`\bCIRCL(?:E|ING)\b(?: [A-Z]+){0,3}? (?<circled>${list})`,
    String.raw`\b(?:${kind}|${approach})\b${letter}${filler}(?=(?<approached>${listOrSided}))\k<approached>(?! FOR ${use})`,
    String.raw`\b${kind}${letter},? ?(?<!VIS ?)(?<bare>(?=${paired})${ident}(?:(?: OR| AND|,)(?: ${kind}${letter})? (?=${paired})${ident})*)`,
    String.raw`\bVIS (?<visual>\d\d[LRC](?:,(?: VIS)? \d\d[LRC])*)\b`,
    String.raw`\b(?<served>${list}),? ${approach} IN (?:USE|PROG)`,
    String.raw`\b(?<inUse>${list}),? IN USE`,
    String.raw`(?<=^ ?)(?<alone>${list})(?=,? ?$|, ?EXP)`,
  ].join('|'),
  'g',
);
/** Words beside runways that are mentioned for another reason. */
const notUsed =
  /^,? ?(?:(?:IS|ARE) )?(?:CLSD|CLOSED|OTS|U\/S|UNSERV|UNAVBL|UNAVAIL|OUT OF|NOT |HS |HOLD|RVR|PAPI|GS |IM\b)/;
const onRequest = /^,? ?(?:(?:IS|ARE) )?(?:AVBL|AVAILABLE|(?:UP)?ON RE?QU?E?ST)\b/;
const conditional = /\b(?:WHEN|IF|AFTER|CROSSING|EXCEPT|CAUTION|CAUT|CTN)(?: [A-Z]+)? $/;

/** Both uses in `ARRIVALS AND DEPARTURES`, or the one named. */
const usesIn = (words: string): Use[] => [
  ...(new RegExp(`\\b${arrivals}\\b`).test(words) ? (['arrival'] as const) : []),
  ...(new RegExp(`\\b${departures}\\b`).test(words) ? (['departure'] as const) : []),
];

/** `role`: an ATIS for arrivals or departures only states the runways for that use. */
const statementsOf = (sentence: string, role: Use | null): Statement[] => {
  const found = [...sentence.matchAll(scanner)].flatMap((match): Statement[] => {
    // One alternative has matched, so one group names the runways.
    const { listedFor, listedUse, use: named = '', ...lists } = match.groups ?? {};
    const { listed, general, inUse, alone } = lists;
    const behind = sentence.slice(match.index + match[0].length);
    const idents = runwaysIn(Object.values(lists).find((words) => words !== undefined));
    // Both ends together name the strip, not a direction.
    const isStrip = idents.some((one) => idents.includes(reciprocalIdent(one)));
    if (isStrip || notUsed.test(behind) || conditional.test(sentence.slice(0, match.index))) return [];
    // `TRL 30 FOR DEP CLEARANCE`
    if (listed && !/\bRWY\b/.test(sentence.slice(0, match.index + listed.length))) return [];
    const explicit = usesIn(listedFor ?? listedUse ?? named);
    const rank = explicit.length > 0 ? 1 : (general ?? inUse ?? alone) ? 2 : 3;
    const stated = rank === 1 ? explicit : rank === 3 ? (['arrival'] as const) : role ? [role] : both;
    // `18R, 18C AND 9 ON REQUEST`: the last runway is not in use; of approaches, none is.
    const used = !onRequest.test(behind) ? idents : rank === 3 ? [] : idents.slice(0, -1);
    return [{ uses: stated, rank, idents: used, words: match[0].replace(/^[ .,]+/, '') }];
  });
  // An approach followed by circling ends on another runway.
  return /\bCIRCL/.test(sentence)
    ? found.filter(({ rank, words }) => rank < 3 || words.startsWith('CIRCL'))
    : found;
};

/** Runways in use by the ATIS of one station; null when it names none. */
export const runwaysOfAtis = (
  lines: readonly string[],
  idents: readonly string[],
  source: AtisNetwork,
  role: Use | null = null,
): RunwayInUse | null => {
  const known = new Set(idents);
  const isKnown = (one: string): boolean => known.size === 0 || known.has(one);
  const [text = ''] = atisText(lines, source).split(/\bNOTAMS?\b/);
  const stated = text.split(/\.(?!\d)/).flatMap((sentence) => statementsOf(sentence, role));
  const words = new Set<string>();
  const of = (wanted: Use): string[] => {
    const own = stated.filter((one) => one.uses.includes(wanted) && one.idents.some(isKnown));
    const first = Math.min(...own.map(({ rank }) => rank));
    const counted = own.filter(({ rank }) => rank === first);
    for (const one of counted) words.add(one.words);
    return [...new Set(counted.flatMap((one) => one.idents.filter(isKnown)))].toSorted();
  };
  const [arrival, departure] = [of('arrival'), of('departure')];
  const notInData = [...new Set(stated.flatMap((one) => one.idents.filter((name) => !isKnown(name))))];
  for (const one of stated) if (one.idents.some((name) => !isKnown(name))) words.add(one.words);
  if (words.size === 0) return null;
  return {
    source,
    isGuess: false,
    arrival,
    departure,
    notInData: notInData.toSorted(),
    text: [...words].join('; '),
  };
};

type End = Pick<RunwayEnd, 'ident' | 'trueBearingDeg' | 'isClosed' | 'lengthM'>;

/** In less wind a tower uses its preferred runway, which is unknown. */
const calmKt = 3;
const parallelDeg = 10;

/** Open runways with the most headwind, including parallel ones; null for a wind without direction or speed. */
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
  return { source: 'WIND', isGuess: true, arrival: into, departure: into, notInData: [], text };
};

/** `KDEN_A_ATIS` and `KDEN_D_ATIS` are for arrivals and for departures. */
const roleOf = (callsign: string): Use | null => {
  const part = /_([AD])_ATIS$/.exec(callsign)?.[1];
  return part === undefined ? null : part === 'A' ? 'arrival' : 'departure';
};

/** For each use, prefers its own ATIS, then a combined one, then the ATIS for the other use. */
const ofNetwork = (
  stations: readonly AtisOfStation[] | null,
  idents: readonly string[],
  source: AtisNetwork,
): RunwayInUse[] => {
  const read = (stations ?? []).flatMap(({ callsign, atis }) => {
    const role = roleOf(callsign);
    const stated = runwaysOfAtis(atis, idents, source, role);
    return stated ? [{ role, stated }] : [];
  });
  const of = (wanted: Use): RunwayInUse | undefined =>
    [wanted, null, wanted === 'arrival' ? 'departure' : 'arrival']
      .flatMap((role) => read.filter((one) => one.role === role))
      .find(({ stated }) => stated[wanted].length > 0)?.stated;
  const [arrival, departure] = [of('arrival'), of('departure')];
  const used = read
    .map(({ stated }) => stated)
    .filter((one) => one === arrival || one === departure || one.notInData.length > 0);
  if (used.length === 0) return [];
  return [
    {
      source,
      isGuess: false,
      arrival: arrival?.arrival ?? [],
      departure: departure?.departure ?? [],
      notInData: [...new Set(used.flatMap(({ notInData }) => notInData))],
      text: [...new Set(used.map(({ text }) => text))].join('; '),
    },
  ];
};

/** Runways stated by each network, else an estimate. */
export const runwaysInUse = (
  { networkA, networkB }: NetworkStations,
  ends: readonly End[],
  wind: WindGroup | null,
): RunwayInUse[] => {
  const idents = ends.map(({ ident: name }) => name);
  const stated = [...ofNetwork(networkA, idents, 'IVAO'), ...ofNetwork(networkB, idents, 'VATSIM')];
  const guess = stated.length > 0 ? null : runwaysIntoWind(wind, ends);
  return guess ? [guess] : stated;
};
