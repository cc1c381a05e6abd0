import { reciprocalIdent } from '../airports/ident.ts';
import { designatorsIn, metresOf, numberOf, padDesignator } from './text.ts';
import type { Interpretation, RunwayEffect } from './types.ts';
import { anyUse, closedWord, designator, everyPattern, pattern, runwayWord } from './vocabulary.ts';

const compassDeg = { N: 0, NE: 45, E: 90, SE: 135, S: 180, SW: 225, W: 270, NW: 315 };
const side = String.raw`(?<side>FIRST|FST|INITIAL|LAST|FINAL|\b(?:NORTHEAST|NORTHWEST|SOUTHEAST|SOUTHWEST|NORTH|EAST|SOUTH|WEST|NE|NW|SE|SW|N|E|S|W)(?:ERN|ERLY)?)`;
const measure = String.raw`(?<value>\d{1,2},\d{3}|\d{2,4}(?:\.\d+)?) ?(?<unit>M|FT)(?![A-Z])`;
/** The length that `measure` matched, in metres. */
const lengthOf = ({ value = '', unit }: Partial<Record<string, string>> = {}): number =>
  metresOf(numberOf(value), unit === 'FT' ? 'FT' : 'M');
const runway = String.raw`(?<list>(?:RWY|RUNWAY|QFU)[\s-]*${designator}(?:\s*\/\s*${designator})?)(?!\s*\/)`;
const ofRunway = String.raw`(?:(?:FM|FROM) (?:THE )?(?:BEGINNING|START|THR|THRESHOLD) (?:OF )?)?(?:OF )?(?:THE )?(?:THR )?${runway}`;
const part = `${side} ${measure}`;
/** A part closed at one end of a runway, named by runway end or compass side. */
const parts = [
  // "FIRST 158M FROM THE BEGINNING OF RWY 32 CLSD", "WEST 500M OF RWY 09/27 CLSD"
  everyPattern`${part} ?,? ?${ofRunway}(?: IS| ARE)?,? ?${closedWord}(?! BUT)`,
  // "RWY 09L/27R CLOSED LAST 200M OF RWY 09L"
  everyPattern`${closedWord},? ${part} ${ofRunway}`,
  // "RWY 09L FIRST 300M CLOSED", "RWY 04/22 SW 2000FT CLSD"
  everyPattern`${runway}[:,]?(?: THE)? ${part},?(?: IS| ARE)? ${closedWord}(?! BUT)`,
  // "RWY 09L CLSD FOR TKOF AND LDG OF THE FIRST 600M", "RWY 04/22 CLSD SW 2000FT"
  everyPattern`${runway},?(?: IS)? ${closedWord},?(?: FOR)?(?: ${anyUse}(?: AND | ?\/ ?| OR )${anyUse})?(?: OF)?(?: THE)? ${part}`,
];

const end = String.raw`(?<runway>${designator})`;
const threshold = String.raw`(?:THR|THRESHOLD)`;
const isDisplaced = String.raw`(?:TEMPO |TEMPORARILY |PERM |PERMANENTLY |IS |NOW )*(?:DISPL(?:ACED)?|DSPLCD|DSPLACED)(?: BY)? ${measure}`;
const by = String.raw`(?: BY| IS|:)* ${measure}`;
const displacedForms = [
  // "THR RWY 27 DISPLACED BY 1800M", "THR24 DISPLACED 200M", "THR AND START OF TKOF RUN RWY 09L DISPLACED 300M"
  everyPattern`${threshold} ?(?:AND START OF (?:TKOF|TAKE-?OFF) RUN )?(?:OF )?(?:${runwayWord}[\s-]*)?${end} ${isDisplaced}`,
  // "RWY 29R THR DISPLACED 1448M"
  everyPattern`${runwayWord}[\s-]*${end} ${threshold} ${isDisplaced}`,
  // "RWY 14R DTHR 300M"
  everyPattern`${runwayWord}[\s-]*${end},? (?:DTHR|DISP(?:LACED)? ${threshold})${by}`,
  // "DTHR RWY 14R 300M"
  everyPattern`\bDTHR (?:OF )?(?:${runwayWord}[\s-]*)?${end}${by}`,
];
const mentions = /\b(?:DISPLACED|DSPLCD|DISPL)\b/;
const partMention = /\b(?:PART OF (?:THE )?RWY|LENGTH REDUCED|(?:USABLE|USEABLE) LENGTH)\b/;
const startOfRun = /\bSTART OF (?:TKOF|TAKE-?OFF) RUN\b[^.]*\bDISPLACED\b/;

const strip = String.raw`(?:RWY|RUNWAY)[\s-]*${designator}(?:\s*\/\s*${designator})?`;
/** A facility out of service there: "TDZ MARKINGS FIRST 900M", "RCLL RWY 09/27: LAST 900M". */
const facility = pattern`\b(?:MARKINGS?|LIGHTS?|LIGHTING|LGTS?|RCLL|TDZL?)(?: (?:OF|ON|IN|AT|ALONG|FOR|THE|${strip}))*[ :(-]*$`;
/** Work on lights closes that part of the runway itself; after "DUE TO WIP" alone a new subject begins. */
const cause = /\b(?:DUE(?! (?:TO )?(?:WIP|MAINT|WORKS?)\b)|(?:WIP|MAINT|WORKS?) (?:ON|OF|AT|FOR))\b[^.]*$/;
/** Lights and markings go out of service; only pavement is closed. */
const closedItself = /\b(?:CLSD|CLOSED|CSLD)\b/;
const maxSubjectLength = 120;

const isOfFacility = (text: string, { 0: whole, index }: RegExpExecArray): boolean => {
  const before = text.slice(Math.max(0, index - maxSubjectLength), index);
  return facility.test(before) && !cause.test(before) && !closedItself.test(whole);
};

type Part = readonly [ident: string, at: 'start' | 'end'];

/** The runway end from which the part is measured. Null: unclear; undefined: left to another pattern. */
const placeOf = (where: string, named: readonly string[]): Part | null | undefined => {
  const [one = '', other] = named;
  if (/^(?:F|I|LAST)/.test(where))
    return other === undefined ? [one, /^(?:LAST|FINAL)/.test(where) ? 'end' : 'start'] : undefined;
  const short = where
    .replace(/(?:ERN|ERLY)$/, '')
    .replace(/NORTH|SOUTH|EAST|WEST/g, (word) => word.charAt(0));
  const bearing = Object.entries(compassDeg).find(([name]) => name === short)?.[1] ?? 0;
  // A runway begins on the side opposite to its direction.
  const near = [one, other ?? reciprocalIdent(one)].filter((ident) => {
    const startDeg = (Number(ident.slice(0, 2)) * 10 + 180) % 360;
    return Math.abs(((bearing - startDeg + 540) % 360) - 180) <= 50;
  });
  return near.length === 1 ? [near[0]!, 'start'] : null;
};

const readParts = (text: string): Interpretation => {
  const out: Interpretation = { effects: [], flags: [] };
  for (const match of parts.flatMap((form) => [...text.matchAll(form)])) {
    const { side: where = '', list = '' } = match.groups ?? {};
    const place = placeOf(where, designatorsIn(list));
    if (place === undefined) continue;
    if (isOfFacility(text, match))
      out.flags.push(`markings or lights of a part of the runway: "${match[0]}"`);
    else if (place === null) out.flags.push(`part of the runway closed, end not clear: "${match[0]}"`);
    else {
      const [ident, at] = place;
      const long = lengthOf(match.groups);
      const other = at === 'start' ? 'end' : 'start';
      out.effects.push(
        { kind: 'shortened', runway: ident, end: at, lengthM: long },
        { kind: 'shortened', runway: reciprocalIdent(ident), end: other, lengthM: long },
      );
    }
  }
  return out;
};

/** Reads parts closed at one end of a runway, and displaced thresholds. */
export const readShortenings = (normalised: string): Interpretation => {
  const { effects, flags } = readParts(normalised);
  const movedRun = startOfRun.exec(normalised);
  if (movedRun) flags.push(`take-off distances not given: "${movedRun[0]}"`);
  const displaced = new Map<string, RunwayEffect>();
  for (const { groups = {} } of displacedForms.flatMap((form) => [...normalised.matchAll(form)])) {
    const ident = padDesignator(groups['runway'] ?? '');
    const byM = lengthOf(groups);
    if (!displaced.has(ident)) displaced.set(ident, { kind: 'displaced', runway: ident, byM });
  }
  effects.push(...displaced.values());
  const isRead = effects.length > 0;
  if (!isRead && mentions.test(normalised) && /THR|THRESHOLD/.test(normalised))
    flags.push('displaced threshold not understood');
  if (!isRead && partMention.test(normalised)) flags.push('part of a runway or a new length, not understood');
  return { effects, flags };
};
