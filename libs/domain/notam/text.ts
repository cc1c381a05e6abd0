/** Preparing item E for reading: one line, upper case, English part, statements, runway designators. */

const runwayWord = String.raw`(?:RWYS?|RUNWAYS?|QFUS?|PISTES?|PISTA|PISTE)`;
// T: directions over true north, in the high Arctic.
const designator = String.raw`(?:0?[1-9]|[12]\d|3[0-6])[LCR]?T?(?![A-Z0-9])`;
const pair = String.raw`${designator}(?:\s*\/\s*${designator}|-(?=[0-3]\d[LCR]?T?(?![A-Z0-9]))${designator})?`;
/** Words that may precede a designator without changing which strip is meant. */
const qualifier = String.raw`(?:PAVED|UNPAVED|GRASS|ASPH|ASPHALT|CONC|CONCRETE|GRAVEL|AIRSTRIP|STRIP|MAIN|BOTH|AIRPLANES?|PLANE|ALL|THE)`;
const surfaceAfter = String.raw`(?:\s*\(?(?:GRASS|ASPH|ASPHALT|CONC|CONCRETE|GRAVEL|PAVED|UNPAVED)\)?(?![A-Z]))?`;
const one = String.raw`(?:${qualifier}\s+)*(?:${runwayWord}[\s:-]*)(?:${qualifier}\s+)*${pair}${surfaceAfter}`;
const grass = String.raw`(?:(?:GRASS|UNPAVED|PAVED|ASPH|AIRSTRIP)\s+)+${pair}`;
// A bare "20T" in a list is a mass.
const next = String.raw`\s*(?:,\s*AND\s+|,\s*|\s+AND\s+|\s*&\s*|\s+ET\s+|\s*\+\s*)(?:${one}|${grass}|(?!\d+T(?!\s*\/))${pair}${surfaceAfter})`;

/** A list of runways: "RWY 15/33 AND 07/25", "GRASS RWY 06/24 AND RWY 16/34", "RWY18/36", "GRASS 10/28". */
export const runwayList = String.raw`(?:${one}|${grass})(?:${next})*`;

export const designatorPattern = designator;

/** "9L" to "09L". */
export const padDesignator = (text: string): string => (/^\d(?!\d)/.test(text) ? `0${text}` : text);

/** "09L" to "27R": the other end of the same strip. */
export const reciprocalOf = (runway: string): string => {
  const number = ((Number(runway.slice(0, 2)) + 17) % 36) + 1;
  const side = runway.slice(2).replace(/[LR]/, (letter) => (letter === 'L' ? 'R' : 'L'));
  return `${String(number).padStart(2, '0')}${side}`;
};

const designators = new RegExp(`(?<![A-Z0-9])(?:${runwayWord}-?)?(${designator})`, 'g');

/** The padded designators of a text that `runwayList` matched, in order, each once. */
export const designatorsIn = (list: string): string[] => [
  ...new Set([...list.matchAll(designators)].map((match) => padDesignator(match[1] ?? ''))),
];

/** Longer texts are not read: no real one about runways is as long. */
export const maxTextLength = 16_000;
/** Patterns see at most one statement, and none that is longer: what they cost is bounded. */
export const maxStatementLength = 1_500;

/** Item E as one upper-case line; of a bilingual text the English part; without references to the AIP. */
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
    // A list of exceptions stays in the statement that it restricts.
    .replace(/\bEXC(?:EPT)? ?: ?-[^.]*/g, (list) => list.replace(/\s-\s?(?=[A-Z'])/g, ' '))
    .replace(/ {2,}/g, ' ')
    .trim();
  const english = /\bENGLISH(?: TEXT)? ?: ?/.exec(line);
  const part = english ? line.slice(english.index + english[0].length) : line;
  return part.replace(/[ ,;(]{1,4}REF:? (?:MIL ?)?AIP\b[^.]*(?:\.(?! )[^.]*)*/g, '').trim();
};

/** Splits at full stops, list marks and numbered points; decimals and "2.-RWY" stay whole. */
export const statementsOf = (normalised: string): string[] =>
  normalised
    .split(/\.(?=\s|$)|\.(?=[A-Z])|(?:^|\s)-\s?(?=[A-Z])|;|(?:^|\s)\d\.(?:-|\s)/)
    .map((statement) => statement.trim().replace(/^[-:,)\s]+/, ''))
    .filter((statement) => statement !== '');

const everyList = new RegExp(runwayList, 'g');

/** The padded designators that a normalised text names; none in a text that is too long. */
export const runwaysNamedIn = (normalised: string): string[] =>
  normalised.length > maxTextLength
    ? []
    : [
        ...new Set(
          statementsOf(normalised)
            .filter((statement) => statement.length <= maxStatementLength)
            .flatMap((statement) => statement.match(everyList) ?? [])
            .flatMap(designatorsIn),
        ),
      ];
