import { readTail } from './tails.ts';
import { designatorsIn, runwayList, statementsOf } from './text.ts';
import type { RunwayEffect, RunwayUse, Surface } from './types.ts';

/** Effects and flags that one reader found. */
export interface Reading {
  effects: RunwayEffect[];
  flags: string[];
}

const closureWord = String.raw`(?:CLSD|CLOSED|CSLD|CLSED|UNUSABLE|UNAVAILABLE|UNAVBL|NOT AVBL|NOT AVAILABLE|NOT USABLE|NOT AUTH(?:ORIZED)?|NOT ALLOWED|NOT PERMITTED|UNSERVICEABLE|U\/S|PROHIBITED|FORBIDDEN|SUSPENDED)`;
const misspelt = /^(?:CSLD|CLSED)$/;
const closureWords = new RegExp(`(?<![A-Z])${closureWord}(?![A-Z])`, 'g');
const copula = String.raw`(?:\s*(?:IS|ARE|WILL BE|SHALL BE|REMAINS?|NOW|TEMPO|TEMPORARILY|COMPLETELY|FULLY|:|-))*\s*`;
const other = String.raw`(?:(?:ALL\s+)?(?:ASSOCIATED\s+|ADJACENT\s+)?(?:TWYS?|TAXIWAYS?)(?:\s+'?[A-Z]{0,2}\d{0,2}[A-Z]?'?)*|(?:ALL\s+)?APRONS?|APN(?:\s+\d+)?|HELICOPTER AIMING POINT|HELIPADS?|FATO|STRIPS?|SWY|RESA)`;
const others = String.raw`(?:\s*(?:,\s*AND|,|AND|&)\s*${other})*`;

const wholeSubject = new RegExp(`^(${runwayList})${others}${copula}$`);
const lead = new RegExp(
  `^(?:DUE (?:TO )?(?!.*\\b(?:NEAR|ON|OF|AT|FOR)\\b)[A-Z ]{1,40}?[,:]?\\s+)(?=${runwayList})`,
);
const noDesignator = new RegExp(
  `^(ALL\\s+)?(?:(GRASS|UNPAVED|PAVED)\\s+)?(RWYS?|RUNWAYS?)${others}${copula}$`,
);
const aerodrome = new RegExp(`^(?:AD AP|AD|AERODROME|AIRPORT|AP)${others}${copula}$`);
const takeoff = String.raw`(?:TKOFS?|TAKE[ -]?OFFS?|DEPARTURES?|DEP)`;
const landing = String.raw`(?:LDGS?|LANDINGS?|ARRIVALS?|ARR)`;
const use = String.raw`(${takeoff}|${landing}|${takeoff}\s*(?:AND|\/|OR)\s*${landing}|${landing}\s*(?:AND|\/|OR)\s*${takeoff})`;
const useThenRunway = new RegExp(
  `^${use}\\s+(?:(?:ON|ONTO|AT|FM|FROM)\\s+)?(?:THE\\s+)?(${runwayList})${copula}$`,
);
const runwayThenUse = new RegExp(`^(${runwayList})\\s*[:,]?\\s*(?:APPROACH AND\\s+)?${use}${copula}$`);
const useAlone = new RegExp(`^(?:START UP,?\\s+)?${use}${copula}$`);
const afterUse = new RegExp(`^\\s*(?:ON\\s+)?(${runwayList})(.*)$`);

const surfaceOf = (subject: string): Surface | undefined => {
  const unpaved = /\b(?:GRASS|UNPAVED|GRAVEL|AIRSTRIP)\b/.test(subject);
  const paved = /\b(?:PAVED|ASPH|ASPHALT|CONC|CONCRETE)\b/.test(subject);
  return unpaved === paved ? undefined : unpaved ? 'unpaved' : 'paved';
};

const useOf = (words: string): RunwayUse => {
  const isTakeoff = new RegExp(takeoff).test(words);
  const isLanding = new RegExp(`${landing}(?![A-Z])`).test(words);
  return isTakeoff && isLanding ? 'all' : isTakeoff ? 'takeoff' : 'landing';
};

const optional = (surface: Surface | undefined, condition: string | undefined) => ({
  ...(surface === undefined ? {} : { surface }),
  ...(condition === undefined ? {} : { condition }),
});

interface Clause {
  subject: string;
  word: string;
  tail: string;
  hasSchedule: boolean;
}

/** Each runway of a list closes; its surface word applies to it alone ("RWY 09/27 AND GRASS RWY 09/27"). */
const closeList = (list: string, closedUse: RunwayUse, condition: string | undefined): RunwayEffect[] => {
  const effects: RunwayEffect[] = [];
  for (const item of list.split(/,| AND | ET |&|\+/)) {
    const surface = surfaceOf(item);
    for (const runway of designatorsIn(item.trim()))
      effects.push({ kind: 'closed', runway, use: closedUse, ...optional(surface, condition) });
  }
  return effects;
};

const fromRunway = String.raw`(?:(?:ON|FM|FROM)\s+)?${runwayList}`;
const landingAndTakeoff = new RegExp(
  `^(${landing}\\s+${fromRunway})\\s+AND\\s+(${takeoff}\\s+${fromRunway})$`,
);
const takeoffAndLanding = new RegExp(
  `^(${takeoff}\\s+${fromRunway})\\s+AND\\s+(${landing}\\s+${fromRunway})$`,
);

const readUse = ({ subject, word, tail, hasSchedule }: Clause): Reading | null => {
  const oneWay = useThenRunway.exec(subject);
  const runwayFirst = oneWay ? null : runwayThenUse.exec(subject);
  const forbids = /^(?:PROHIBITED|FORBIDDEN|SUSPENDED|NOT ALLOWED|NOT PERMITTED|NOT AUTH)/.test(word);
  const alone = oneWay || runwayFirst || !forbids ? null : useAlone.exec(subject);
  if (!oneWay && !runwayFirst && !alone) return null;
  const words = oneWay?.[1] ?? runwayFirst?.[2] ?? alone?.[1] ?? '';
  const after = alone ? afterUse.exec(tail) : null;
  const list = oneWay?.[2] ?? runwayFirst?.[1] ?? after?.[1];
  const judged = readTail(after?.[2] ?? tail, hasSchedule);
  if (judged.kind === 'not') return { effects: [], flags: [judged.flag] };
  const flags = judged.flag === undefined ? [] : [judged.flag];
  const closedUse = useOf(words);
  if (list !== undefined) return { effects: closeList(list, closedUse, judged.condition), flags };
  const condition = optional(undefined, judged.condition);
  if (closedUse === 'all')
    return {
      effects: [{ kind: 'aerodromeClosed', use: 'all', ...condition }],
      flags: [
        ...flags,
        'take-off and landing prohibited without naming a runway: read as the whole aerodrome',
      ],
    };
  return {
    effects: [{ kind: 'allRunwaysClosed', use: closedUse, single: false, ...condition }],
    flags: [...flags, `${closedUse} prohibited without naming a runway`],
  };
};

const exceptRunway = new RegExp(`\\b(?:EXC|EXCEPT|OTHER THAN|BUT)\\b.*?${runwayList}`);

const readClause = (clause: Clause): Reading | null => {
  const { subject, word, tail, hasSchedule } = clause;
  const named = wholeSubject.exec(subject);
  const unnamed = named ? null : noDesignator.exec(subject);
  if (!named && !unnamed && !aerodrome.test(subject)) return readUse(clause);
  const judged = readTail(tail, hasSchedule);
  if (judged.kind === 'not') return { effects: [], flags: [judged.flag] };
  const flags = judged.flag === undefined ? [] : [judged.flag];
  if (misspelt.test(word)) flags.push(`closure word misspelt: ${word}`);
  if (named) return { effects: closeList(named[1] ?? '', judged.use, judged.condition), flags };
  const except = exceptRunway.exec(tail)?.[0];
  const condition = except === undefined ? judged.condition : `all closed but: "${except.slice(0, 60)}"`;
  if (unnamed) {
    const single = unnamed[1] === undefined && !(unnamed[3] ?? '').endsWith('S');
    return {
      effects: [
        {
          kind: 'allRunwaysClosed',
          use: judged.use,
          single,
          ...optional(surfaceOf(subject), condition),
        },
      ],
      flags: [...flags, 'runway closed without a designator'],
    };
  }
  return {
    effects: [{ kind: 'aerodromeClosed', use: judged.use, ...optional(undefined, condition) }],
    flags,
  };
};

const taxiOnly = new RegExp(
  `^(${runwayList})\\s*(?:IS\\s+)?(?:(?:USABLE\\s+|AVBL\\s+|AVAILABLE\\s+)?(?:FOR\\s+)?TAX(?:I|IING)? ONLY|(?:USABLE ONLY|ONLY USABLE|ONLY AVBL) AS (?:TWY|TAXIWAY)|ONLY TO BE USED FOR TAXI)`,
);
const helicopterOnly = new RegExp(
  `^(${runwayList})\\s*(?:IS\\s+)?(?:OPEN|AVBL|AVAILABLE|RESERVED) (?:FOR|TO) (?:HELICOPTERS?|HEL|ROTARY WING ACFT) ONLY`,
);

const onlyUse = new RegExp(
  `^(${runwayList})\\s*:?\\s*(?:IS\\s+)?(?:(?:AVBL|AVAILABLE|USABLE|OPEN|LTD|LIMITED|RESTRICTED)\\s+)?(?:(?:FOR|TO)\\s+)?(${takeoff}|${landing})\\s+ONLY$`,
);
const noUse = new RegExp(`^NO\\s+${use}\\s+(?:(?:ON|FM|FROM)\\s+)?(${runwayList})$`);

const readOnly = (statement: string, isClosureCode: boolean): Reading | null => {
  const taxi = taxiOnly.exec(statement);
  if (taxi) return { effects: closeList(taxi[1] ?? '', 'all', undefined), flags: [] };
  const single = onlyUse.exec(statement);
  if (single) {
    const closedUse = useOf(single[2] ?? '') === 'landing' ? 'takeoff' : 'landing';
    return { effects: closeList(single[1] ?? '', closedUse, undefined), flags: [] };
  }
  const none = noUse.exec(statement);
  if (none) return { effects: closeList(none[2] ?? '', useOf(none[1] ?? ''), undefined), flags: [] };
  const helicopter = helicopterOnly.exec(statement);
  if (!helicopter || !isClosureCode) return null;
  return {
    effects: closeList(helicopter[1] ?? '', 'all', undefined),
    flags: ['open for helicopters only: read as closed for aeroplanes'],
  };
};

const anyRunway = new RegExp(runwayList);
const notARunway = /\b(?:GLIDERS?|GLD|ULM|WINCH\w*|MODEL|BALLOON|FATO)\b/;
const otherThing =
  /\b(?:ENTRY|EXITS?|TWYS?|TAXIWAYS?|APRONS?|STANDS?|HOLDING|INTERSECTIONS?|LGTS?|LIGHTS?|ILS|PAPI|HLDG|STRIP)\b/;

const isPartSubject = (subject: string): boolean =>
  /\b(?:FIRST|FST|LAST|INITIAL|FINAL|PART|PORTION)\b|\d ?(?:M|FT)\s*$/.test(subject);

/**
 * Full and one-way closures. A closure is read only when the statement's subject is nothing but runways (and
 * whole taxiways, aprons); anything else that mentions a closed runway is flagged.
 */
export const readClosures = (
  normalised: string,
  options: { hasSchedule: boolean; isClosureCode: boolean; location: string | null },
): Reading => {
  const out: Reading = { effects: [], flags: [] };
  const add = (reading: Reading) => {
    out.effects.push(...reading.effects);
    out.flags.push(...reading.flags);
  };
  for (const whole of statementsOf(normalised)) {
    const first = whole.split(' ')[0] ?? '';
    const own =
      options.location !== null && (first === options.location || first === options.location.slice(1));
    const statement = (own ? whole.slice(first.length).trim() : whole).replace(lead, '');
    const only = readOnly(statement, options.isClosureCode);
    if (only) {
      add(only);
      continue;
    }
    const found = [...statement.matchAll(closureWords)];
    let from = 0;
    for (const [i, match] of found.entries()) {
      const subject = statement
        .slice(from, match.index)
        .replace(/^[\s,:-]+|^\s*AND\s+/g, '')
        .trim();
      const end = match.index + match[0].length;
      from = end;
      if (notARunway.test(subject)) continue;
      const split = landingAndTakeoff.exec(subject) ?? takeoffAndLanding.exec(subject);
      const tail = statement.slice(end, found[i + 1]?.index ?? statement.length);
      const parts = split ? [split[1] ?? '', split[2] ?? ''] : [subject];
      for (const part of parts) {
        const read = readClause({ subject: part, word: match[0], tail, hasSchedule: options.hasSchedule });
        if (read) add(read);
        else if (
          /^C[LS]/.test(match[0]) &&
          anyRunway.test(part) &&
          !isPartSubject(part) &&
          !otherThing.test(part)
        )
          out.flags.push(`closure not understood: "${`${part} ${match[0]}`.slice(-90)}"`);
      }
    }
  }
  return out;
};
