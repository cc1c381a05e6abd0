import { numberOf, padDesignator } from './text.ts';
import { designator, lex, runwayWord, stickyPattern } from './vocabulary.ts';
import type { Form } from './vocabulary.ts';
import type { DistanceKind } from './types.ts';

export type Unit = 'M' | 'FT';

type Sign = '/' | '=' | ',' | ';' | ':' | '(' | ')' | '&' | '+' | '-';

/** A token of a text about declared distances; `t` is its letter in the grammar. */
export type DistanceToken =
  /** A label; `unit` comes from a table header: "LDA (M)". */
  | { t: 'L'; kind: DistanceKind; unit?: Unit | undefined }
  /**
   * A runway; a bare number, which counts only where a runway is expected; a threshold, which never starts a table
   * row.
   */
  | { t: 'R' | 'B' | 'T'; names: string[] }
  | { t: 'V'; value: number; unit?: Unit | undefined }
  /** A figure in brackets directly after a figure: the same length in the other unit, or a slope in per cent. */
  | { t: 'K'; value: number }
  /** An intersection, or a takeoff position without a name. */
  | { t: 'I'; name: string | null }
  /** "B = 560M" after "REMAINING DISTANCES FROM". */
  | { t: 'P'; name: string }
  /** A sign, or "AND". */
  | { t: Sign | 'a' }
  /**
   * Distances after "supplementary" (S) depend on the obstacle gradient and are not declared. The value after "becomes"
   * (b) replaces the one before it, and the value after "former" (o) is the replaced one. "657 X 100 M" is a dimension
   * (d). The others are "remaining" (M), the end of a sentence (E), words without effect (f), "NIL" (n), prepositions
   * (p), words before other lengths (w) and all other words (x).
   */
  | { t: 'S' | 'M' | 'f' | 'b' | 'o' | 'd' | 'E' | 'n' | 'p' | 'w' | 'x' };

const name = String.raw`'?([A-Z]{1,2}\d{0,2}[A-Z]?|[A-Z]+)'?`;
const unitOf = (text: string | undefined): Unit | undefined =>
  text === undefined || text === '' ? undefined : text.startsWith('F') ? 'FT' : 'M';
const namesIn = (list: string): string[] =>
  (list.match(new RegExp(designator, 'g')) ?? []).map((each) => padDesignator(each));

const wordEnd = String.raw`(?![A-Z0-9']|\.\d)`;

const forms: Form<DistanceToken>[] = [
  [/ +/y, () => undefined],
  [/\.+(?=\s|$)/y, () => ({ t: 'E' })],
  [
    /(TORA|TODA|ASDA|LDA)(?![A-Z])(?:\s*\(\s*(M|FT)\s*\)|\s+IN\s+(M|FT)(?![A-Z]))?/y,
    ([, kind, bracketed, worded]) => ({
      t: 'L',
      kind: kind as DistanceKind,
      unit: unitOf(bracketed ?? worded),
    }),
  ],
  [/SUPPLEMENTARY (?:TKOF|TAKE[ -]?OFF) DIST(?:ANCE)?S?/y, () => ({ t: 'S' })],
  [
    /(?<=\d(?:M|FT)?\)? ?)\( ?(\d{1,5}(?:\.\d+)?) ?\)/y,
    ([, value = '']) => ({ t: 'K', value: Number(value) }),
  ],
  [/REMAINING DISTANCES?(?: (?:FROM|FM))?/y, () => ({ t: 'M' })],
  [
    /(?:INTERSECTION|INT) (?:DEPARTURES?|TAKE[ -]?OFFS?|TKOFS?)|START POINT|CODE [A-F](?: AND [A-F])? OPERATIONS/y,
    () => ({ t: 'I', name: null }),
  ],
  [
    stickyPattern`(?:(?:FROM|FM|AT|VIA)\s+)?(?:INTERSECTION|INT)\s+(?:WITH\s+)?(?:TWY\s+)?${name}(?![A-Z0-9])|(?:FROM|FM)\s+TWY\s+${name}(?![A-Z0-9])`,
    ([, a, b]) => ({ t: 'I', name: a ?? b ?? null }),
  ],
  [/([A-Z]{1,2}\d{0,2}[A-Z]?)\s*[=:](?=\s*\d{3,4}\s*(?:M|FT))/y, ([, at = '']) => ({ t: 'P', name: at })],
  [
    stickyPattern`(?:D?THR|THRESHOLD)[\s:-]*(?:OF )?(?:${runwayWord}[\s:-]*)?(${designator})`,
    ([, list = '']) => ({ t: 'T', names: namesIn(list) }),
  ],
  [
    stickyPattern`${runwayWord}[\s:-]*((?:${designator})(?:\s*\/\s*(?:${designator})|-(?=[0-3]\d[LCR]?T?(?![A-Z0-9]))(?:${designator}))*)`,
    ([, list = '']) => ({ t: 'R', names: namesIn(list) }),
  ],
  [/\d{2,4}(?:[.,]\d+)?\s?M?\s*X\s*\d{2,3}(?:[.,]\d+)?(?:\s?(?:M|FT)(?![A-Z]))?/y, () => ({ t: 'd' })],
  [/\d{1,2}:\d{2}(?!\d)|\d{4}\s?-\s?\d{4}(?!\d)/y, () => ({ t: 'x' })],
  [
    /(\d{1,2},\d{3}(?:\.\d+)?|[1-9] \d{3}(?=\s*(?:M|FT)(?![A-Z]))|\d{3,4}(?:\.\d+)?|[12]\d{4}|\d{2}(?=\s?(?:M|FT)(?![A-Z])))(?![\d:])\s*(M|FT)?(?![A-Z0-9])/y,
    ([, value = '', unit]) => ({ t: 'V', value: numberOf(value), unit: unitOf(unit) }),
  ],
  [
    stickyPattern`((?:0[1-9]|[12]\d|3[0-6])[LCR]?T?(?![A-Z0-9]))(?:\s*\/\s*((?:0[1-9]|[12]\d|3[0-6])[LCR]?T?(?![A-Z0-9])))?`,
    ([list]) => ({ t: 'B', names: namesIn(list) }),
  ],
  [
    /(?:IS |ARE )?(?:CHANGED|REDUCED|REVISED|AMENDED|EXTENDED|INCREASED|SHORTENED|DECREASED|LIMITED|RESTRICTED|CHG|CHGD)(?: FROM)? TO(?: READ)?(?![A-Z])|BECOMES?|TO READ|WILL BE(?: REDUCED TO)?|TO(?=\s+\d{3})|NOW(?=\s*\d{3})/y,
    () => ({ t: 'b' }),
  ],
  [
    /(?:INSTEAD OF|IN LIEU OF|RATHER THAN|WAS|WERE|PREVIOUSLY|PREVIOUS|FORMERLY|FORMER|OLD|PUBLISHED|(?:CHANGED |REDUCED |REVISED |AMENDED )?(?:FROM|FM)(?=\s*\d{3}))(?![A-Z])/y,
    () => ({ t: 'o' }),
  ],
  [
    /(?:IS|ARE|NOW|REMAINS?|UNCHANGED|AVBL|AVAILABLE|NEW|EQUALS?|THE|AS FLW|AS FOLLOWS|TEMPO|TEMPORARILY)(?![A-Z])/y,
    () => ({ t: 'f' }),
  ],
  [/AND(?![A-Z])|ET(?![A-Z])/y, () => ({ t: 'a' })],
  [/[/=,;:()&+-]/y, ([sign]) => ({ t: sign as Sign })],
  [stickyPattern`NIL${wordEnd}`, () => ({ t: 'n' })],
  [stickyPattern`(?:FOR|ON|OF|IN)${wordEnd}`, () => ({ t: 'p' })],
  [stickyPattern`(?:LENGTH|WIDTH|DIMENSIONS?|ELEV|ELEVATION|BY)${wordEnd}`, () => ({ t: 'w' })],
  [/'?[A-Z0-9]+(?:\.\d+)?[A-Z0-9]*'?/y, () => ({ t: 'x' })],
  [/./sy, () => undefined],
];

/** The full names of the labels. */
const inFull: [RegExp, string][] = [
  [/\bLANDING DIST(?:ANCE)?S? AV(?:AI)?L?(?:ABLE|BL)\b(?: ?\(LDA\))?/g, 'LDA'],
  [/\bTAKE[ -]?OFF RUN AV(?:AI)?L?(?:ABLE|BL)\b(?: ?\(TORA\))?/g, 'TORA'],
  [/\bTAKE[ -]?OFF DIST(?:ANCE)? AV(?:AI)?L?(?:ABLE|BL)\b(?: ?\(TODA\))?/g, 'TODA'],
  [/\bACCELERATE[ -]?STOP DIST(?:ANCE)? AV(?:AI)?L?(?:ABLE|BL)\b(?: ?\(ASDA\))?/g, 'ASDA'],
];

/** "TORA - TODA - ASDA" is the header of a table with dashes between its columns. */
const dashedHead = /\b(?:TORA|TODA|ASDA|LDA) ?- ?(?:TORA|TODA|ASDA|LDA)\b/;

/** The text with labels abbreviated as usual and without dashes between table columns. */
export const withLabels = (text: string): string => {
  const labelled = inFull.reduce((short, [form, label]) => short.replace(form, label), text);
  return dashedHead.test(labelled) ? labelled.replace(/ ?- /g, ' ') : labelled;
};

/** Tokens of a text of limited length; unknown characters are skipped. */
export const distanceTokens = (text: string): DistanceToken[] => lex(text, forms) ?? [];
