/** Suggests corrections for values of a wrong type or form. Values are never echoed, except numbers and times. */
import type { z } from 'zod';
import { closeName, normalisedName } from './nearest.ts';
import type { Path } from './parse.ts';
import { memberNames } from './unknown-keys.ts';

type Issue = z.core.$ZodIssue;

/** A number with its unit, prefix or separator: `30C`, `Q1013`, `FL350`, `M05`, `60,000`. */
const numberIn = (text: string): number | null => {
  const [, before = '', digits, after = ''] =
    /^\s*([A-Z]{0,2})\s*(-?\d[\d.,' ]*)\s*([A-Z°%]{0,4})\s*$/i.exec(text) ?? [];
  if (digits === undefined) return null;
  const plain = digits.replaceAll(/[,' ](?=\d{3}(?:\D|$))/g, '').replace(',', '.');
  const isNegative = /^[MSW]$/i.test(before) || /^[SW]$/i.test(after);
  const perTonne = /^t$/i.test(after) ? 1_000 : 1;
  const number = Number(plain) * perTonne * (isNegative ? -1 : 1);
  return Number.isFinite(number) ? number : null;
};

const numberHint = (value: unknown): string | null => {
  if (typeof value !== 'string') return null;
  if (/^\s*VRB/i.test(value)) return 'a variable wind has no direction; send null';
  if (/^\s*-?[\d.]+\s*$/.test(value)) return 'is a text; send the number without quotes';
  const number = numberIn(value);
  return number === null ? null : `is a text; send the number alone, ${number}`;
};

const timeFields = /^(?:at|time|eto|since)$|(?:At|Time|From|Until)$/;
const leastSeconds = 1e9;
const maxSeconds = 1e11;

const timeHint = (value: unknown): string | null => {
  if (typeof value === 'number') {
    const ms = value < maxSeconds ? value * 1_000 : value;
    const isUnix = value >= leastSeconds && Number.isFinite(new Date(ms).getTime());
    return isUnix ? `send a text; this time is ${new Date(ms).toISOString().replace('.000', '')}` : null;
  }
  if (typeof value !== 'string') return null;
  const [, date, day, time, zone] =
    /^\s*(\d{4}-\d\d-(\d\d))(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:?\d\d)?)?\s*$/i.exec(value) ??
    [];
  if (date === undefined) return null;
  const parsed = new Date(`${date}T00:00:00Z`);
  if (parsed.getUTCDate() !== Number(day)) return 'there is no such day in this month';
  return zone === undefined ? `add the time and Z for UTC: ${date}T${time ?? '00:00:00'}Z` : null;
};

const kindHint = ({ expected, message }: z.core.$ZodIssueInvalidType, value: unknown): string | null => {
  if (expected === 'number' || expected === 'int') return numberHint(value);
  if (expected === 'boolean' && /^"?(?:true|false|0|1)"?$/i.test(JSON.stringify(value)))
    return 'send true or false without quotes';
  if (expected === 'array') return 'send a list, also of one: […]';
  if (expected !== 'string') return null;
  if (Array.isArray(value)) return 'is a list; send one of its texts';
  if (typeof value === 'object') return 'is an object; send the text alone';
  // A message that already names the expected form says more.
  return typeof value === 'number' && !message.startsWith('must be') ? 'is a number; put it in quotes' : null;
};

/** Words from other interfaces and everyday language for enumerated values. */
const otherWords: Readonly<Record<string, string>> = {
  ft: 'feet',
  foot: 'feet',
  m: 'meter',
  metre: 'meter',
  metres: 'meter',
  kgs: 'kg',
  kilograms: 'kg',
  lbs: 'lb',
  pounds: 'lb',
  knots: 'kt',
  kts: 'kt',
  mb: 'hpa',
  enroute: 'inflight',
  flight: 'inflight',
  ldg: 'LANDING',
  arrival: 'LANDING',
  to: 'TAKEOFF',
  tkof: 'TAKEOFF',
  departure: 'TAKEOFF',
};

const choicesOf = (issue: Issue): readonly unknown[] => {
  if (issue.code === 'invalid_value') return issue.values;
  if (issue.code !== 'invalid_union') return [];
  const { options = [] } = issue as { options?: readonly unknown[] };
  return [...options, ...issue.errors.flatMap((inner) => inner.flatMap(choicesOf))];
};

/** The enumerated value that differs only by a few letters or case, or has this meaning. */
const choiceHint = (issue: Issue, value: unknown): string | null => {
  if (typeof value !== 'string') return null;
  const choices = choicesOf(issue).filter((choice) => typeof choice === 'string');
  const other = otherWords[normalisedName(value)];
  const nearest = other !== undefined && choices.includes(other) ? other : closeName(value, choices);
  return nearest === null ? null : `did you mean ${nearest}?`;
};

/** A number that would fit in another field or unit. */
const boundHint = (name: string, value: unknown, beside: unknown): string | null => {
  if (typeof value !== 'number') return null;
  const flightLevel = Math.round(value / 100);
  if (/level$/i.test(name) && value >= 1_000 && flightLevel < 1_000) return `did you mean ${flightLevel}?`;
  const { longitude } = (beside ?? {}) as { longitude?: unknown };
  return name === 'latitude' &&
    Math.abs(value) <= 180 &&
    typeof longitude === 'number' &&
    Math.abs(longitude) <= 90
    ? 'latitude and longitude seem to be exchanged'
    : null;
};

const objectHint = (input: z.ZodType, given: unknown, path: Path, value: unknown): string | null => {
  if (typeof value === 'string' && /^\s*[[{]/.test(value))
    return 'is a text with JSON inside; send the object itself';
  const names = memberNames(input, path, given);
  if (names.length === 0) return null;
  return `${Array.isArray(value) ? 'is a list; send one object that' : ''} has the members ${names.join(', ')}`.trim();
};

/** Invisible characters, including joiners, which belong within words only. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const invisibleHint = (issue: Issue, value: unknown): string | null => {
  const text = typeof value === 'string' ? value.trim() : '';
  const isTooLong = issue.code === 'too_big' && text.replaceAll(invisible, '').length > issue.maximum;
  const code = isTooLong ? undefined : text.match(invisible)?.[0].codePointAt(0);
  return code === undefined
    ? null
    : `has an invisible character, U+${code.toString(16).toUpperCase().padStart(4, '0')}; write it again`;
};

/** How to correct the value of an issue; `beside`: the object that contains it. Null if the message already says it. */
export const valueHint = (
  input: z.ZodType,
  { given, issue, value, beside }: { given: unknown; issue: Issue; value: unknown; beside: unknown },
): string | null => {
  if (value === undefined || value === null) return null;
  const name = String(issue.path.at(-1) ?? '');
  const time = timeFields.test(name) ? timeHint(value) : null;
  if (time !== null) return time;
  const unseen = invisibleHint(issue, value);
  if (unseen !== null) return unseen;
  if (issue.code !== 'invalid_type') return boundHint(name, value, beside) ?? choiceHint(issue, value);
  return issue.expected === 'object' ? objectHint(input, given, issue.path, value) : kindHint(issue, value);
};
