import { CsvError } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { ChecklistDocument } from '#domain/checklists/document.ts';
import {
  maxDocumentBytes,
  maxItems,
  maxPages,
  maxNoteLength,
  maxTextLength,
} from '#domain/checklists/document.ts';
import type { FilePages, FileProblem, FileReading } from '#domain/checklists/file.ts';
import { maxFileProblems } from '#domain/checklists/file.ts';
import { lengthOf } from '#domain/fields/text.ts';

const columns = ['page', 'challenge', 'response', 'line', 'selfDetected', 'note'] as const;
type Column = (typeof columns)[number];

const required: readonly Column[] = ['page', 'challenge', 'response'];

const maxLengths: Readonly<Partial<Record<Column, number>>> = {
  page: maxTextLength,
  challenge: maxTextLength,
  response: maxTextLength,
  note: maxNoteLength,
};

/**
 * Spreadsheets evaluate texts that begin like a formula, also after white space and in full-width characters, so the
 * file has an apostrophe before them.
 */
const isFormula = (text: string): boolean => /^'*[\s=+\-@]/.test(text.normalize('NFKC'));

export const guarded = (text: string): string => (isFormula(text) ? `'${text}` : text);

export const unguarded = (text: string): string =>
  text.startsWith("'") && isFormula(text) ? text.slice(1) : text;

/** Smallest stored size of an item: a file with more rows than fit exceeds the largest document. */
const leastItemBytes = 80;
/** Room for the longest possible cells of an item, with doubled quotes. */
const maxRowCharacters = 20_000;
const maxCells = 50;
const maxRows = Math.floor(maxDocumentBytes / leastItemBytes);

const names = new Map<string, Column>([
  ...columns.map((column) => [column.toLowerCase(), column] as const),
  ['title', 'page'],
  ['isline', 'line'],
]);
/** True and false as spreadsheets write them in several languages, and as people type them. */
const wordsOf = (text: string): Set<string> => new Set(text.split(/\s+/));
const yes =
  wordsOf(`x 1 y yes true on j ja wahr o oui vrai s sí si sim verdadero verdadeiro vero waar sant sann sand
  kyllä tosi t tak prawda ano áno pravda igen igaz da adevărat evet doğru e д да истина так ναι αληθής
  はい 是 真 예 네 참 ya ใช่ हाँ हां نعم כן có ✓ ✔ ☑ ✅ ○ ◯`);
const no =
  wordsOf(`0 n no false off - – nein falsch non faux falso não nao nee onwaar nej falskt falskt falsk nei usann
  ei epätosi nie fałsz ne nepravda nem hamis nu fals hayır hayir yanlış yanliş h н нет ложь ні όχι ψευδής
  いいえ 否 假 아니요 아니오 거짓 tidak ไม่ नहीं لا לא không ✗ ✘ ☐ ❌ ×`).add('');

interface Row {
  record: string[];
  info: { lines: number };
}

/** Spreadsheets use the list separator of their country: the one in `sep=`, else the one between the column names. */
const separatorOf = (text: string): string => {
  const named = /^\s*"?sep=([,;\t|:])/i.exec(text)?.[1];
  const head = text.split(/[\r\n]/).find((line) => /[^\s,;"]/.test(line)) ?? '';
  return named ?? [',', ';', '\t'].find((each) => head.includes(each)) ?? ',';
};

/** The first line with implausibly many cells, which would take long to split; null if none. */
const tooWideLine = (text: string, separator: string): number | null => {
  let [line, cells, isQuoted, before] = [1, 0, false, ''];
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (character === '\r' || character === '\n') {
      if (before !== '\r' || character === '\r') line += 1;
      if (!isQuoted) cells = 0;
    } else if (character === separator && !isQuoted) {
      cells += 1;
      if (cells > maxCells) return line;
    }
    before = character;
  }
  return null;
};

const headOf = ({ record: cells, info }: Row, problems: FileProblem[]): (Column | null)[] => {
  const line = info.lines;
  const found = cells.map((cell) => names.get(cell.trim().toLowerCase()) ?? null);
  const missing = required.filter((column) => !found.includes(column));
  const known = columns.join(', ');
  cells.forEach((cell, i) => {
    const column = found[i] ?? null;
    if (column === null && cell.trim() !== '')
      problems.push({
        line,
        place: cell.slice(0, 40),
        message: `is not a column; the columns are ${known}`,
      });
    if (column !== null && found.indexOf(column) !== i)
      problems.push({ line, place: column, message: 'is there twice' });
  });
  for (const column of missing)
    problems.push({
      line,
      place: column,
      message: `is missing in the first line; the columns are ${known}`,
    });
  return found;
};

const unreadable: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell does not end',
  CSV_MAX_RECORD_SIZE: `the row has more than ${maxRowCharacters} characters, or a quoted cell does not end`,
};

const switchOf = (text: string): boolean | null => {
  const word = text.trim().normalize('NFC').toLowerCase();
  return yes.has(word) ? true : no.has(word) ? false : null;
};

/** Groups rows into pages; a new page begins where the title changes. */
const pagesOf = (
  rows: readonly Row[],
  head: readonly (Column | null)[],
  problems: FileProblem[],
): FilePages => {
  const pages: FilePages = [];
  for (const { record, info } of rows) {
    if (problems.length >= maxFileProblems) break;
    const line = info.lines;
    const wrong = (place: Column | null, message: string) => void problems.push({ line, place, message });
    const cells: Partial<Record<Column, string>> = {};
    record.forEach((cell, i) => {
      const column = head[i] ?? null;
      if (column !== null) cells[column] = unguarded(cell);
      else if (cell.trim() !== '' && i >= head.length)
        wrong(null, `has ${record.length} cells under ${head.length} columns`);
    });
    for (const [column, max] of Object.entries(maxLengths) as [Column, number][])
      if (lengthOf(cells[column] ?? '') > max) wrong(column, `is longer than ${max} characters`);
    const { page: title = '', challenge = '', response = '', note = '' } = cells;
    const [isLine, selfDetected] = [switchOf(cells.line ?? ''), switchOf(cells.selfDetected ?? '')];
    if (isLine === null) wrong('line', 'must be yes or no');
    if (selfDetected === null) wrong('selfDetected', 'must be yes or no');
    if (pages.at(-1)?.title !== title) pages.push({ title, order: pages.length + 1, items: [] });
    const items: FilePages[number]['items'] = pages.at(-1)?.items ?? [];
    const isEmptyPage = columns.every((column) => column === 'page' || (cells[column] ?? '') === '');
    if (!isEmptyPage)
      items.push({
        challenge,
        order: items.length + 1,
        response,
        isLine: isLine ?? false,
        selfDetected: selfDetected ?? false,
        note: note === '' ? null : note,
      });
    if (items.length === maxItems + 1) wrong('page', `has more than ${maxItems} items`);
    if (pages.length === maxPages + 1 && items.length <= 1)
      wrong('page', `is one more than the ${maxPages} pages that a checklist may have`);
  }
  return pages;
};

const refused = (line: number | null, message: string): FileReading => ({
  problems: [{ line, place: null, message }],
});

/** Reads a checklist in CSV; reports at most 100 problems, each with its line. The caller limits the size. */
export const readChecklistCsv = (given: string): FileReading => {
  const separator = separatorOf(given.replace(/^\uFEFF/, ''));
  // An empty line replaces `sep=` to keep line numbers; old programs end a file with 0x1A.
  const text = given.replace(/^(\uFEFF?\s*)"?sep=[,;\t|:]"?/i, '$1').replace(/\p{Cc}+$/u, '');
  const wide = tooWideLine(text, separator);
  if (wide !== null) return refused(wide, `has more than ${maxCells} cells`);
  let rows: Row[];
  try {
    rows = parse(text, {
      bom: true,
      delimiter: separator,
      info: true,
      max_record_size: maxRowCharacters,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: maxRows + 2,
    }) as unknown as Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines, code } = error as CsvError & { lines?: number };
    const message = unreadable[code] ?? 'a quote is within a cell that is not quoted; write it as ""';
    return refused(lines ?? null, message);
  }
  const problems: FileProblem[] = [];
  const [first, ...items] = rows;
  // A single row may be an item in a file without column names.
  const head = first ? headOf(first, problems) : [];
  if (items.length === 0 && problems.length === 0)
    return refused(null, 'there are no rows below the names of the columns');
  if (items.length > maxRows)
    return refused(maxRows + 1, 'the file has more rows than a checklist has room for');
  const checklists = problems.length > 0 ? [] : pagesOf(items, head, problems);
  return problems.length > 0 ? { problems } : { file: { head: {}, document: { checklists } } };
};

const cell = (text: string): string => {
  const safe = guarded(text);
  return /[",;\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const word = (value: boolean): string => (value ? 'yes' : 'no');

/** RFC 4180 with a byte order mark, so that spreadsheets detect UTF-8. An empty page is a row with only its title. */
export const checklistCsv = ({ checklists }: ChecklistDocument): string => {
  const inOrder = <T extends { order: number }>(list: readonly T[]) =>
    list.toSorted((a, b) => a.order - b.order);
  const rows = inOrder(checklists).flatMap(({ title, items }) =>
    items.length === 0
      ? [[title, '', '', '', '', '']]
      : inOrder(items).map((item) => [
          title,
          item.challenge,
          item.response,
          word(item.isLine),
          word(item.selfDetected),
          item.note ?? '',
        ]),
  );
  return `\uFEFF${[[...columns], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
};
