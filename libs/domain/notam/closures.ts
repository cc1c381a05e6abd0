import { readQualifiers } from './closure-qualifiers.ts';
import { designatorsIn, maxStatementLength, statementsOf } from './text.ts';
import type { Interpretation, RunwayEffect, RunwayUse, Surface } from './types.ts';
import {
  anyUse,
  closedElsewhere,
  closedWord,
  everyPattern,
  landing,
  pattern,
  place,
  runwayList,
  takeoff,
  unknownTime,
} from './vocabulary.ts';

const surfaceOf = (subject: string): Surface | undefined => {
  const unpaved = /\b(?:GRASS|UNPAVED|GRAVEL|AIRSTRIP)\b/.test(subject);
  const paved = /\b(?:PAVED|ASPH|ASPHALT|CONC|CONCRETE)\b/.test(subject);
  return unpaved === paved ? undefined : unpaved ? 'unpaved' : 'paved';
};

const useOf = (words: string): RunwayUse => {
  const isTakeoff = new RegExp(takeoff).test(words);
  const isLanding = pattern`${landing}(?![A-Z])`.test(words);
  return isTakeoff && isLanding ? 'all' : isTakeoff ? 'takeoff' : 'landing';
};

/**
 * Closes each runway of a list. A surface word applies to its own runway only ("RWY 09/27 AND GRASS RWY 09/27"); a
 * strip named with both surfaces is closed entirely.
 */
const closeList = (list: string, use: RunwayUse, condition: string | undefined): RunwayEffect[] => {
  const found = list
    .split(/,| AND | N?OR | ET |&|\+/)
    .flatMap((item) => designatorsIn(item.trim()).map((runway) => ({ runway, surface: surfaceOf(item) })));
  const isWhole = (runway: string): boolean =>
    (['paved', 'unpaved'] as const).every((each) =>
      found.some((one) => one.runway === runway && one.surface === each),
    );
  return found.map(({ runway, surface }) => ({
    kind: 'closed',
    runway,
    use,
    surface: isWhole(runway) ? undefined : surface,
    condition,
  }));
};

/**
 * The named groups of a matched sentence or of the words before a closure word: `only` is the use still permitted,
 * `runways` a word that means runways without a designator, `all` the words before it.
 */
type Subject = Partial<
  Record<'list' | 'use' | 'only' | 'helicopters' | 'runways' | 'all' | 'aerodrome' | 'tail', string>
>;

const otherUses = { all: 'all', landing: 'takeoff', takeoff: 'landing' } as const;
const exceptRunway = pattern`\b(?:EXC|EXCEPT|OTHER THAN|BUT)\b.*?${runwayList}`;

/** Effects of closing a subject, limited by the words after it; `words` is the text that matched the pattern. */
const closedBy = (subject: Subject, words: string, tail: string, hasSchedule: boolean): Interpretation => {
  const { list, only, runways, all, aerodrome, helicopters } = subject;
  const qualifiers = readQualifiers(tail, hasSchedule);
  const { flags } = qualifiers;
  if (qualifiers.use === null) return { effects: [], flags };
  const stated = only === undefined ? subject.use && useOf(subject.use) : otherUses[useOf(only)];
  const use = stated || qualifiers.use;
  if (list !== undefined) {
    if (helicopters !== undefined) flags.push('open for helicopters only: read as closed for aeroplanes');
    return { effects: closeList(list, use, qualifiers.condition), flags };
  }
  const except = exceptRunway.exec(tail)?.[0].slice(0, 60);
  const condition = except === undefined ? qualifiers.condition : `all closed but: "${except}"`;
  if (runways !== undefined) flags.push('runway closed without a designator');
  else if (aerodrome === undefined)
    flags.push(
      use === 'all'
        ? 'take-off and landing prohibited without naming a runway: read as the whole aerodrome'
        : `${use} prohibited without naming a runway`,
    );
  if (runways === undefined && (aerodrome !== undefined || use === 'all'))
    return { effects: [{ kind: 'aerodromeClosed', use, condition }], flags };
  const single = runways !== undefined && all === undefined && !/(?:S|ALL)$/.test(runways);
  const surface = surfaceOf(words);
  return { effects: [{ kind: 'allRunwaysClosed', use, single, surface, condition }], flags };
};

const list = `(?<list>${runwayList})`;
const use = String.raw`(?<use>${anyUse}(?:\s*(?:AND|\/|OR)\s*${anyUse})?)`;
const may = String.raw`(?:AVBL|AVAILABLE|USABLE|OPEN|LTD|LIMITED|RESTRICTED|USED|TO BE USED)`;
const isOpen = String.raw`(?:\s+(?:IS|ARE|WILL BE))?\s+(?:AVBL|AVAILABLE|USABLE|OPEN)(?![A-Z])`;

/** Sentences that close a runway without a closure word after it; `only` names the use still permitted. */
const sentences: readonly RegExp[] = [
  pattern`^${list}\s*(?:IS\s+)?(?:(?:USABLE\s+|AVBL\s+|AVAILABLE\s+)?(?:FOR\s+)?TAX(?:I|IING)? ONLY|(?:USABLE ONLY|ONLY USABLE|ONLY AVBL) AS (?:TWY|TAXIWAY)|ONLY TO BE USED FOR TAXI)`,
  pattern`^${list}\s*:?\s*(?:IS\s+|ARE\s+)?(?:${may}\s+)?(?:(?:FOR|TO)\s+)?(?<only>${anyUse})(?:\s+(?:OPS|OPERATIONS?))?\s+ONLY(?![A-Z])(?<tail>.*)$`,
  pattern`^${list}\s*:?\s*(?:IS\s+|ARE\s+)?(?:ONLY\s+${may}|${may}\s+ONLY)\s+(?:FOR|TO)\s+(?<only>${anyUse})(?![A-Z])(?<tail>.*)$`,
  pattern`^NO\s+${use}\s+(?:(?:ON|FM|FROM)\s+)?${list}(?<tail>.*)$`,
  pattern`^NEITHER\s+(?:OF\s+)?(?<list>${runwayList}(?:\s+N?OR\s+(?:${runwayList}|\d{2}[LCR]?\s*\/\s*\d{2}[LCR]?))*)${isOpen}(?<tail>.*)$`,
  pattern`^(?:CLSD|CLOSED|CLOSURE OF)\s*:?\s*(?:THE\s+)?${list}(?<tail>.*)$`,
  pattern`^(?<all>NEITHER)\s+(?<runways>RWYS?|RUNWAYS?)${isOpen}(?<tail>.*)$`,
];
const helicopterOnly = pattern`^${list}\s*(?:IS\s+)?(?:OPEN|AVBL|AVAILABLE|RESERVED) (?:FOR|TO) (?<helicopters>HELICOPTERS?|HEL|ROTARY WING ACFT) ONLY`;

/** The first pattern that matches a text. */
const fitting = (forms: readonly RegExp[], text: string): RegExpExecArray | null => {
  for (const form of forms) {
    const found = form.exec(text);
    if (found) return found;
  }
  return null;
};

const readSentence = (
  statement: string,
  isClosureCode: boolean,
  hasSchedule: boolean,
): Interpretation | null => {
  const found = fitting(isClosureCode ? [...sentences, helicopterOnly] : sentences, statement);
  const subject: Subject = found?.groups ?? {};
  return found && closedBy(subject, found[0], subject.tail ?? '', hasSchedule);
};

const misspelt = /^(?:CSLD|CLSED)$/;
const closedWords = everyPattern`(?<![A-Z])${closedWord}(?![A-Z])`;
const copula = String.raw`(?:\s*(?:IS|ARE|WILL BE|SHALL BE|WILL REMAIN|HAS BEEN|HAVE BEEN|REMAINS?|NOW|TEMPO|TEMPORARILY|COMPLETELY|FULLY|:|-))*\s*`;
const other = String.raw`(?:(?:ALL\s+)?(?:ASSOCIATED\s+|ADJACENT\s+)?(?:TWYS?|TAXIWAYS?)(?:\s+(?!(?:BTN|INT|XNG|FM|END|LGT|AND|AT|ON|TO|OF)(?![A-Z]))'?(?:[A-Z]{1,2}\d{0,2}[A-Z]?|\d{1,2})'?(?![A-Z0-9]))*|(?:ALL\s+)?APRONS?|APN(?:\s+\d+)?|HELICOPTER AIMING POINT|HELIPADS?|FATO|STRIPS?|SWY|RESA)`;
const others = String.raw`(?:\s*(?:,\s*AND|,|AND|&)\s*${other})*`;

/** "TWY A AND RWY 09/27", but not "TWY A BTN TWY B AND RWY 09/27". */
const othersBefore = String.raw`(?!(?:TWY|TAXIWAY|APRON|APN|STRIP).*\b(?:BTN|BETWEEN|FM|FROM|TO|AT|ON|OF|INT|XNG|VIA|CROSSING)\b)(?:${other}\s*(?:,\s*AND|,|AND|&)\s*)*`;
const lead = pattern`^(?:(?:CAUTION|CTN|WARNING|NOTE)\s*[:,-]\s*|(?:AERODROME|AD|AIRPORT|ARPT)\s+|DUE (?:TO )?(?!.*\b(?:NEAR|ON|OF|AT|FOR)\b)[A-Z ]{1,40}?[,:]?\s+)(?=${runwayList})`;
const aerodromeWord = String.raw`(?:AD AP|AD\/AP|AP\/AD|AD|AERODROME|AIRPORT|ARPT|AP|AIRSTRIP|AIRFIELD)`;
/** "CTA, CTR, ATZ DEACTIVATED, AD CLSD": the airspace is a separate statement. */
const airspaceBefore = pattern`^.*\bDEACTIVATED[,\s]*(?:AND )?(?=${aerodromeWord}${copula}$)`;
/** Words before a closure word that consist of its subject only. */
const subjects = [
  pattern`^${othersBefore}${list}${others}${copula}$`,
  pattern`^(?:(?<all>ALL|BOTH)\s+)?(?:(?:GRASS|UNPAVED|PAVED)\s+)?(?<runways>RWYS?|RUNWAYS?|(?:RWYS?|RUNWAYS?) ALL)${others}${copula}$`,
  pattern`^(?:THE )?(?<aerodrome>${aerodromeWord})${others}${copula}$`,
  pattern`^${use}\s+(?:(?:ON|ONTO|AT|FM|FROM)\s+)?(?:THE\s+)?${list}${copula}$`,
  pattern`^${list}\s*[:,]?\s*(?:APPROACH AND\s+)?${use}${copula}$`,
];
const useAlone = pattern`^(?:START UP,?\s+)?${use}${copula}$`;
const runwayAfterUse = pattern`^\s*(?:ON\s+)?${list}(?<tail>.*)$`;

interface Clause {
  subject: string;
  word: string;
  tail: string;
  hasSchedule: boolean;
}

const fromRunway = String.raw`(?:(?:ON|FM|FROM)\s+)?${runwayList}`;
const twoUses = pattern`^(${anyUse}\s+${fromRunway})\s+AND\s+(${anyUse}\s+${fromRunway})$`;
const forbids = /^(?:PROHIBITED|FORBIDDEN|SUSPENDED|NOT ALLOWED|NOT PERMITTED|NOT AUTH)/;
const exceptionBefore = /\b(?:EXC|EXCEPT|OTHER THAN|ONLY)\b/;

const readClause = ({ subject, word, tail, hasSchedule }: Clause): Interpretation | null => {
  const found = fitting(subjects, subject) ?? (forbids.test(word) ? useAlone.exec(subject) : null);
  if (!found) return null;
  const named: Subject = found.groups ?? {};
  // "LANDING NOT PERMITTED ON RWY 09"
  const isUseAlone = named.list === undefined && named.use !== undefined;
  const behind: Subject = (isUseAlone ? runwayAfterUse.exec(tail)?.groups : undefined) ?? {};
  const read = closedBy({ ...named, ...behind }, found[0], behind.tail ?? tail, hasSchedule);
  if (misspelt.test(word) && read.effects.length > 0) read.flags.push(`closure word misspelt: ${word}`);
  return read;
};

const anyRunway = new RegExp(runwayList);
const notARunway = /\b(?:GLIDERS?|GLD|ULM|WINCH\w*|MODEL|BALLOON|FATO)\b/;
const otherThing =
  /\b(?:ENTRY|EXITS?|TWYS?|TAXIWAYS?|APRONS?|STANDS?|HOLDING|INTERSECTIONS?|LGTS?|LIGHTS?|ILS|PAPI|HLDG|STRIP)\b/;
const partSubject = /\b(?:FIRST|FST|LAST|INITIAL|FINAL|PART|PORTION)\b|\d ?(?:M|FT)\s*$/;

/** "…, RWY 05: LANDING NOT AUTH", "… REMAINING 1439M DEP FM RWY 34L NOT AVBL": the point where the subject begins. */
const lastPart = pattern`(?:,\s*(?:AND\s+)?(?=${runwayList}|${anyUse}\s+${fromRunway})|\d(?:M|FT)\s+(?=${anyUse}))(${runwayList}\s*[:,]?\s*${anyUse}|${anyUse}\s+${fromRunway}|${runwayList}${copula})$`;
const endsInUse = pattern`(?<![A-Z])${anyUse}(?:\s+(?:OPS|OPERATIONS?))?(?:\s+${fromRunway})?${copula}$`;

/** A closure later in the sentence, which is doubtful if the earlier words limit it. */
const readLastPart = (clause: Clause): Interpretation | null => {
  const found = lastPart.exec(clause.subject);
  const read = found && readClause({ ...clause, subject: found[1] ?? '' });
  if (!read) return null;
  const before = clause.subject.slice(0, found.index).replace(/\b(?:DRG |BY )?DAY AND NIGHT\b/g, '');
  const limit = unknownTime.exec(before) ?? exceptionBefore.exec(before);
  if (!limit) return read;
  const condition = `may be limited by "${before.slice(limit.index, limit.index + 60)}"`;
  return {
    ...read,
    effects: read.effects.map((effect) => ({ ...effect, condition: effect.condition ?? condition })),
  };
};

/** One closure word with the words before and after it. */
const readPart = (clause: Clause): Interpretation | null => {
  const read = readClause(clause) ?? readLastPart(clause);
  if (read) return read;
  const { subject, word } = clause;
  const words = `"${`${subject} ${word}`.slice(-90)}"`;
  if (endsInUse.test(subject) && forbids.test(word))
    return { effects: [], flags: [`prohibition not understood: ${words}`] };
  const isAboutRunway = anyRunway.test(subject) && !partSubject.test(subject) && !otherThing.test(subject);
  return /^C[LS]/.test(word) && isAboutRunway
    ? { effects: [], flags: [`closure not understood: ${words}`] }
    : null;
};

const readStatement = (statement: string, hasSchedule: boolean): Interpretation[] => {
  const readings: (Interpretation | null)[] = [];
  const found = [...statement.matchAll(closedWords)];
  let from = 0;
  for (const [i, match] of found.entries()) {
    const subject = statement
      .slice(from, match.index)
      .replace(/^(?:[\s,:-]|AND\s)+/, '')
      .replace(airspaceBefore, '')
      .trim();
    from = match.index + match[0].length;
    if (notARunway.test(subject)) continue;
    const tail = statement.slice(from, found[i + 1]?.index ?? statement.length);
    for (const part of twoUses.exec(subject)?.slice(1) ?? [subject])
      readings.push(readPart({ subject: part, word: match[0], tail, hasSchedule }));
  }
  return readings.filter((reading) => reading !== null);
};

const placeMention = pattern`\b${place}`;
const elsewhere = pattern`\b${closedElsewhere}\b`;
const neitherMention = /\bNEITHER\b.*\b(?:AVBL|AVAILABLE|USABLE|OPEN)\b/;

/**
 * Reads closures for one or both uses. The subject must consist of runways only, or of runways with whole taxiways or
 * aprons; any other mention of a closed runway is flagged.
 */
export const readClosures = (
  normalised: string,
  options: { hasSchedule: boolean; isClosureCode: boolean; location: string | null },
): Interpretation => {
  const { hasSchedule, isClosureCode, location } = options;
  const out: Interpretation = { effects: [], flags: [] };
  for (const whole of statementsOf(normalised, location)) {
    if (whole.length > maxStatementLength) {
      out.flags.push('a sentence is too long to process');
      continue;
    }
    const statement = whole.replace(lead, '');
    const sentence = readSentence(statement, isClosureCode, hasSchedule);
    const readings = sentence ? [sentence] : readStatement(statement, hasSchedule);
    const isNeither = readings.length === 0 && neitherMention.test(statement) && anyRunway.test(statement);
    if (isNeither || (elsewhere.test(statement) && placeMention.test(statement)))
      out.flags.push(`closure not understood: "${statement.slice(0, 90)}"`);
    for (const { effects, flags } of readings) {
      out.effects.push(...effects);
      out.flags.push(...flags);
    }
  }
  return out;
};
