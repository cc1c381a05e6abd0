/** Reads levels from a warning's text: in the source's decoded columns, a top above a level becomes a base there. */
import { metresPerFoot } from '#domain/users/units.ts';

interface Levels {
  /** Feet; null: from the surface. */
  baseFt: number | null;
  /** Feet; null: no upper limit. */
  topFt: number | null;
}

const level = String.raw`(SFC|GND|(?:FL\s?)?\d{2,5}(?:\s?(?:FT|M)\b)?)`;
/** `FL250/390`, `0900/ABV10000FT`, `BTN FL240 AND FL410`, `TOPS TO FL450`, `CB TOP ABV FL450`, `ABV FL140`, `BLW FL100`. */
const statement = new RegExp(
  String.raw`\b(?:(TOPS?)\s(?:(?:TO|BTN)\s)?)?(?:(ABV|ABOVE)\s|(BLW|BELOW)\s)?\b${level}(?:(?:\s?[/-]\s?|\s(?:AND|TO)\s)(ABV\s?)?${level})?(?![\d/])`,
  'g',
);

const unitOf = (text: string): string | undefined => /FL|FT|M/.exec(text)?.[0];

const feetOf = (text: string, other: string): number | null => {
  if (text === 'SFC' || text === 'GND') return 0;
  const number = Number(/\d+/.exec(text)?.[0]);
  const unit = unitOf(text) ?? unitOf(other);
  if (unit === 'FL') return number * 100;
  if (unit === 'FT') return number;
  return unit === 'M' ? Math.round(number / metresPerFoot) : null;
};

/** Levels stated in the text, the widest if there are several; without any, those in the columns. */
export const levelsOf = (raw: string, columns: Levels): Levels => {
  const found = { bases: [] as number[], tops: [] as number[], above: [] as number[] };
  for (const [, top, isAbove, isBelow, first = '', isOpen, second = ''] of raw.matchAll(statement)) {
    const from = feetOf(first, second);
    const to = second === '' ? from : feetOf(second, first);
    if (from === null || to === null) continue;
    if (top) found[isAbove ? 'above' : 'tops'].push(from, to);
    else if (isBelow) found.tops.push(from, to);
    else if (isAbove || second !== '') found.bases.push(from);
    if (!top && second !== '') found[isOpen ? 'above' : 'tops'].push(to);
  }
  const { bases, tops, above } = found;
  const unless = (columnFt: number | null, others: readonly number[]): number | null =>
    columnFt !== null && others.includes(columnFt) ? null : columnFt;
  const topFt = tops.length > 0 ? Math.max(...tops) : unless(columns.topFt, bases);
  return {
    baseFt: bases.length > 0 ? Math.min(...bases) : unless(columns.baseFt, [...tops, ...above]),
    topFt: above.length > 0 ? null : topFt,
  };
};
