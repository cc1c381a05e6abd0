import type { RunwayUse } from './types.ts';

/**
 * The words after a closure word decide whether it closes the runway for an aeroplane: for which use, under
 * which condition, with which exceptions. `not` = it restricts some traffic and is not a closure.
 */
export type Tail =
  | { kind: 'closed'; use: RunwayUse; condition?: string; flag?: string }
  | { kind: 'not'; flag: string };

const takeoff = String.raw`(?:TKOFS?|TAKE[ -]?OFFS?|DEP(?:S|ARTURES?|ARTING)?|T\/O)`;
const landing = String.raw`(?:LDGS?|LANDINGS?|ARR(?:IVALS?|IVING)?)`;
const joint = String.raw`\s*(?:AND|OR|\/|,)\s*`;
const filler = String.raw`(?:(?:ALL|ANY|EVERY|THE|OPS|OPERATIONS?|TFC|TRAFFIC|ACFT|AIRCRAFT|FLIGHTS?|FLTS?|OF)\s+)*`;
/** The use must be complete: "FOR LDG OF CODE E ACFT" restricts some aircraft only. */
const alone = String.raw`(?:\s+(?:OPS|OPERATIONS?|ONLY|PURPOSES?|UFN|MOVEMENTS?|(?:OF|BY|FOR) ALL (?:ACFT|AIRCRAFT|TFC|TRAFFIC)))*\s*(?=$|[,.;:(]|(?:AND|BUT|AT NIGHT|BY NIGHT|DURING|WHEN|UNTIL|TIL|FM|FROM|BTN)\b)`;
const both = new RegExp(
  `^${filler}(?:${takeoff}${joint}${landing}|${landing}${joint}${takeoff})(?![A-Z])${alone}`,
);
const onlyLanding = new RegExp(`^${filler}${landing}(?![A-Z])${alone}`);
const onlyTakeoff = new RegExp(`^${filler}${takeoff}(?![A-Z])${alone}`);
const everyone = new RegExp(
  `^(?:ALL|ANY|EVERY)? ?(?:TFC|TRAFFIC|OPS|OPERATIONS|ACFT|AIRCRAFT|FLIGHTS?|FLTS?|FIX(?:ED)?[ -]?WINGS?(?: (?:ACFT|AIRCRAFT))?|USE)(?![A-Z])${alone}`,
);
const cause = /^(?:WIP|MAINT|MAINTENANCE|WORKS?|CONST|CONSTRUCTION|SNOW|ICE|INSPECTION|RESURFACING)(?![A-Z])/;
const part =
  /^(?:FIRST|FST|LAST|INITIAL|FINAL|(?:BTN|BETWEEN) (?!\d{4})|BEYOND|PART|(?:N|S|E|W|NE|NW|SE|SW|NORTH|SOUTH|EAST|WEST) OF|(?:FM|FROM) (?:TWY|THR|INTERSECTION|INT|THE|\d)|ALONG|\d+ ?(?:M|FT)(?![A-Z]))/;
const unknownTime =
  /\b(OUTSIDE|DURING|WHEN|WHILE|AFTER DARK|BY NIGHT|AT NIGHT|NIGHT ONLY|AFT LAST|WITHOUT ATC|UNLESS|SUBJECT TO|IF REQUIRED)\b/;
const limits =
  /\b(LESS|MORE|OVER|ABOVE|GREATER|HEAVIER|LIGHTER|BELOW|UP TO|EXCEEDING|WINGSPAN|MTOW|CODE LETTER)\b/;
const permission = /\bEXC(?:EPT)?\b.*\b(AUTHORI[SZ]ATION|PPR)\b/;

/** It is not the runway that is closed, or it no longer is. */
const another = /^(?:CANCELLED|CNL|WITHDRAWN|MARKINGS?|MARKERS?|SIGNS?|AREAS?|LIGHTS?|LGTS?|CROSSES)\b/;

const clip = (text: string): string => (text.length > 70 ? `${text.slice(0, 67)}...` : text);

const conditionOf = (text: string, hasSchedule: boolean): { condition?: string; flag?: string } => {
  const found = unknownTime.exec(text);
  if (!found) return {};
  const words = clip(text.slice(found.index));
  // With a schedule the text only repeats item D in words.
  return hasSchedule
    ? { flag: `closure also limited by "${words}"` }
    : { condition: `time of the closure not known: "${words}"` };
};

/** Classifies the words between a closure word and the end of the statement. */
export const readTail = (tail: string, hasSchedule: boolean): Tail => {
  const text = tail.replace(/^[\s:,-]+/, '');
  if (part.test(text))
    return { kind: 'not', flag: `part of the runway closed, length not understood: "${clip(text)}"` };
  const beforeCause = /^(.*?)(?=\b(?:DUE|RMKS?|EXC(?:EPT)?)\b|$)/.exec(text)?.[1] ?? text;
  const beforeException = /^(.*?)(?=\b(?:RMKS?|EXC(?:EPT)?)\b|$)/.exec(text)?.[1] ?? text;
  const timing = conditionOf(beforeException, hasSchedule);
  const exception = permission.exec(text);
  const taxiwayException = /\bEXC(?:EPT)? ([A-Z]{1,2}\d{1,2}[A-Z]?)(?:$|[\s,])/.exec(text);
  const flag = taxiwayException
    ? `exception ${taxiwayException[1]} not applied`
    : exception
      ? `exception not applied: "${clip(text.slice(exception.index))}"`
      : undefined;
  const closed = (use: RunwayUse): Tail => {
    const flags = [timing.flag, flag].filter((each) => each !== undefined).join('; ');
    return {
      kind: 'closed',
      use,
      ...(timing.condition === undefined ? {} : { condition: timing.condition }),
      ...(flags === '' ? {} : { flag: flags }),
    };
  };
  const users = /^(?:FOR|TO)\s+(.*)$/.exec(beforeCause.trim())?.[1];
  if (users === undefined) {
    if (/^(?:FOR|TO)\b/.test(text)) return closed('all');
    if (
      another.test(tail.trimStart()) ||
      /^(?:WITHIN|AS|OF|BY|WITH|VFR|IFR|GA)\b/.test(tail.trimStart()) ||
      limits.test(beforeCause)
    )
      return { kind: 'not', flag: `not understood: "${clip(text)}"` };
    return closed('all');
  }
  if (limits.test(users)) return { kind: 'not', flag: `closed for some aircraft only: "${clip(users)}"` };
  if (both.test(users)) return closed('all');
  if (onlyLanding.test(users)) return closed('landing');
  if (onlyTakeoff.test(users)) return closed('takeoff');
  if (everyone.test(users) || cause.test(users)) return closed('all');
  return { kind: 'not', flag: `closed for some traffic only: "${clip(users)}"` };
};
