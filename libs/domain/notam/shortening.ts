import { useWord } from './closure-words.ts';
import { lengthM } from './length.ts';
import { designatorPattern, designatorsIn, padDesignator, reciprocalOf } from './text.ts';
import type { Reading, RunwayEffect } from './types.ts';

const closed = String.raw`(?:CLSD|CLOSED|CSLD|NOT AVBL|NOT AVAILABLE|UNUSABLE|UNAVAILABLE|UNSERVICEABLE|U\/S|NOT USABLE)`;
const first = String.raw`(FIRST|FST|INITIAL|LAST|FINAL)`;
const measure = String.raw`(\d{1,2},\d{3}|\d{2,4}(?:\.\d+)?) ?(M|FT)(?![A-Z])`;
const ofRunway = String.raw`(?:(?:FM|FROM) (?:THE )?(?:BEGINNING|START|THR|THRESHOLD) (?:OF )?)?(?:OF )?(?:THE )?(?:THR )?((?:RWY|RUNWAY|QFU)[\s-]*${designatorPattern})`;
/** "FIRST 158M FROM THE BEGINNING OF RWY 32 CLSD", "FST 115M OF RWY29 NOT AVBL". */
const partThenClosed = new RegExp(
  `${first} ${measure} ?,? ?${ofRunway}(?: IS| ARE)?,? ?${closed}(?! BUT)`,
  'g',
);
/** "RWY 09L/27R CLOSED LAST 200M OF RWY 09L". */
const closedThenPart = new RegExp(`${closed},? ${first} ${measure} ${ofRunway}`, 'g');
/** "RWY 09L FIRST 300M CLOSED". */
const runwayThenPart = new RegExp(
  `((?:RWY|RUNWAY)[\\s-]*${designatorPattern})(?!\\s*\\/),? ${first} ${measure},? ${closed}(?! BUT)`,
  'g',
);
/** "RWY 09L CLOSED FIRST 1,500FT", "RWY 09L CLSD FOR TKOF AND LDG OF THE FIRST 600M" */
const runwayClosedPart = new RegExp(
  `((?:RWY|RUNWAY)[\\s-]*${designatorPattern})(?!\\s*\\/),?(?: IS)? ${closed},?(?: FOR)?(?: ${useWord}(?: AND | ?\\/ ?| OR )${useWord})?(?: OF)?(?: THE)? ${first} ${measure}`,
  'g',
);
const compass = String.raw`(NORTHEAST|NORTHWEST|SOUTHEAST|SOUTHWEST|NORTH|EAST|SOUTH|WEST|NE|NW|SE|SW|N|E|S|W)(?:ERN|ERLY)?`;
/** FAA: "RWY 04/22 SW 2000FT CLSD", the part is at that compass end. */
const compassPart = new RegExp(
  `((?:RWY|RUNWAY)[\\s-]*${designatorPattern}\\s*\\/\\s*${designatorPattern})[:,]?(?: THE)? ${compass} ${measure}(?: IS| ARE)? ${closed}`,
  'g',
);
/** "RWY 04/22 CLSD SW 2000FT" */
const compassLast = new RegExp(
  `((?:RWY|RUNWAY)[\\s-]*${designatorPattern}\\s*\\/\\s*${designatorPattern})(?: IS)? ${closed},?(?: FOR)?(?: THE)? ${compass} ${measure}`,
  'g',
);
/** "WEST 500M OF RWY 09/27 CLSD" */
const compassFirst = new RegExp(
  `\\b${compass} ${measure} (?:OF )?(?:THE )?((?:RWY|RUNWAY)[\\s-]*${designatorPattern}\\s*\\/\\s*${designatorPattern})(?: IS| ARE)? ${closed}`,
  'g',
);
const compassDeg = { N: 0, NE: 45, E: 90, SE: 135, S: 180, SW: 225, W: 270, NW: 315 };

/** "THR RWY 27 DISPLACED BY 1800M", "RWY 29R THR DISPLACED 1448M", "THR 24 DISPLACED 200M INWARDS". */
const displacedForms = [
  new RegExp(
    `(?:THR|THRESHOLD) (?:OF )?(?:(?:RWY|RUNWAY|QFU)[\\s-]*)?(${designatorPattern}) (?:TEMPO |TEMPORARILY |PERM |PERMANENTLY |IS |NOW )*(?:DISPL(?:ACED)?|DSPLCD|DSPLACED)(?: BY)? ${measure}`,
    'g',
  ),
  new RegExp(
    `(?:RWY|RUNWAY|QFU)[\\s-]*(${designatorPattern}) (?:THR|THRESHOLD) (?:TEMPO |TEMPORARILY |PERM |PERMANENTLY |IS |NOW )*(?:DISPL(?:ACED)?|DSPLCD|DSPLACED)(?: BY)? ${measure}`,
    'g',
  ),
  new RegExp(`(?:THR|THRESHOLD) ?(${designatorPattern}) DISPLACED(?: BY)? ${measure}`, 'g'),
  // "RWY 14R DTHR 300M", "DTHR RWY 14R 300M"
  new RegExp(
    `(?:RWY|RUNWAY|QFU)[\\s-]*(${designatorPattern}),? (?:DTHR|DISP(?:LACED)? (?:THR|THRESHOLD))(?: BY| IS|:)* ${measure}`,
    'g',
  ),
  new RegExp(
    `\\bDTHR (?:OF )?(?:(?:RWY|RUNWAY|QFU)[\\s-]*)?(${designatorPattern})(?: BY| IS|:)* ${measure}`,
    'g',
  ),
];
const mentions = /\b(?:DISPLACED|DSPLCD|DISPL)\b/;
const partMention = /\b(?:PART OF (?:THE )?RWY|LENGTH REDUCED|(?:USABLE|USEABLE) LENGTH)\b/;
const startOfRun = new RegExp(
  `START OF (?:TKOF|TAKE-?OFF) RUN (?:RWY|RUNWAY)[\\s-]*(${designatorPattern}) DISPLACED(?: BY)? ${measure}`,
  'g',
);

/** "THR AND START OF TKOF RUN RWY 09L DISPLACED 300M": at least the threshold moves. */
const thresholdAndRun = /\bTHR AND START OF (?:TKOF|TAKE-?OFF) RUN(?= )/g;

const both = (runway: string, where: string, amountM: number): RunwayEffect[] => {
  const isStart = /^F(?:IRST|ST)|^INITIAL/.test(where);
  return [
    { kind: 'shortened', runway, end: isStart ? 'start' : 'end', lengthM: amountM },
    { kind: 'shortened', runway: reciprocalOf(runway), end: isStart ? 'end' : 'start', lengthM: amountM },
  ];
};

const strip = String.raw`(?:RWY|RUNWAY)[\s-]*${designatorPattern}(?:\s*\/\s*${designatorPattern})?`;
/** What is out of service there: "TDZ MARKINGS FIRST 900M", "RCLL RWY 09/27: LAST 900M". */
const facility = new RegExp(
  `\\b(?:MARKINGS?|LIGHTS?|LIGHTING|LGTS?|RCLL|TDZL?)(?: (?:OF|ON|IN|AT|ALONG|FOR|THE|${strip}))*[ :(-]*$`,
);
/** Work on lights closes a part of the runway itself; after "DUE TO WIP" alone a new subject begins. */
const cause = /\b(?:DUE(?! (?:TO )?(?:WIP|MAINT|WORKS?)\b)|(?:WIP|MAINT|WORKS?) (?:ON|OF|AT|FOR))\b[^.]*$/;
/** Lights and markings are out of service, never closed. */
const closedItself = /\b(?:CLSD|CLOSED|CSLD)\b/;
const maxSubjectLength = 120;

/** The flag of a match whose subject is lights or markings; null: it is the runway. */
const flagOfFacility = (text: string, { 0: whole, index }: RegExpExecArray): string | null => {
  const before = text.slice(Math.max(0, index - maxSubjectLength), index);
  return facility.test(before) && !cause.test(before) && !closedItself.test(whole)
    ? `markings or lights of a part of the runway: "${whole}"`
    : null;
};

const readParts = (text: string): Reading => {
  const out: Reading = { effects: [], flags: [] };
  const add = (match: RegExpExecArray, where = '', value = '', unit = '', list = '') => {
    const [runway] = designatorsIn(list);
    const flag = flagOfFacility(text, match);
    if (flag !== null) out.flags.push(flag);
    else if (runway !== undefined) out.effects.push(...both(runway, where, lengthM(value, unit, false)));
  };
  for (const form of [partThenClosed, closedThenPart])
    for (const match of text.matchAll(form)) add(match, match[1], match[2], match[3], match[4]);
  for (const form of [runwayThenPart, runwayClosedPart])
    for (const match of text.matchAll(form)) add(match, match[2], match[3], match[4], match[1]);
  return out;
};

const readCompassParts = (text: string): Reading => {
  const out: Reading = { effects: [], flags: [] };
  const found = [
    ...[compassPart, compassLast].flatMap((form) =>
      [...text.matchAll(form)].map((match) => {
        const [, list, side, value, unit] = match;
        return { match, list, side, value, unit };
      }),
    ),
    ...[...text.matchAll(compassFirst)].map((match) => {
      const [, side, value, unit, list] = match;
      return { match, list, side, value, unit };
    }),
  ];
  for (const { match, list = '', side = '', value = '', unit } of found) {
    const flag = flagOfFacility(text, match);
    if (flag !== null) {
      out.flags.push(flag);
      continue;
    }
    const short = side.replace(/NORTH|SOUTH|EAST|WEST/g, (word) => word.charAt(0));
    const bearing = Object.entries(compassDeg).find(([name]) => name === short)?.[1] ?? 0;
    // A runway begins at the side opposite to its heading.
    const atStart = designatorsIn(list).filter((runway) => {
      const startDeg = (Number(runway.slice(0, 2)) * 10 + 180) % 360;
      const apart = Math.abs(((bearing - startDeg + 540) % 360) - 180);
      return apart <= 50;
    });
    const [runway] = atStart;
    if (atStart.length === 1 && runway !== undefined)
      out.effects.push(...both(runway, 'FIRST', lengthM(value, unit, false)));
    else out.flags.push(`part of the runway closed, end not clear: "${match[0]}"`);
  }
  return out;
};

/** Parts of a runway closed at one end, and displaced thresholds. */
export const readShortenings = (normalised: string): Reading => {
  const byCompass = readCompassParts(normalised);
  const parts = readParts(normalised);
  const effects = [...parts.effects, ...byCompass.effects];
  const flags = [...parts.flags, ...byCompass.flags];
  const runText = normalised
    .replace(thresholdAndRun, 'THR')
    .replace(startOfRun, (_whole, runway: string, value: string, unit: string) => {
      flags.push(
        `start of the take-off run ${padDesignator(runway)} moved by ${value}${unit}: take-off distances not given`,
      );
      return '';
    });
  for (const form of displacedForms)
    for (const [, runway = '', value = '', unit] of runText.matchAll(form)) {
      const effect: RunwayEffect = {
        kind: 'displaced',
        runway: padDesignator(runway),
        byM: lengthM(value, unit, false),
      };
      if (!effects.some((known) => known.kind === 'displaced' && known.runway === effect.runway))
        effects.push(effect);
    }
  const isRead = effects.length > 0;
  if (!isRead && mentions.test(runText) && /THR|THRESHOLD/.test(runText))
    flags.push('displaced threshold not understood');
  if (!isRead && partMention.test(normalised)) flags.push('part of a runway or a new length, not understood');
  return { effects: dedupe(effects), flags };
};

const dedupe = (effects: RunwayEffect[]): RunwayEffect[] => {
  const seen = new Set<string>();
  return effects.filter((effect) => {
    const key = JSON.stringify(effect);
    return seen.has(key) ? false : (seen.add(key), true);
  });
};
