import { everyPattern, lex, months, stickyPattern, weekday, weekdays } from './vocabulary.ts';
import type { Form } from './vocabulary.ts';
import { parseNotamTime } from './time.ts';

/** A time of day in a NOTAM schedule: a fixed minute of the UTC day, or an offset from sunrise or sunset. */
export type ScheduleClock =
  | { kind: 'fixed'; minute: number }
  | { kind: 'sunrise' | 'sunset'; offsetMin: number };

/** A token of item D; `t` is its letter in the grammar. */
export type Token =
  /** A part of each day. */
  | { t: 'T'; from: ScheduleClock; to: ScheduleClock }
  /** From one date and time to another, ISO 8601 in UTC. */
  | { t: 'I'; from: string; to: string }
  /** A time of day alone, in minutes; a weekday, month or day of the month. */
  | { t: 'C' | 'W' | 'M' | 'D'; number: number }
  /** Daily, except, holidays and "ON". */
  | { t: 'Y' | 'X' | 'H' | 'O' | '-' | ',' };

const clockText = String.raw`(?:\d{4}|(?:SR|SS)(?: ?(?:PLUS|MINUS|\+|-) ?\d{1,3}(?!\d))?)`;
const nextDay = String.raw`( ?\( ?(?:NEXT|FOLLOWING) DAY ?\))?`;
const rangeForm = stickyPattern`(?:(${clockText}) ?[-/] ?(${clockText})|(?:BTN|BETWEEN) (${clockText}) ?[-/]? ?(${clockText}))(?![\dA-Z])${nextDay}`;

const clockOf = (text: string): ScheduleClock | null => {
  const sun = /^(SR|SS)(?: ?(PLUS|MINUS|\+|-) ?(\d+))?$/.exec(text);
  if (sun) {
    const offset = Number(sun[3] ?? 0) * (sun[2] === 'MINUS' || sun[2] === '-' ? -1 : 1);
    return { kind: sun[1] === 'SR' ? 'sunrise' : 'sunset', offsetMin: offset };
  }
  const minute = minuteOf(text);
  return minute === null ? null : { kind: 'fixed', minute };
};

const minuteOf = (text: string): number | null => {
  const hours = Number(text.slice(0, 2));
  const minutes = Number(text.slice(2));
  return hours > 24 || minutes > 59 || hours * 60 + minutes > 1440 ? null : hours * 60 + minutes;
};

const sunrise: ScheduleClock = { kind: 'sunrise', offsetMin: 0 };
const sunset: ScheduleClock = { kind: 'sunset', offsetMin: 0 };
export const wholeDay: Token = {
  t: 'T',
  from: { kind: 'fixed', minute: 0 },
  to: { kind: 'fixed', minute: 1440 },
};

const words: Form<Token>[] = [
  [/[ :]+/y, () => undefined],
  [/H24(?![A-Z0-9])/y, () => wholeDay],
  [/HJ(?![A-Z0-9])/y, () => ({ t: 'T', from: sunrise, to: sunset })],
  [/HN(?![A-Z0-9])/y, () => ({ t: 'T', from: sunset, to: sunrise })],
  [
    rangeForm,
    (match) => {
      const from = clockOf(match[1] ?? match[3] ?? '');
      const to = clockOf(match[2] ?? match[4] ?? '');
      if (!from || !to) return null;
      // "0001-0100 (NEXT DAY)" is on the next day, "2200-0400 (NEXT DAY)" only ends on it.
      const isLater = from.kind === 'fixed' && to.kind === 'fixed' && to.minute > from.minute;
      return match[5] !== undefined && isLater ? null : { t: 'T', from, to };
    },
  ],
  [
    /(\d{10}) ?(?:TO|-) ?(\d{10})(?!\d)/y,
    (match, now) => {
      const from = parseNotamTime(match[1] ?? '', now)?.utc;
      const to = parseNotamTime(match[2] ?? '', now)?.utc;
      return from && to && from < to ? { t: 'I', from, to } : null;
    },
  ],
  [/ON(?![A-Z0-9])/y, () => ({ t: 'O' })],
  [/(?:DAILY|DLY|EVERY DAY)(?![A-Z0-9])/y, () => ({ t: 'Y' })],
  [/(?:EXCEPT|EXC|EXCL|EXCLUDING)(?![A-Z0-9])/y, () => ({ t: 'X' })],
  [/(?:PUBLIC )?(?:HOLIDAYS?|HOLS?|HOL)(?![A-Z0-9])/y, () => ({ t: 'H' })],
  [/WEEKDAYS(?![A-Z0-9])/y, () => null],
  [
    stickyPattern`${weekday}(?![A-Z0-9])`,
    ([name]) => ({ t: 'W', number: weekdays.indexOf(name.slice(0, 3)) }),
  ],
  [
    stickyPattern`(?:${months.join('|')})(?![A-Z0-9])`,
    ([name]) => ({ t: 'M', number: months.indexOf(name) + 1 }),
  ],
  [
    /(\d{4})(?!\d)/y,
    (match) => {
      const minute = minuteOf(match[1] ?? '');
      return minute === null ? null : { t: 'C', number: minute };
    },
  ],
  [
    /(\d{1,2})(?!\d)/y,
    (match) => {
      const day = Number(match[1]);
      return day >= 1 && day <= 31 ? { t: 'D', number: day } : null;
    },
  ],
  [/-/y, () => ({ t: '-' })],
  [/[,;]/y, () => ({ t: ',' })],
];

/** Months with a different Spanish abbreviation. */
const inEnglish: Record<string, string> = { ENE: 'JAN', ABR: 'APR', AGO: 'AUG', DIC: 'DEC' };
const spanishMonths = everyPattern`\b(?:${Object.keys(inEnglish).join('|')})\b`;
/** "MON TO FRI" */
const weekdaysTo = everyPattern`\b(${weekdays.join('|')}) TO (?=${weekdays.join('|')})`;

const clean = (raw: string): string =>
  raw
    .toUpperCase()
    .replace(/^.*~/s, '')
    .replace(/\s+/g, ' ')
    .replace(/(\d\d):(\d\d)/g, '$1$2')
    .replace(/\b(?:EVERY|EV) (?!DAY)/g, '')
    .replace(spanishMonths, (month) => inEnglish[month] ?? month)
    .replace(weekdaysTo, '$1-')
    .replace(/\b(?:SKED|SCHEDULE|UTC|AND)\b/g, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/\.\s*$/, '')
    .trim();

/** Real schedules are shorter. */
export const maxLength = 2_000;

/** The tokens of item D in order; null if a word is unknown or the text is too long. */
export const scheduleTokens = (raw: string, now?: Date): Token[] | null =>
  raw.length > maxLength ? null : lex(clean(raw), words, now);
