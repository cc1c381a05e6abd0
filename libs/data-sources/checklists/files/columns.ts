/** Columns of a checklist as CSV: a row for each item, under the title of its page. */
import { maxNoteLength, maxTextLength } from '#domain/checklists/document.ts';

export const columns = ['page', 'challenge', 'response', 'line', 'selfDetected', 'note'] as const;
export type Column = (typeof columns)[number];

export const required: readonly Column[] = ['page', 'challenge', 'response'];

export const maxLengths: Readonly<Partial<Record<Column, number>>> = {
  page: maxTextLength,
  challenge: maxTextLength,
  response: maxTextLength,
  note: maxNoteLength,
};

/**
 * A spreadsheet would calculate a text that begins like a formula, also after white space and in full-width characters: such a
 * text has an apostrophe in the file.
 */
const isFormula = (text: string): boolean => /^'*[\s=+\-@]/.test(text.normalize('NFKC'));

export const guarded = (text: string): string => (isFormula(text) ? `'${text}` : text);

export const unguarded = (text: string): string =>
  text.startsWith("'") && isFormula(text) ? text.slice(1) : text;
