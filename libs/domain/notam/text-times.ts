/** Times inside item E that are not repeated in a schedule field. */
const timesInText =
  /\b(?:BTN|BETWEEN|FM|FROM) \d{4}(?:Z|UTC)? ?(?:-|AND|TO|TIL) ?\d{4}\b|\b(?:DATES? AND TIMES?|TIMES?|HOURS?)\s*:|\b(?:DAILY|DLY|MON|TUE|WED|THU|FRI|SAT|SUN)\b[^.]{0,40}\b\d{4} ?[-/] ?\d{4}\b|\b\d{2}(?: \d{2}){2,} \d{4} ?[-/] ?\d{4}\b|\b(?:CLSD|CLOSED|AVBL)\b[^.]{0,60}\b[0-2]\d[0-5]\d(?:Z|UTC)? ?[-/] ?[0-2]\d[0-5]\d(?:Z|UTC)?\b/;
const range = /\b([0-2]\d[0-5]\d)(?:Z|UTC)? ?(?:-|\/|AND|TO|TIL|UNTIL) ?([0-2]\d[0-5]\d)(?:Z|UTC)?\b/g;
const otherDays =
  /\b(?:DAILY|DLY|MON|TUE|WED|THU|FRI|SAT|SUN|LMT|LT|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\b/;

/** Days without times: "CLSD 12-14 MAY", "CLSD DAILY". */
const daysInText =
  /\b(?:CLSD|CLOSED)\b[^.]{0,60}\b(?:(?<!(?:UNTIL|TIL|TILL|UNTL|WEF|FROM|SINCE|FM) )\d{1,2} (?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)|DAILY|DLY|NIGHTLY|WEEKENDS?|WEEKDAYS|HOLIDAYS?|HOL|(?:MON|TUE|WED|THU|FRI|SAT|SUN)(?:S|DAYS?|SDAY|NESDAY|RSDAY|URDAY)?)\b/;

/** Validity of a NOTAM, ISO 8601 in UTC. */
export interface Validity {
  fromUtc: string;
  toUtc: string | null;
}

const clockOf = (utc: string): string => `${utc.slice(11, 13)}${utc.slice(14, 16)}`;
const longestMs = 24 * 3_600_000;

/** Items B and C of one day say the same: "AD CLSD 2359-0600" from 2359 to 0600. */
const repeatsValidity = (text: string, validity: Validity | null): boolean => {
  if (validity?.toUtc === undefined || validity.toUtc === null || otherDays.test(text)) return false;
  if (Date.parse(validity.toUtc) - Date.parse(validity.fromUtc) > longestMs) return false;
  const [from, to] = [clockOf(validity.fromUtc), clockOf(validity.toUtc)];
  const found = [...text.matchAll(range)];
  return found.length > 0 && found.every((each) => each[1] === from && each[2] === to);
};

const end = /\b(?:CLSD|CLOSED)\b[^.]{0,60}?\b(?:UNTIL|TILL?) ([0-2]\d[0-5]\d)(?!\d)/;
const start = /\b(?:CLSD|CLOSED)\b[^.]{0,60}?\b(?:FROM|FM|WEF|AFTER|AFT) ([0-2]\d[0-5]\d)(?!\d)/;

/** "CLSD UNTIL 1200", when item C is another time. */
const hasOtherEdge = (text: string, validity: Validity | null): boolean => {
  const [to, from] = [end.exec(text)?.[1], start.exec(text)?.[1]];
  const isEnd = to === undefined || (typeof validity?.toUtc === 'string' && clockOf(validity.toUtc) === to);
  return !isEnd || (from !== undefined && (validity === null || clockOf(validity.fromUtc) !== from));
};

/** A normalised text limits its effects to times that are neither in the schedule nor in the validity. */
export const hasOwnTimes = (text: string, validity: Validity | null): boolean =>
  daysInText.test(text) ||
  ((timesInText.test(text) || hasOtherEdge(text, validity)) && !repeatsValidity(text, validity));
