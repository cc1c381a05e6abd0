import {
  every,
  joint,
  unrelatedClause,
  causeTerminators,
  ofAll,
  purpose,
  timeWord,
} from './qualifier-words.ts';
import { runwayList } from './text.ts';
import {
  airliners,
  cause,
  allTraffic,
  landing,
  lightOnly,
  never,
  part,
  someTraffic,
  takeoff,
  unknownTime,
} from './traffic.ts';
import type { RunwayUse } from './types.ts';

/**
 * The words after a closure word decide whether it closes the runway for an airliner: for which use, under which
 * condition, with which exceptions. `not` = it restricts some traffic, or was not understood, and closes nothing.
 */
export type Qualifiers =
  | { kind: 'closed'; use: RunwayUse; condition?: string; flag?: string }
  | { kind: 'not'; flag: string };

const clip = (text: string): string => (text.length > 70 ? `${text.slice(0, 67)}...` : text);

/** Cancelled, or another thing is closed. */
const another = /^\s*(?:CANCELLED|CNL|WITHDRAWN|MARKINGS?|MARKERS?|SIGNS?|AREAS?|LIGHTS?|LGTS?|CROSSES)\b/;

interface Modifier {
  form: RegExp;
  read: (words: string) => { use?: RunwayUse; flag?: string } | null;
}
const sticky = (text: string): RegExp => new RegExp(text, 'y');
const plain = (form: string): Modifier => ({ form: sticky(form), read: () => ({}) });

const opens = new RegExp(`(?<![A-Z])(?:${takeoff}|${landing})(?![A-Z])`);

/** Each kind of words that may follow; what is none of them is not understood. */
const modifiers: Modifier[] = [
  plain(String.raw`[\s,:()/.'"-]+`),
  {
    // Both orders, with "ALL" and purpose: neither is possible.
    form: sticky(
      `(?:FOR|TO)\\s+${every}(?:BOTH )?(?:${takeoff}${joint}${landing}|${landing}${joint}${takeoff})(?![A-Z])${purpose}${ofAll}`,
    ),
    read: () => ({ use: 'all' }),
  },
  {
    form: sticky(`(?:FOR|TO)\\s+${every}${landing}(?![A-Z])${purpose}${ofAll}`),
    read: () => ({ use: 'landing' }),
  },
  {
    form: sticky(`(?:FOR|TO)\\s+${every}${takeoff}(?![A-Z])${purpose}${ofAll}`),
    read: () => ({ use: 'takeoff' }),
  },
  plain(`(?:FOR|TO)\\s+${allTraffic}(?:\\s+(?:OPS|OPERATIONS?|USE))?`),
  plain(String.raw`ALL\s+(?:TFC|TRAFFIC|ACFT|AIRCRAFT|OPS|OPERATIONS|FLTS?|FLIGHTS?)(?![A-Z])`),
  {
    form: sticky(
      `(?:FOR\\s+|TO\\s+)?${cause}(?:\\s+(?:OF|ON|NEAR)(?:\\s+(?!${causeTerminators})[A-Z][A-Z\\/-]*(?![A-Z0-9]))+)?`,
    ),
    read: (words) =>
      / (?:OF|ON|NEAR) /.test(words) && (someTraffic.test(words) || part.test(words)) ? null : {},
  },
  {
    form: sticky(String.raw`(?:WO|WITHOUT)\s+(?:RWY\s+)?(?:INT|INTERSECTIONS?)(?![A-Z])[^,]*`),
    read: (words) => ({ flag: `exception not applied: "${clip(words)}"` }),
  },
  plain(
    `(?:AND\\s+|&\\s*|(?:TFC (?:TO |WILL )?)?USE\\s+|ONLY\\s+|TKOF AND LDG\\s+|LDG AND TKOF\\s+)?(?:ON\\s+)?${runwayList}(?=\\s*(?:$|,|AND|IN USE|AVBL|AVAILABLE|OPEN|REMAINS?))(?:\\s+(?:IN USE|(?:IS |REMAINS? )?(?:AVBL|AVAILABLE|OPEN)))?`,
  ),
  {
    form: sticky(
      String.raw`(?:BUT |AND )?(?:IS )?(?:AVBL|AVAILABLE|USABLE|OPEN) FOR (?:(?:ACFT|AIRCRAFT) )?(?:XNG|CROSSINGS?|TAX\w*)(?![A-Z]).*`,
    ),
    read: (words) => (opens.test(words) ? null : {}),
  },
  // "CLSD RWY 16R APCH LGT U/S": another statement without a full stop.
  plain(
    `${runwayList}\\s+(?:(?:HIGH|LOW|MED) INTST\\s+|APCH\\s+|RWY\\s+)*(?:LGTS?|PAPI|ILS|VASIS?)(?![A-Z])[^,]*`,
  ),
  {
    form: sticky(String.raw`(?:AND )?(?:CTN|CAUTION)(?![A-Z])[^,]*`),
    read: (words) => (opens.test(words) ? null : {}),
  },
  plain(timeWord),
  plain(
    String.raw`(?:AND )?(?:(?:COMPLETELY|PERMANENTLY) )?(?:WITHDRAWN(?: FROM (?:USE|SERVICE))?|DECOMMISSIONED|ABANDONED)(?![A-Z])`,
  ),
  {
    form: sticky(String.raw`(?:OTHERS? |OR )?(?:PN|PPR|PPO|O\/R)(?![A-Z]).*`),
    read: (words) => ({ flag: `exception not applied: "${clip(words)}"` }),
  },
  {
    form: sticky(
      String.raw`(?:(?:IS )?AVBL |AVAILABLE |USABLE |OPEN )?ONLY (?:FOR |TO |AS )?(?:HEL(?:ICOPTERS?|I)?|TAX\w*|TWY|TAXIWAY|XNG|CROSSING|ROTARY)(?![A-Z]).*`,
    ),
    read: (words) =>
      airliners.test(words) ? null : { flag: `read as closed for aeroplanes: "${clip(words)}"` },
  },
];

const due = /^(?:DUE|DUE TO|BECAUSE|BY DISABLED|OWING|ON ACCOUNT|ACCOUNT|IN ORDER|CAUSED|AS A RESULT)\b/;
/** Commas in brackets belong to the cause. */
const stop = /^((?:\([^()]*\)|.)*?)(?=,|\b(?:RMKS?|EXC(?:EPT)?|OTHER THAN|WHEN|DURING|DRG|OUTSIDE)\b|$)/;
const exception = /^(?:EXC(?:EPT(?:ING|ED)?)?|WITH (?:THE )?EXCEPTION OF|APART FROM)\b/;
/** "RMK: EXCEPT CROSS RWY" */
const exceptionInRemark = /^RMKS?\s*[:-]?\s*(?=EXC)/;

interface Judged {
  use?: RunwayUse;
  condition?: string;
  flag?: string;
  length: number;
}

const otherThanUse = String.raw`(?:TAX(?:I|IING)?|BACKTRACK(?:ING)?|XNG|CROSSINGS?|TOW(?:ING)?|OPS|OPERATIONS?|FOR|AND|OR)`;
const exceptUse = new RegExp(
  `^(?:${otherThanUse}[\\s,/&]+)*(${takeoff}|${landing})(?:[\\s,/&]+${otherThanUse})*$`,
);

/** Exceptions do not reopen a runway for an airliner, unless they may include one. */
const readException = (rest: string): Judged => {
  const words = rest.replace(exception, '').trim();
  const length = rest.length;
  const stillOpen = exceptUse.exec(words)?.[1];
  if (stillOpen !== undefined)
    return { use: new RegExp(`^${takeoff}$`).test(stillOpen) ? 'landing' : 'takeoff', length };
  if (airliners.test(words) && !lightOnly.test(words))
    return { condition: 'commercial or scheduled flights are excepted', length };
  if (/^[A-Z]{1,2}\d{1,2}[A-Z]?(?:$|[\s,])/.test(words))
    return { flag: `exception ${words.split(/[\s,]/)[0]} not applied`, length };
  const time = unknownTime.exec(words);
  if (time && time.index === 0)
    return { condition: `time of the closure not known: "${clip(rest)}"`, length };
  // It may be granted to any flight.
  const mayBeAny = /\b(?:AUTH\w*|PPR|PPO|PN|PERMISSION|APPROVED|APPROVAL)\b/.test(words);
  return never.test(words) && !mayBeAny
    ? { length }
    : { flag: `exception not applied: "${clip(rest)}"`, length };
};

const exceptionInside = /\b(?:EXC|EXCEPT|RMKS?|OTHER THAN|WHEN|DURING|OUTSIDE)\b/;

/** A cause in free words, up to a comma or the next limitation. Null: it limits the closure. */
const readCause = (rest: string): Judged | null => {
  // A list after a colon belongs to the cause.
  const words = /^[^,]*:/.test(rest) && !exceptionInside.test(rest) ? rest : (stop.exec(rest)?.[1] ?? rest);
  const outside = words.replace(/^DUE TO\b/, '').replace(/\([^()]*\)/g, ' ');
  if (/\b(?:FOR|TO)\s+(?!ACFT ACCIDENT)/.test(outside) && someTraffic.test(outside)) return null;
  // "CLSD DUE TO WIP BTN TWY A AND B": the works or the closure.
  return part.test(words)
    ? { condition: `may be a part only: "${clip(words)}"`, length: words.length }
    : { length: words.length };
};

const timed = (rest: string, hasSchedule: boolean): Judged => {
  const words = clip(rest);
  // With a schedule the text only repeats item D in words.
  return hasSchedule
    ? { flag: `closure also limited by "${words}"`, length: rest.length }
    : { condition: `time of the closure not known: "${words}"`, length: rest.length };
};

const newStatement = new RegExp(`^(?:(?:AND|WITH|BUT)\\s+)?${unrelatedClause}(?![A-Z])`);
/** These begin a remark without a comma. */
const remark =
  /^(?:REF|SEE|REFER|RMKS?|NOTE|IAW|AS PER|ACCORDING|CTC|CONTACT|INFO|TEL|(?:USABLE|AVBL) AS (?:A )?(?:TWY|TAXIWAY)|AVBL FOR TAX\w*|MARKED|LGTD|LIGHTED|BARRICADED|NO WINTER)(?![A-Z])/;
const unknownTimeHere = new RegExp(`^${unknownTime.source}`);

/** One kind of words at the start of `rest`; null: not understood. */
const step = (rest: string, hasSchedule: boolean, isApart: boolean): Judged | null => {
  if (exception.test(rest)) return readException(rest);
  const inRemark = exceptionInRemark.exec(rest);
  if (inRemark) return { length: inRemark[0].length };
  if (due.test(rest)) return readCause(rest);
  if (unknownTimeHere.test(rest)) return timed(rest, hasSchedule);
  for (const { form, read } of modifiers) {
    form.lastIndex = 0;
    const found = form.exec(rest);
    if (!found || found[0] === '') continue;
    const judged = read(found[0]);
    return judged && { ...judged, length: found[0].length };
  }
  if (remark.test(rest) || ((isApart || /^(?:AND|WITH|BUT)\b/.test(rest)) && newStatement.test(rest))) {
    const words = /^[^,]*/.exec(rest)?.[0] ?? rest;
    return someTraffic.test(words) || part.test(words)
      ? { condition: `may be limited by "${clip(words)}"`, length: words.length }
      : { length: words.length };
  }
  return null;
};

const startsPart = new RegExp(`^[\\s,:-]*(?:THE )?(?:${part.source})`);

/** "BUT AVBL FOR TKOF" after "CLSD FOR LDG": the other use. */
const otherUse = new RegExp(
  `^(?:BUT\\s+)?(?:STILL\\s+)?(?:AVBL|AVAILABLE|USABLE|OPEN|ALLOWED|PERMITTED)\\s+(?:FOR\\s+)?(${takeoff}|${landing})(?:\\s+ONLY)?\\s*$`,
);

/**
 * Reads the words between a closure word and the end of the statement one kind after the other. A tail that is not
 * understood flags, it never closes.
 */
export const readQualifiers = (tail: string, hasSchedule: boolean): Qualifiers => {
  const text = tail.trim();
  if (another.test(tail)) return { kind: 'not', flag: `not understood: "${clip(text)}"` };
  if (startsPart.test(text))
    return { kind: 'not', flag: `part of the runway closed, length not understood: "${clip(text)}"` };
  let use: RunwayUse = 'all';
  const conditions: string[] = [];
  const flags: string[] = [];
  let rest = text;
  let isApart = false;
  while (rest !== '') {
    const other = otherUse.exec(rest);
    if (other) {
      const isTakeoff = new RegExp(`^${takeoff}$`).test(other[1] ?? '');
      if (use !== (isTakeoff ? 'landing' : 'takeoff'))
        return { kind: 'not', flag: `closed for some use only: "${clip(text)}"` };
      break;
    }
    const judged = step(rest, hasSchedule, isApart);
    if (!judged) return { kind: 'not', flag: `closure with words that were not understood: "${clip(text)}"` };
    if (judged.use !== undefined) use = judged.use;
    if (judged.condition !== undefined) conditions.push(judged.condition);
    if (judged.flag !== undefined) flags.push(judged.flag);
    isApart = /[,(:.-]/.test(rest.slice(0, judged.length).trim().slice(-1));
    rest = rest.slice(judged.length).trimStart();
  }
  return {
    kind: 'closed',
    use,
    ...(conditions.length === 0 ? {} : { condition: conditions.join(', ') }),
    ...(flags.length === 0 ? {} : { flag: flags.join('; ') }),
  };
};
