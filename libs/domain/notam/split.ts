import { pattern } from './vocabulary.ts';

const icaoHeader =
  /^[ \t]*\(?(?:(?:[A-Z]{4}[- ])?[A-Z]{1,2}\d{1,4}\/\d{2}(?:[ \t]+NOTAM[NRC]?\b.*)?|\d{1,2}\/\d{3,5}[ \t]+NOTAM[NRC]?\b.*)$/;
const faaHeader = /^[ \t]*!/;
/** The beginning of a SNOWTAM, with or without its message heading. */
export const snowtamStart = String.raw`(?:SW[A-Z]{2}\d{4} [A-Z]{4} \d{8}\b|\(?SNOWTAM \d{4}\b)`;
const snowtamHeader = pattern`^[ \t]*${snowtamStart}`;
const faaTimes = /^\s*\d{10}\s?-\s?(?:\d{10}|PERM|UFN)/;
const isBody = (line: string): boolean => /^\s*(?:[QE]\)|!)/.test(line);
/** Longer lines are not headers, so patterns see at most this much of a line. */
const maxHeaderLength = 400;
const firstItem = /^[ \t]*(?:Q\)|DU[ \t]*:|A\))/;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** A line with a number and "NOTAM.", or a number alone followed by an item. */
const isHeader = (line: string, following: string): boolean => {
  const head = line.slice(0, maxHeaderLength).trimEnd();
  return (
    faaHeader.test(head) ||
    snowtamHeader.test(head) ||
    (icaoHeader.test(head) && (/\bNOTAM/.test(head) || firstItem.test(following)))
  );
};

const isSecondHeading = (line: string, before: readonly string[]): boolean =>
  before.length === 1 && /^\s*\(?SNOWTAM /.test(line) && /^\s*SW[A-Z]{2}\d/.test(before[0] ?? '');

/**
 * Splits a file into NOTAM texts. A text starts at its number, or at item Q after a blank line. Blank lines inside item
 * E belong to the text. After a blank line, a line indented less than the number is a briefing heading and ends the
 * text.
 */
export const splitNotamTexts = (text: string): string[] => {
  const all = text.split('\n').map((line) => line.replace(/\r$/, '').replace(/\f/g, ''));
  const texts: string[][] = [[]];
  let indent = 0;
  for (const [at, line] of all.entries()) {
    const lines = texts.at(-1)!;
    const begin = (from = indentOf(line)): void => {
      texts.push([line]);
      indent = from;
    };
    if (line.trim() === '') {
      if (lines.length > 0) lines.push('');
      continue;
    }
    const isAfterBlank = (all[at - 1] ?? '').trim() === '';
    const isItemQ = isAfterBlank && /^\s*Q\)/.test(line);
    if (isSecondHeading(line, lines)) lines.push(line);
    else if (isHeader(line, all[at + 1] ?? '') || (isItemQ && (lines.length === 0 || lines.some(isBody))))
      begin();
    else if (lines.length === 0) {
      if (isAfterBlank && !/^\s/.test(line)) begin(0);
    } else if (isAfterBlank && indentOf(line) < indent) texts.push([]);
    // FAA texts have no blank lines except before their times.
    else if (isAfterBlank && faaHeader.test(lines[0] ?? '') && !faaTimes.test(line)) begin(indent);
    else lines.push(line);
  }
  return texts.map((lines) => lines.join('\n').trim()).filter((one) => one !== '');
};
