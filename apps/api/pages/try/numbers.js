/** Parses numbers in the notation of the visitor's language and keeps them in the units in which they were typed. */
import { fieldText, fromMetric, toMetric } from './units.js';

const separators = new Intl.NumberFormat(navigator.language).formatToParts(1_234_567.8);
const partOf = (type, usual) => separators.find((part) => part.type === type)?.value ?? usual;
const decimal = partOf('decimal', '.');

/** Thousands in any notation: 64,500 and 64.500, 64 500, 64'500. */
const thousands = /^\d{1,3}(?:[.,]\d{3})+$/;

/**
 * The number in a text, or NaN. Weights have no decimals, so a separator before three digits groups thousands; else the
 * language decides, and a single other separator that cannot group thousands is the decimal one.
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

/** Entered values by field: the number, and the units at that time. */
const entered = new Map();

export const remember = (name, system, value) => {
  if (Number.isNaN(value)) entered.delete(name);
  else entered.set(name, { system, value });
};

/** A field's value in these units, at the precision entered; NaN if empty. */
export const exact = (name, kind, system) => {
  const found = entered.get(name);
  if (!found) return NaN;
  return found.system === system
    ? found.value
    : fromMetric(system, kind, toMetric(found.system, kind, found.value));
};

/** A field's text in these units; empty without a value. */
export const exactText = (name, kind, system) => {
  const value = exact(name, kind, system);
  return Number.isNaN(value) ? '' : fieldText(system, kind, value);
};

/** Parses a wind as reported: 260/15G25, 26015G25KT, VRB05, calm. Null if it is none. */
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
