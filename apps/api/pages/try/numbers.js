/** What is typed as a number, in the notation of the visitor's language, and kept with the units in which it was typed. */
import { fieldText, fromMetric, toMetric } from './units.js';

const separators = new Intl.NumberFormat(navigator.language).formatToParts(1_234_567.8);
const partOf = (type, usual) => separators.find((part) => part.type === type)?.value ?? usual;
const decimal = partOf('decimal', '.');

/** Thousands in any notation: 64,500 and 64.500, 64 500, 64'500. */
const thousands = /^\d{1,3}(?:[.,]\d{3})+$/;

/**
 * The number that a text means, or NaN. A weight has no decimals, so that a comma or point before three digits is one of
 * thousands; else the language decides, and a single other separator that cannot be of thousands is a decimal one.
 */
export const parsed = (kind, given) => {
  const text = given
    .trim()
    .replaceAll(/[\s\u00a0\u202f'’]/g, '')
    .replace('\u2212', '-');
  if (text === '') return NaN;
  if (kind === 'weight' && thousands.test(text)) return Number(text.replaceAll(/[.,]/g, ''));
  const other = decimal === ',' ? '.' : ',';
  const isGrouped = new RegExp(`^-?\\d{1,3}(?:\\${other}\\d{3})+(?:\\${decimal}\\d+)?$`).test(text);
  if (isGrouped) return Number(text.replaceAll(other, '').replace(decimal, '.'));
  return Number(text.replace(',', '.'));
};

/** Values by field as entered: number, and the units of that time. */
const entered = new Map();

export const remember = (name, system, value) => {
  if (Number.isNaN(value)) entered.delete(name);
  else entered.set(name, { system, value });
};

/** The value of a field in these units, without the rounding of its text; NaN when there is none. */
export const exact = (name, kind, system) => {
  const found = entered.get(name);
  if (!found) return NaN;
  return found.system === system
    ? found.value
    : fromMetric(system, kind, toMetric(found.system, kind, found.value));
};

/** The text of a field in these units; empty when there is no value. */
export const exactText = (name, kind, system) => {
  const value = exact(name, kind, system);
  return Number.isNaN(value) ? '' : fieldText(system, kind, value);
};

/** A wind as in a report: 260/15G25, 26015G25KT, VRB05, calm. Null: it is not one. */
export const windOf = (given) => {
  const text = given.trim().toUpperCase();
  if (/^(?:CALM|0{5}(?:KT)?)$/.test(text)) return { windDirection: 0, windSpeed: 0, gust: null };
  const match = /^(?:(\d{1,3})°?[/@](\d{1,3})|(\d{3}|VRB)\/?(\d{2,3}))(?:G(\d{1,3}))?(?:KT)?$/.exec(text);
  if (!match) return null;
  const from = match[1] ?? match[3];
  return {
    windDirection: from === 'VRB' ? null : Number(from),
    windSpeed: Number(match[2] ?? match[4]),
    gust: match[5] === undefined ? null : Number(match[5]),
  };
};
