/** Prepares item E for the readers: one line, upper case, English part only, split into statements. */
import { round } from '../airports/units.ts';
import { metresPerFoot } from '../users/units.ts';
import { designator, everyPattern, runwayList, runwayWord } from './vocabulary.ts';

/** "9L" to "09L". */
export const padDesignator = (text: string): string => (/^\d(?!\d)/.test(text) ? `0${text}` : text);

const designators = everyPattern`(?<![A-Z0-9])(?:${runwayWord}-?)?(${designator})`;

/** Padded designators in a text matched by `runwayList`, in order, without duplicates. */
export const designatorsIn = (list: string): string[] => [
  ...new Set([...list.matchAll(designators)].map((match) => padDesignator(match[1] ?? ''))),
];

/** Longer texts are not read; real texts about runways are shorter. */
export const maxTextLength = 16_000;
/** Limits the length of the statements that patterns see, and so their cost. */
export const maxStatementLength = 1_500;

/** Item E as one upper-case line, with only the English part of bilingual text and without references to the AIP. */
export const normaliseText = (text: string): string => {
  const line = text
    .slice(0, maxTextLength + 1)
    .toUpperCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[‘’`´]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/\bE\) ?/g, ' ')
    .replace(/(\d) ?(?:METERS?|METRES?|MTRS?)\b/g, '$1M')
    .replace(/(\d) ?(?:FEET|FOOT)\b/g, '$1FT')
    .replace(/\bRWY (\d) (\d) ?\/ ?(\d) (\d)\b/g, 'RWY $1$2/$3$4')
    // "RWY 06 R/24 L"
    .replace(/\b((?:RWYS?|RUNWAYS?|QFU) ?-?\d{1,2}) ([LCR])(?![A-Z0-9'])/g, '$1$2')
    .replace(/\b(\d\d[LCR] ?\/ ?\d\d) ([LCR])(?![A-Z0-9'])/g, '$1$2')
    // "RWY 05L/R"
    .replace(/\b(\d\d)([LCR])\/([LCR])(?![A-Z0-9])/g, '$1$2/$1$3')
    .replace(/\.{2,}/g, '.')
    // Keeps a list of exceptions in the statement that it restricts.
    .replace(/\bEXC(?:EPT)? ?: ?-[^.]*/g, (list) => list.replace(/\s-\s?(?=[A-Z'])/g, ' '))
    .replace(/ {2,}/g, ' ')
    .trim();
  const english = /\bENGLISH(?: TEXT)? ?: ?/.exec(line);
  const part = english ? line.slice(english.index + english[0].length) : line;
  return part.replace(/[ ,;(]{1,4}REF:? (?:MIL ?)?AIP\b[^.]*(?:\.(?! )[^.]*)*/g, '').trim();
};

/** Splits at full stops, list marks and numbered points; drops a leading `location`; decimals and "2.-RWY" stay whole. */
export const statementsOf = (normalised: string, location: string | null = null): string[] =>
  normalised
    .split(/\.(?=\s|$)|\.(?=[A-Z])|(?:^|\s)-\s?(?=[A-Z])|;|(?:^|\s)\d\.(?:-|\s)/)
    .map((statement) => statement.trim().replace(/^[-:,)\s]+/, ''))
    .filter((statement) => statement !== '')
    .map((statement) => {
      const [first = ''] = statement.split(' ', 1);
      const isOwn = location !== null && (first === location || first === location.slice(1));
      return isOwn ? statement.slice(first.length).trim() : statement;
    });

const everyList = new RegExp(runwayList, 'g');

/** Padded designators in a text; none if it is too long. */
export const readNamedRunways = (text: string): string[] => {
  const normalised = normaliseText(text);
  if (normalised.length > maxTextLength) return [];
  const lists = statementsOf(normalised)
    .filter((statement) => statement.length <= maxStatementLength)
    .flatMap((statement) => statement.match(everyList) ?? []);
  return [...new Set(lists.flatMap(designatorsIn))];
};

/** Metres, rounded to the decimetre. */
export const metresOf = (value: number, unit: 'M' | 'FT'): number =>
  round(value * (unit === 'FT' ? metresPerFoot : 1), 1);

/** Thousands may be separated: "1,500", "2 500M". Decimals follow a point, or a comma before one digit. */
export const numberOf = (text: string): number =>
  Number(text.replace(/[, ](?=\d{3}$)/, '').replace(',', '.'));
