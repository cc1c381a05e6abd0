/** Runway designators: `6L`, `06L` and `06 L` are the same runway, stored as `06L`. */

const designatorPattern = /^(?:RWY?|RUNWAY)?\s*(0?[1-9]|[12]\d|3[0-6])\s*([LCR])?T?$/;

/**
 * The padded designator, or null for anything else (helipads `H1`, compass `NE`, water `18W`, glider `12G`, blank). The
 * suffix T (true-north designators in the high Arctic) is kept.
 */
export const normaliseRunwayIdent = (text: string): string | null => {
  const match = designatorPattern.exec(text.trim().toUpperCase());
  if (!match) return null;
  const suffix = text.trim().toUpperCase().endsWith('T') ? 'T' : '';
  return `${(match[1] ?? '').padStart(2, '0')}${match[2] ?? ''}${suffix}`;
};

/** Designator in degrees; 36 for `36`. */
export const identDegrees = (ident: string): number => Number(ident.slice(0, 2)) * 10;

const otherSide: Readonly<Record<string, string>> = { L: 'R', R: 'L' };

/** `06L` → `24R`. */
export const reciprocalIdent = (ident: string): string => {
  const number = Number(ident.slice(0, 2));
  const other = number > 18 ? number - 18 : number + 18;
  const suffix = ident.slice(2).replace(/[LR]/, (letter) => otherSide[letter] ?? letter);
  return `${String(other).padStart(2, '0')}${suffix}`;
};

/** Both padded designators of a published pair: `6L/24R` gives [`06L`, `24R`]; null if either is invalid. */
export const splitRunwayPair = (text: string): [string, string] | null => {
  const parts = text.split(/[/;-]/).map(normaliseRunwayIdent);
  const [low, high] = parts;
  return parts.length === 2 && low && high ? [low, high] : null;
};

/** `06L/24R`, the lower designator first. */
export const runwayPair = (one: string, two: string): string =>
  one < two ? `${one}/${two}` : `${two}/${one}`;

/** Four capital letters or digits, beginning with a letter. */
export const isIcaoCode = (text: string): boolean => /^[A-Z][A-Z0-9]{3}$/.test(text);
