import {
  closeList,
  closureWord,
  optional,
  surfaceOf,
  use,
  useOf,
  useWord,
  withoutDesignator,
} from './closure-words.ts';
import { readSentence } from './closure-sentences.ts';
import { inEnglish } from './languages.ts';
import { readQualifiers } from './closure-qualifiers.ts';
import { maxStatementLength, runwayList, statementsOf } from './text.ts';
import { landing, takeoff, unknownTime } from './traffic.ts';
import type { Reading } from './types.ts';

const misspelt = /^(?:CSLD|CLSED)$/;
const closureWords = new RegExp(`(?<![A-Z])${closureWord}(?![A-Z])`, 'g');
const copula = String.raw`(?:\s*(?:IS|ARE|WILL BE|SHALL BE|WILL REMAIN|HAS BEEN|HAVE BEEN|REMAINS?|NOW|TEMPO|TEMPORARILY|COMPLETELY|FULLY|:|-))*\s*`;
const other = String.raw`(?:(?:ALL\s+)?(?:ASSOCIATED\s+|ADJACENT\s+)?(?:TWYS?|TAXIWAYS?)(?:\s+(?!(?:BTN|INT|XNG|FM|END|LGT|AND|AT|ON|TO|OF)(?![A-Z]))'?(?:[A-Z]{1,2}\d{0,2}[A-Z]?|\d{1,2})'?(?![A-Z0-9]))*|(?:ALL\s+)?APRONS?|APN(?:\s+\d+)?|HELICOPTER AIMING POINT|HELIPADS?|FATO|STRIPS?|SWY|RESA)`;
const others = String.raw`(?:\s*(?:,\s*AND|,|AND|&)\s*${other})*`;

/** "TWY A AND RWY 09/27", but not "TWY A BTN TWY B AND RWY 09/27". */
const othersBefore = String.raw`(?!(?:TWY|TAXIWAY|APRON|APN|STRIP).*\b(?:BTN|BETWEEN|FM|FROM|TO|AT|ON|OF|INT|XNG|VIA|CROSSING)\b)(?:${other}\s*(?:,\s*AND|,|AND|&)\s*)*`;
const wholeSubject = new RegExp(`^${othersBefore}(${runwayList})${others}${copula}$`);
const lead = new RegExp(
  `^(?:(?:CAUTION|CTN|WARNING|NOTE)\\s*[:,-]\\s*|(?:AERODROME|AD|AIRPORT|ARPT)\\s+|DUE (?:TO )?(?!.*\\b(?:NEAR|ON|OF|AT|FOR)\\b)[A-Z ]{1,40}?[,:]?\\s+)(?=${runwayList})`,
);
const noDesignator = new RegExp(
  `^((?:ALL|BOTH)\\s+)?(?:(GRASS|UNPAVED|PAVED)\\s+)?(RWYS?|RUNWAYS?|(?:RWYS?|RUNWAYS?) ALL)${others}${copula}$`,
);
const aerodromeWord = String.raw`(?:AD AP|AD\/AP|AP\/AD|AD|AERODROME|AIRPORT|ARPT|AP|AIRSTRIP|AIRFIELD)`;
const aerodrome = new RegExp(`^(?:THE )?${aerodromeWord}${others}${copula}$`);
/** "CTA, CTR, ATZ DEACTIVATED, AD CLSD": the airspace is another statement. */
const airspaceBefore = new RegExp(`^.*\\bDEACTIVATED[,\\s]*(?:AND )?(?=${aerodromeWord}${copula}$)`);
const useThenRunway = new RegExp(
  `^${use}\\s+(?:(?:ON|ONTO|AT|FM|FROM)\\s+)?(?:THE\\s+)?(${runwayList})${copula}$`,
);
const runwayThenUse = new RegExp(`^(${runwayList})\\s*[:,]?\\s*(?:APPROACH AND\\s+)?${use}${copula}$`);
const useAlone = new RegExp(`^(?:START UP,?\\s+)?${use}${copula}$`);
const afterUse = new RegExp(`^\\s*(?:ON\\s+)?(${runwayList})(.*)$`);

interface Clause {
  subject: string;
  word: string;
  tail: string;
  hasSchedule: boolean;
}

const fromRunway = String.raw`(?:(?:ON|FM|FROM)\s+)?${runwayList}`;
const lastSubject = new RegExp(`(?:,|\\bAND)\\s*(${runwayList}${copula})$`);
const landingAndTakeoff = new RegExp(
  `^(${landing}\\s+${fromRunway})\\s+AND\\s+(${takeoff}\\s+${fromRunway})$`,
);
const takeoffAndLanding = new RegExp(
  `^(${takeoff}\\s+${fromRunway})\\s+AND\\s+(${landing}\\s+${fromRunway})$`,
);

const forbids = /^(?:PROHIBITED|FORBIDDEN|SUSPENDED|NOT ALLOWED|NOT PERMITTED|NOT AUTH)/;
const exceptionBefore = /\b(?:EXC|EXCEPT|OTHER THAN|ONLY)\b/;

const readUse = ({ subject, word, tail, hasSchedule }: Clause): Reading | null => {
  const oneWay = useThenRunway.exec(subject);
  const runwayFirst = oneWay ? null : runwayThenUse.exec(subject);
  const alone = oneWay || runwayFirst || !forbids.test(word) ? null : useAlone.exec(subject);
  if (!oneWay && !runwayFirst && !alone) return null;
  const words = oneWay?.[1] ?? runwayFirst?.[2] ?? alone?.[1] ?? '';
  const after = alone ? afterUse.exec(tail) : null;
  const list = oneWay?.[2] ?? runwayFirst?.[1] ?? after?.[1];
  const judged = readQualifiers(after?.[2] ?? tail, hasSchedule);
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
  const judged = readQualifiers(tail, hasSchedule);
  if (judged.kind === 'not') return { effects: [], flags: [judged.flag] };
  const flags = judged.flag === undefined ? [] : [judged.flag];
  if (misspelt.test(word)) flags.push(`closure word misspelt: ${word}`);
  if (named) return { effects: closeList(named[1] ?? '', judged.use, judged.condition), flags };
  const except = exceptRunway.exec(tail)?.[0];
  const condition = except === undefined ? judged.condition : `all closed but: "${except.slice(0, 60)}"`;
  if (unnamed) {
    const single = unnamed[1] === undefined && !/(?:S|ALL)$/.test(unnamed[3] ?? '');
    const limited = condition === undefined ? judged : { ...judged, condition };
    return withoutDesignator(limited, single, surfaceOf(subject));
  }
  return {
    effects: [{ kind: 'aerodromeClosed', use: judged.use, ...optional(undefined, condition) }],
    flags,
  };
};

const anyRunway = new RegExp(runwayList);
const notARunway = /\b(?:GLIDERS?|GLD|ULM|WINCH\w*|MODEL|BALLOON|FATO)\b/;
const otherThing =
  /\b(?:ENTRY|EXITS?|TWYS?|TAXIWAYS?|APRONS?|STANDS?|HOLDING|INTERSECTIONS?|LGTS?|LIGHTS?|ILS|PAPI|HLDG|STRIP)\b/;

const isPartSubject = (subject: string): boolean =>
  /\b(?:FIRST|FST|LAST|INITIAL|FINAL|PART|PORTION)\b|\d ?(?:M|FT)\s*$/.test(subject);

/** "…, RWY 05: LANDING NOT AUTH", "… REMAINING 1439M DEP FM RWY 34L NOT AVBL": where a subject begins. */
const lastPart = new RegExp(
  `(?:,\\s*(?:AND\\s+)?(?=${runwayList}|${useWord}\\s+${fromRunway})|\\d(?:M|FT)\\s+(?=${useWord}))(${runwayList}\\s*[:,]?\\s*${useWord}|${useWord}\\s+${fromRunway}|${runwayList}${copula})$`,
);
const endsInUse = new RegExp(
  `(?<![A-Z])${useWord}(?:\\s+(?:OPS|OPERATIONS?))?(?:\\s+${fromRunway})?${copula}$`,
);

/** A closure behind other words of the sentence: doubtful when those limit it. */
const readLastPart = (clause: Clause): Reading | null => {
  const found = lastPart.exec(clause.subject);
  const read = found && readClause({ ...clause, subject: found[1] ?? '' });
  if (!read) return null;
  const before = clause.subject.slice(0, found.index).replace(/\b(?:DRG |BY )?DAY AND NIGHT\b/g, '');
  const limit = unknownTime.exec(before) ?? exceptionBefore.exec(before);
  if (!limit) return read;
  const condition = `may be limited by "${before.slice(limit.index, limit.index + 60)}"`;
  return { ...read, effects: read.effects.map((effect) => ({ condition, ...effect })) };
};

/** One closure word with the words before and behind it. */
const readPart = (clause: Clause): Reading | null => {
  const read = readClause(clause) ?? readLastPart(clause);
  if (read) return read;
  const { subject, word } = clause;
  if (endsInUse.test(subject) && forbids.test(word))
    return { effects: [], flags: [`prohibition not understood: "${`${subject} ${word}`.slice(-90)}"`] };
  const isAboutRunway = anyRunway.test(subject) && !isPartSubject(subject) && !otherThing.test(subject);
  return /^C[LS]/.test(word) && isAboutRunway
    ? { effects: [], flags: [`closure not understood: "${`${subject} ${word}`.slice(-90)}"`] }
    : null;
};

const readStatement = (statement: string, hasSchedule: boolean): Reading[] => {
  const readings: (Reading | null)[] = [];
  const found = [...statement.matchAll(closureWords)];
  let from = 0;
  for (const [i, match] of found.entries()) {
    const before = statement
      .slice(from, match.index)
      .replace(/^(?:[\s,:-]|AND\s)+/, '')
      .replace(airspaceBefore, '')
      .trim();
    // Behind the tail of the closure before: "CLSD FOR TKOF, RWY 36 CLSD FOR LDG".
    const subject = (i > 0 ? lastSubject.exec(before)?.[1] : undefined) ?? before;
    from = match.index + match[0].length;
    if (notARunway.test(subject)) continue;
    const split = landingAndTakeoff.exec(subject) ?? takeoffAndLanding.exec(subject);
    const tail = statement.slice(from, found[i + 1]?.index ?? statement.length);
    for (const part of split ? [split[1] ?? '', split[2] ?? ''] : [subject])
      readings.push(readPart({ subject: part, word: match[0], tail, hasSchedule }));
  }
  return readings.filter((reading) => reading !== null);
};

const neitherMention = /\bNEITHER\b.*\b(?:AVBL|AVAILABLE|USABLE|OPEN)\b/;

/**
 * Full and one-way closures. A closure is read only when the statement's subject is nothing but runways (and
 * whole taxiways, aprons); anything else that mentions a closed runway is flagged.
 */
export const readClosures = (
  normalised: string,
  options: { hasSchedule: boolean; isClosureCode: boolean; location: string | null },
): Reading => {
  const { hasSchedule, isClosureCode, location } = options;
  const out: Reading = { effects: [], flags: [] };
  for (const whole of statementsOf(normalised)) {
    if (whole.length > maxStatementLength) {
      out.flags.push('a sentence is too long to process');
      continue;
    }
    const first = whole.split(' ')[0] ?? '';
    const isOwn = location !== null && (first === location || first === location.slice(1));
    const statement = inEnglish(isOwn ? whole.slice(first.length).trim() : whole).replace(lead, '');
    const sentence = readSentence(statement, isClosureCode, hasSchedule);
    const readings = sentence ? [sentence] : readStatement(statement, hasSchedule);
    if (readings.length === 0 && neitherMention.test(statement) && anyRunway.test(statement))
      out.flags.push(`closure not understood: "${statement.slice(0, 90)}"`);
    for (const reading of readings) {
      out.effects.push(...reading.effects);
      out.flags.push(...reading.flags);
    }
  }
  return out;
};
