/**
 * The words after a closure word decide whether the runway is closed to an airliner: for which use, under which
 * condition and with which exceptions.
 */
import {
  airliners,
  allTraffic,
  anyUse,
  cause,
  causeTerminators,
  landing,
  lex,
  lightOnly,
  nonAirliners,
  part,
  pattern,
  runwayList,
  someTraffic,
  stickyPattern,
  takeoff,
  timeWord,
  unknownTime,
  unrelatedClause,
} from './vocabulary.ts';
import type { Form } from './vocabulary.ts';
import type { RunwayUse } from './types.ts';

interface Qualifiers {
  /** Null: the closure affects only some traffic or was not understood, so the runway stays open. */
  use: RunwayUse | null;
  condition?: string | undefined;
  flags: string[];
}

/** What one group of words says about the closure. */
interface Qualifier {
  use?: RunwayUse;
  condition?: string;
  flag?: string;
  /** Use for which the runway stays open. */
  openFor?: RunwayUse;
  /** A time given only in words. */
  time?: string;
}

const clip = (text: string): string => (text.length > 70 ? `${text.slice(0, 67)}...` : text);

const uses = String.raw`(?:TAX(?:I|IING)?|BACKTRACK(?:ING)?|XNG|CROSSINGS?|TOW(?:ING)?|OPS|OPERATIONS?|FOR|AND|OR)`;
const exceptUse = pattern`^(?:${uses}[\s,/&]+)*(?:(${takeoff})|${landing})(?:[\s,/&]+${uses})*$`;

/** Exceptions do not reopen a runway to airliners, but make the closure uncertain if they may include them. */
const readException = (excepted: string, rest: string): Qualifier => {
  const words = excepted.trim();
  const stillOpen = exceptUse.exec(words);
  if (stillOpen) return { use: stillOpen[1] === undefined ? 'takeoff' : 'landing' };
  if (airliners.test(words) && !lightOnly.test(words))
    return { condition: 'commercial or scheduled flights are excepted' };
  if (/^[A-Z]{1,2}\d{1,2}[A-Z]?(?:$|[\s,])/.test(words))
    return { flag: `exception ${words.split(/[\s,]/)[0]} not applied` };
  if (unknownTime.exec(words)?.index === 0)
    return { condition: `time of the closure not known: "${clip(rest)}"` };
  // Permission may be granted to any flight.
  const mayBeAny = /\b(?:AUTH\w*|PPR|PPO|PN|PERMISSION|APPROVED|APPROVAL)\b/.test(words);
  return nonAirliners.test(words) && !mayBeAny ? {} : { flag: `exception not applied: "${clip(rest)}"` };
};

/** A cause in free words; null if the words limit the closure instead. */
const readCause = (words: string): Qualifier | null => {
  const outside = words.replace(/^DUE TO\b/, '').replace(/\([^()]*\)/g, ' ');
  if (/\b(?:FOR|TO)\s+(?!ACFT ACCIDENT)/.test(outside) && someTraffic.test(outside)) return null;
  // "CLSD DUE TO WIP BTN TWY A AND B": the part may describe the works or the closure.
  return part.test(words) ? { condition: `may be a part only: "${clip(words)}"` } : {};
};

const joint = String.raw`\s*(?:AND|OR|\/|,|&)\s*`;
const purpose = String.raw`(?:\s+(?:OPS|OPERATIONS?|ONLY|PURPOSES?|MOVEMENTS?|TFC|TRAFFIC|ACFT|AIRCRAFT|FLTS?|FLIGHTS?))?`;
const every = String.raw`(?:(?:ALL|ANY|THE|OF|OPS|OPERATIONS?|TFC|TRAFFIC|ACFT|AIRCRAFT|FLIGHTS?|FLTS?)\s+)*`;
const closedFor = (use: string): RegExp =>
  stickyPattern`(?:FOR|TO)\s+${every}${use}(?![A-Z])${purpose}(?:\s+(?:OF|BY|FOR|TO)\s+${allTraffic})?`;
const opens = pattern`(?<![A-Z])${anyUse}(?![A-Z])`;
const limitsPlace = pattern`^(?=.* (?:OF|ON|NEAR) ).*(?:${someTraffic.source}|${part.source})`;
const limit = String.raw`\b(?:RMKS?|EXC(?:EPT)?|OTHER THAN|WHEN|DURING|DRG|OUTSIDE)\b`;
/** Words that begin a remark even without a comma. */
const remark = String.raw`(?:REF|SEE|REFER|RMKS?|NOTE|IAW|AS PER|ACCORDING|CTC|CONTACT|INFO|TEL|(?:USABLE|AVBL) AS (?:A )?(?:TWY|TAXIWAY)|AVBL FOR TAX\w*|MARKED|LGTD|LIGHTED|BARRICADED|NO WINTER)`;

/** "CLSD DEBIDO A MAINT" */
const becauseElsewhere = String.raw`EN RAISON|SUITE AU?X?|POUR CAUSE|DEBIDO|A CAUSA|DEVIDO|(?:POUR|POR|PER|CAUSE|CAUSA)(?= (?:TRAVAUX|ENTRETIEN|OBRAS|TRABAJOS|MANTENIMIENTO|LAVORI|MANUTENZIONE|SERVICOS|MANUTENCAO|MAINT))`;

const nothing = () => undefined;
const unless =
  (limits: RegExp, flag?: string): Form<Qualifier>[1] =>
  ([words]) =>
    limits.test(words) ? null : flag === undefined ? undefined : { flag: `${flag}: "${clip(words)}"` };
const notApplied: Form<Qualifier>[1] = ([words]) => ({ flag: `exception not applied: "${clip(words)}"` });

/** Groups of words that may follow a closure word. */
const forms: Form<Qualifier>[] = [
  // "CLSD FOR LDG BUT AVBL FOR TKOF": open for the other use.
  [
    stickyPattern`(?:BUT\s+)?(?:STILL\s+)?(?:AVBL|AVAILABLE|USABLE|OPEN|ALLOWED|PERMITTED)\s+(?:FOR\s+)?(?:(${takeoff})|${landing})(?:\s+ONLY)?\s*$`,
    ([, isTakeoff]) => ({ openFor: isTakeoff === undefined ? 'landing' : 'takeoff' }),
  ],
  [
    /(?:EXC(?:EPT(?:ING|ED)?)?|WITH (?:THE )?EXCEPTION OF|APART FROM)\b(.*)/y,
    ([rest, words = '']) => readException(words, rest),
  ],
  // A list after a colon or commas in brackets are part of the cause, which may be in another language.
  [
    stickyPattern`(?=(?:DUE|DUE TO|BECAUSE|${becauseElsewhere}|BY DISABLED|OWING|ON ACCOUNT|ACCOUNT|IN ORDER|CAUSED|AS A RESULT)\b)(?:(?=[^,]*:)(?!.*${limit}).*|(?:\([^()]*\)|.)*?(?=,|${limit}|$))`,
    ([words]) => readCause(words),
  ],
  [stickyPattern`${unknownTime.source}.*`, ([words]) => ({ time: clip(words) })],
  [/[\s,:()/.'"-]+/y, nothing],
  // "RMK: EXCEPT CROSS RWY"
  [/RMKS?\s*[:-]?\s*(?=EXC)/y, nothing],
  // Neither use is possible; "ALL" and the use come in either order.
  [
    closedFor(`(?:BOTH )?(?:${takeoff}${joint}${landing}|${landing}${joint}${takeoff})`),
    () => ({ use: 'all' }),
  ],
  [closedFor(landing), () => ({ use: 'landing' })],
  [closedFor(takeoff), () => ({ use: 'takeoff' })],
  [stickyPattern`(?:FOR|TO)\s+${allTraffic}(?:\s+(?:OPS|OPERATIONS?|USE))?`, nothing],
  [/ALL\s+(?:TFC|TRAFFIC|ACFT|AIRCRAFT|OPS|OPERATIONS|FLTS?|FLIGHTS?)(?![A-Z])/y, nothing],
  [
    stickyPattern`(?:FOR\s+|TO\s+)?${cause}(?:\s+(?:OF|ON|NEAR)(?:\s+(?!${causeTerminators})[A-Z][A-Z\/-]*(?![A-Z0-9]))+)?`,
    unless(limitsPlace),
  ],
  [/(?:WO|WITHOUT)\s+(?:RWY\s+)?(?:INT|INTERSECTIONS?)(?![A-Z])[^,]*/y, notApplied],
  [
    stickyPattern`(?:AND\s+|&\s*|(?:TFC (?:TO |WILL )?)?USE\s+|ONLY\s+|TKOF AND LDG\s+|LDG AND TKOF\s+)?(?:ON\s+)?${runwayList}(?=\s*(?:$|,|AND|IN USE|AVBL|AVAILABLE|OPEN|REMAINS?))(?:\s+(?:IN USE|(?:IS |REMAINS? )?(?:AVBL|AVAILABLE|OPEN)))?`,
    nothing,
  ],
  [
    /(?:BUT |AND )?(?:IS )?(?:AVBL|AVAILABLE|USABLE|OPEN) FOR (?:(?:ACFT|AIRCRAFT) )?(?:XNG|CROSSINGS?|TAX\w*)(?![A-Z]).*/y,
    unless(opens),
  ],
  // "CLSD RWY 16R APCH LGT U/S": a separate statement follows without a full stop.
  [
    stickyPattern`${runwayList}\s+(?:(?:HIGH|LOW|MED) INTST\s+|APCH\s+|RWY\s+)*(?:LGTS?|PAPI|ILS|VASIS?)(?![A-Z])[^,]*`,
    nothing,
  ],
  [/(?:AND )?(?:CTN|CAUTION)(?![A-Z])[^,]*/y, unless(opens)],
  [stickyPattern`${timeWord}`, nothing],
  [
    /(?:AND )?(?:(?:COMPLETELY|PERMANENTLY) )?(?:WITHDRAWN(?: FROM (?:USE|SERVICE))?|DECOMMISSIONED|ABANDONED)(?![A-Z])/y,
    nothing,
  ],
  [/(?:OTHERS? |OR )?(?:PN|PPR|PPO|O\/R)(?![A-Z]).*/y, notApplied],
  [
    /(?:(?:IS )?AVBL |AVAILABLE |USABLE |OPEN )?ONLY (?:FOR |TO |AS )?(?:HEL(?:ICOPTERS?|I)?|TAX\w*|TWY|TAXIWAY|XNG|CROSSING|ROTARY)(?![A-Z]).*/y,
    unless(airliners, 'read as closed for aeroplanes'),
  ],
  // A statement about something else, after a sign or "AND".
  [
    stickyPattern`(?:${remark}|(?:(?<=[,(:.-]\s*)|(?=(?:AND|WITH|BUT)\b))(?:(?:AND|WITH|BUT)\s+)?${unrelatedClause})(?![A-Z])[^,]*`,
    ([words]) =>
      someTraffic.test(words) || part.test(words)
        ? { condition: `may be limited by "${clip(words)}"` }
        : undefined,
  ],
];

/** The closure is cancelled, or something else is closed. */
const another = /^(?:CANCELLED|CNL|WITHDRAWN|MARKINGS?|MARKERS?|SIGNS?|AREAS?|LIGHTS?|LGTS?|CROSSES)\b/;
const startsPart = pattern`^[\s,:-]*(?:THE )?(?:${part.source})`;

/** Reads the words after a closure word. Words not understood flag the closure and never close the runway. */
export const readQualifiers = (tail: string, hasSchedule: boolean): Qualifiers => {
  const text = tail.trim();
  const not = (why: string): Qualifiers => ({ use: null, flags: [`${why}: "${clip(text)}"`] });
  if (another.test(text)) return not('not understood');
  if (startsPart.test(text)) return not('part of the runway closed, length not understood');
  const found = lex(text, forms);
  if (!found) return not('closure with words that were not understood');
  const use = found.findLast((each) => each.use !== undefined)?.use ?? 'all';
  if (found.some(({ openFor }) => openFor !== undefined && (use === 'all' || openFor === use)))
    return not('closed for some use only');
  // Where item D gives a schedule, times in the text only repeat it.
  const conditions = found.flatMap(({ condition, time }) =>
    time === undefined || hasSchedule ? (condition ?? []) : `time of the closure not known: "${time}"`,
  );
  const flags = found.flatMap(({ flag, time }) =>
    time === undefined || !hasSchedule ? (flag ?? []) : `closure also limited by "${time}"`,
  );
  return {
    use,
    condition: conditions.length === 0 ? undefined : conditions.join(', '),
    flags: flags.length === 0 ? [] : [flags.join('; ')],
  };
};
