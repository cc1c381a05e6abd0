/** Answers as texts: records and tables, fitted to the terminal. */
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { shownOf, titleOf } from '#operator/shown.ts';
import type { Answer, Row } from '#operator/verb.ts';

interface Look {
  /** Width of the terminal; null: nothing is wrapped or cut, for pipes and files. */
  columns: number | null;
  isStyled: boolean;
}

const gap = '  ';
/** A column is not made narrower than this; where that is not enough, each row becomes a list. */
const narrowest = 12;

/** Without control characters, nor those that reverse the rest of the line: stored texts must not steer the terminal. */
const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return `${value.toISOString().slice(0, 16).replace('T', ' ')}Z`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cellOf).join(' ');
  return (typeof value === 'string' ? value : JSON.stringify(value)).replace(
    /[\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu,
    ' ',
  );
};

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));

/** A text of at most `width` columns; a longer one ends with an ellipsis. */
const shortened = (text: string, width: number): string => {
  if (stringWidth(text) <= width) return text;
  const [kept = ''] = wrapAnsi(text, width - 1, { hard: true, wordWrap: false, trim: false }).split('\n');
  return `${kept.trimEnd()}…`;
};

/** Names and values below each other, the values indented to one column. */
export const recordText = (record: Row, { columns }: Pick<Look, 'columns'>): string => {
  const width = Math.max(0, ...Object.keys(record).map((name) => stringWidth(name)));
  const indent = ' '.repeat(width + gap.length);
  const fitted = (text: string): string =>
    columns === null ? text : wrapAnsi(text, Math.max(narrowest, columns - indent.length), { hard: true });
  return Object.entries(record)
    .map(([name, value]) => padded(name, width) + gap + fitted(cellOf(value)).replaceAll('\n', `\n${indent}`))
    .join('\n');
};

/** Rows under the names of their fields; as records where the terminal is too narrow for a table. */
export const tableText = (rows: readonly Row[], look: Look): string => {
  const names = Object.keys(rows[0] ?? {});
  if (names.length === 0) return 'none';
  const lines = [names, ...rows.map((row) => names.map((name) => cellOf(row[name])))];
  const widths = names.map((_, i) => Math.max(...lines.map((line) => stringWidth(line[i] ?? ''))));
  // The widest texts give way; times and numbers do not.
  const texts = names.map((name) => rows.some((row) => typeof row[name] === 'string'));
  let excess =
    widths.reduce((sum, width) => sum + width + gap.length, -gap.length) - (look.columns ?? Infinity);
  for (; excess > 0; excess -= 1) {
    const widest = Math.max(...widths.filter((_, i) => texts[i]));
    if (widest <= narrowest) return rows.map((row) => recordText(row, look)).join('\n\n');
    widths[widths.findIndex((width, i) => texts[i] && width === widest)] = widest - 1;
  }
  const [header = '', ...others] = lines.map((line) =>
    line
      .map((text, i) => padded(shortened(text, widths[i] ?? 0), widths[i] ?? 0))
      .join(gap)
      .trimEnd(),
  );
  const styled = look.isStyled ? styleText('bold', header, { validateStream: false }) : header;
  return [styled, ...others].join('\n');
};

/** A human-readable answer. */
export const textOf = (answer: Answer, look: Look): string => {
  const { text, record, tables } = shownOf(answer);
  const lists = Object.entries(tables);
  const hasRecord = Object.keys(record).length > 0;
  const isOnly = lists.length === 1 && !hasRecord;
  const sections = [
    ...(hasRecord ? [recordText(record, look)] : []),
    ...lists.map(([name, rows]) => `${isOnly ? '' : `${titleOf(name)}\n`}${tableText(rows, look)}`),
  ];
  return text ?? (sections.join('\n\n') || 'Done.');
};
