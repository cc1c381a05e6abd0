/**
 * The words behind a closure word decide whether it closes the runway for an airliner: for which use, under which
 * condition, with which exceptions.
 */
import {
  airliners,
  allTraffic,
  anyUse,
  cause,
  causeTerminators,
  landing,
  lightOnly,
  nonAirliners,
  part,
  pattern,
  runwayList,
  someTraffic,
  takeoff,
  timeWord,
  unknownTime,
  unrelatedClause,
} from './vocabulary.ts';
import type { RunwayUse } from './types.ts';

export interface Qualifiers {
  /** Null: it restricts some traffic, or was not understood, and closes nothing. */
  use: RunwayUse | null;
  condition?: string | undefined;
  flags: string[];
}

const clip = (text: string): string => (text.length > 70 ? `${text.slice(0, 67)}...` : text);

/** Cancelled, or another thing is closed. */
const another = /^\s*(?:CANCELLED|CNL|WITHDRAWN|MARKINGS?|MARKERS?|SIGNS?|AREAS?|LIGHTS?|LGTS?|CROSSES)\b/;

interface Modifier {
  form: RegExp;
  use?: RunwayUse;
  flag?: string;
  /** With these words it is not understood. */
  unless?: RegExp;
}
const modifier = (form: string, more: Omit<Modifier, 'form'> = {}): Modifier => ({
  form: new RegExp(form, 'y'),
  ...more,
});

const joint = String.raw`\s*(?:AND|OR|\/|,|&)\s*`;
const purpose = String.raw`(?:\s+(?:OPS|OPERATIONS?|ONLY|PURPOSES?|MOVEMENTS?|TFC|TRAFFIC|ACFT|AIRCRAFT|FLTS?|FLIGHTS?))?`;
const every = String.raw`(?:(?:ALL|ANY|THE|OF|OPS|OPERATIONS?|TFC|TRAFFIC|ACFT|AIRCRAFT|FLIGHTS?|FLTS?)\s+)*`;
const closedFor = (use: string): string =>
  String.raw`(?:FOR|TO)\s+${every}${use}(?![A-Z])${purpose}(?:\s+(?:OF|BY|FOR|TO)\s+${allTraffic})?`;
const opens = pattern`(?<![A-Z])${anyUse}(?![A-Z])`;

/** Each kind of words that may follow; what is none of them is not understood. */
const modifiers: Modifier[] = [
  modifier(String.raw`[\s,:()/.'"-]+`),
  // "RMK: EXCEPT CROSS RWY"
  modifier(String.raw`RMKS?\s*[:-]?\s*(?=EXC)`),
  // Both orders, with "ALL" and purpose: neither is possible.
  modifier(closedFor(`(?:BOTH )?(?:${takeoff}${joint}${landing}|${landing}${joint}${takeoff})`), {
    use: 'all',
  }),
  modifier(closedFor(landing), { use: 'landing' }),
  modifier(closedFor(takeoff), { use: 'takeoff' }),
  modifier(String.raw`(?:FOR|TO)\s+${allTraffic}(?:\s+(?:OPS|OPERATIONS?|USE))?`),
  modifier(String.raw`ALL\s+(?:TFC|TRAFFIC|ACFT|AIRCRAFT|OPS|OPERATIONS|FLTS?|FLIGHTS?)(?![A-Z])`),
  modifier(
    String.raw`(?:FOR\s+|TO\s+)?${cause}(?:\s+(?:OF|ON|NEAR)(?:\s+(?!${causeTerminators})[A-Z][A-Z\/-]*(?![A-Z0-9]))+)?`,
    { unless: pattern`^(?=.* (?:OF|ON|NEAR) ).*(?:${someTraffic.source}|${part.source})` },
  ),
  modifier(String.raw`(?:WO|WITHOUT)\s+(?:RWY\s+)?(?:INT|INTERSECTIONS?)(?![A-Z])[^,]*`, {
    flag: 'exception not applied',
  }),
  modifier(
    String.raw`(?:AND\s+|&\s*|(?:TFC (?:TO |WILL )?)?USE\s+|ONLY\s+|TKOF AND LDG\s+|LDG AND TKOF\s+)?(?:ON\s+)?${runwayList}(?=\s*(?:$|,|AND|IN USE|AVBL|AVAILABLE|OPEN|REMAINS?))(?:\s+(?:IN USE|(?:IS |REMAINS? )?(?:AVBL|AVAILABLE|OPEN)))?`,
  ),
  modifier(
    String.raw`(?:BUT |AND )?(?:IS )?(?:AVBL|AVAILABLE|USABLE|OPEN) FOR (?:(?:ACFT|AIRCRAFT) )?(?:XNG|CROSSINGS?|TAX\w*)(?![A-Z]).*`,
    { unless: opens },
  ),
  // "CLSD RWY 16R APCH LGT U/S": another statement without a full stop.
  modifier(
    String.raw`${runwayList}\s+(?:(?:HIGH|LOW|MED) INTST\s+|APCH\s+|RWY\s+)*(?:LGTS?|PAPI|ILS|VASIS?)(?![A-Z])[^,]*`,
  ),
  modifier(String.raw`(?:AND )?(?:CTN|CAUTION)(?![A-Z])[^,]*`, { unless: opens }),
  modifier(timeWord),
  modifier(
    String.raw`(?:AND )?(?:(?:COMPLETELY|PERMANENTLY) )?(?:WITHDRAWN(?: FROM (?:USE|SERVICE))?|DECOMMISSIONED|ABANDONED)(?![A-Z])`,
  ),
  modifier(String.raw`(?:OTHERS? |OR )?(?:PN|PPR|PPO|O\/R)(?![A-Z]).*`, { flag: 'exception not applied' }),
  modifier(
    String.raw`(?:(?:IS )?AVBL |AVAILABLE |USABLE |OPEN )?ONLY (?:FOR |TO |AS )?(?:HEL(?:ICOPTERS?|I)?|TAX\w*|TWY|TAXIWAY|XNG|CROSSING|ROTARY)(?![A-Z]).*`,
    { unless: airliners, flag: 'read as closed for aeroplanes' },
  ),
];

const due = /^(?:DUE|DUE TO|BECAUSE|BY DISABLED|OWING|ON ACCOUNT|ACCOUNT|IN ORDER|CAUSED|AS A RESULT)\b/;
/** Commas in brackets belong to the cause. */
const stop = /^((?:\([^()]*\)|.)*?)(?=,|\b(?:RMKS?|EXC(?:EPT)?|OTHER THAN|WHEN|DURING|DRG|OUTSIDE)\b|$)/;
const exception = /^(?:EXC(?:EPT(?:ING|ED)?)?|WITH (?:THE )?EXCEPTION OF|APART FROM)\b/;

interface Judged {
  use?: RunwayUse | undefined;
  condition?: string;
  flag?: string | undefined;
  length: number;
}

const otherThanUse = String.raw`(?:TAX(?:I|IING)?|BACKTRACK(?:ING)?|XNG|CROSSINGS?|TOW(?:ING)?|OPS|OPERATIONS?|FOR|AND|OR)`;
const exceptUse = pattern`^(?:${otherThanUse}[\s,/&]+)*(?:(${takeoff})|${landing})(?:[\s,/&]+${otherThanUse})*$`;

/** Exceptions do not reopen a runway for an airliner, unless they may include one. */
const readException = (rest: string): Judged => {
  const words = rest.replace(exception, '').trim();
  const { length } = rest;
  const stillOpen = exceptUse.exec(words);
  if (stillOpen) return { use: stillOpen[1] === undefined ? 'takeoff' : 'landing', length };
  if (airliners.test(words) && !lightOnly.test(words))
    return { condition: 'commercial or scheduled flights are excepted', length };
  if (/^[A-Z]{1,2}\d{1,2}[A-Z]?(?:$|[\s,])/.test(words))
    return { flag: `exception ${words.split(/[\s,]/)[0]} not applied`, length };
  if (unknownTime.exec(words)?.index === 0)
    return { condition: `time of the closure not known: "${clip(rest)}"`, length };
  // It may be granted to any flight.
  const mayBeAny = /\b(?:AUTH\w*|PPR|PPO|PN|PERMISSION|APPROVED|APPROVAL)\b/.test(words);
  return nonAirliners.test(words) && !mayBeAny
    ? { length }
    : { flag: `exception not applied: "${clip(rest)}"`, length };
};

const exceptionInside = /\b(?:EXC|EXCEPT|RMKS?|OTHER THAN|WHEN|DURING|OUTSIDE)\b/;

/** A cause in free words, up to a comma or the next limitation. Null: it limits the closure. */
const readCause = (rest: string): Judged | null => {
  // A list after a colon belongs to the cause.
  const words = /^[^,]*:/.test(rest) && !exceptionInside.test(rest) ? rest : (stop.exec(rest)?.[1] ?? rest);
  const { length } = words;
  const outside = words.replace(/^DUE TO\b/, '').replace(/\([^()]*\)/g, ' ');
  if (/\b(?:FOR|TO)\s+(?!ACFT ACCIDENT)/.test(outside) && someTraffic.test(outside)) return null;
  // "CLSD DUE TO WIP BTN TWY A AND B": the works or the closure.
  return part.test(words) ? { condition: `may be a part only: "${clip(words)}"`, length } : { length };
};

const newStatement = pattern`^(?:(?:AND|WITH|BUT)\s+)?${unrelatedClause}(?![A-Z])`;
/** These begin a remark without a comma. */
const remark =
  /^(?:REF|SEE|REFER|RMKS?|NOTE|IAW|AS PER|ACCORDING|CTC|CONTACT|INFO|TEL|(?:USABLE|AVBL) AS (?:A )?(?:TWY|TAXIWAY)|AVBL FOR TAX\w*|MARKED|LGTD|LIGHTED|BARRICADED|NO WINTER)(?![A-Z])/;

/** One kind of words at the start of `rest`; null: not understood. */
const step = (rest: string, hasSchedule: boolean, isApart: boolean): Judged | null => {
  if (exception.test(rest)) return readException(rest);
  if (due.test(rest)) return readCause(rest);
  if (unknownTime.exec(rest)?.index === 0)
    // With a schedule the text only repeats item D in words.
    return hasSchedule
      ? { flag: `closure also limited by "${clip(rest)}"`, length: rest.length }
      : { condition: `time of the closure not known: "${clip(rest)}"`, length: rest.length };
  for (const { form, use, flag, unless } of modifiers) {
    form.lastIndex = 0;
    const [words = ''] = form.exec(rest) ?? [];
    if (words === '') continue;
    if (unless?.test(words)) return null;
    return { use, flag: flag && `${flag}: "${clip(words)}"`, length: words.length };
  }
  if (!remark.test(rest) && !((isApart || /^(?:AND|WITH|BUT)\b/.test(rest)) && newStatement.test(rest)))
    return null;
  const [words = rest] = /^[^,]*/.exec(rest) ?? [];
  const { length } = words;
  return someTraffic.test(words) || part.test(words)
    ? { condition: `may be limited by "${clip(words)}"`, length }
    : { length };
};

const startsPart = pattern`^[\s,:-]*(?:THE )?(?:${part.source})`;

/** "BUT AVBL FOR TKOF" after "CLSD FOR LDG": the other use. */
const otherUse = pattern`^(?:BUT\s+)?(?:STILL\s+)?(?:AVBL|AVAILABLE|USABLE|OPEN|ALLOWED|PERMITTED)\s+(?:FOR\s+)?(?:(${takeoff})|${landing})(?:\s+ONLY)?\s*$`;

/**
 * Reads the words between a closure word and the end of the statement one kind after the other. Words that are not
 * understood flag, they never close.
 */
export const readQualifiers = (tail: string, hasSchedule: boolean): Qualifiers => {
  const text = tail.trim();
  const not = (why: string): Qualifiers => ({ use: null, flags: [`${why}: "${clip(text)}"`] });
  if (another.test(tail)) return not('not understood');
  if (startsPart.test(text)) return not('part of the runway closed, length not understood');
  let use: RunwayUse = 'all';
  const conditions: string[] = [];
  const flags: string[] = [];
  let rest = text;
  let isApart = false;
  while (rest !== '') {
    const other = otherUse.exec(rest);
    if (other) {
      if (use !== (other[1] === undefined ? 'takeoff' : 'landing')) return not('closed for some use only');
      break;
    }
    const judged = step(rest, hasSchedule, isApart);
    if (!judged) return not('closure with words that were not understood');
    use = judged.use ?? use;
    if (judged.condition !== undefined) conditions.push(judged.condition);
    if (judged.flag !== undefined) flags.push(judged.flag);
    isApart = /[,(:.-]/.test(rest.slice(0, judged.length).trim().slice(-1));
    rest = rest.slice(judged.length).trimStart();
  }
  return {
    use,
    condition: conditions.length === 0 ? undefined : conditions.join(', '),
    flags: flags.length === 0 ? [] : [flags.join('; ')],
  };
};
