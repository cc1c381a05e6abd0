/** Tables of the operator's command line, fitted to the terminal. */
import { styleText } from 'node:util';
import stringWidth from 'string-width';
import wrapAnsi from 'wrap-ansi';
import { cellOf } from './cell.ts';

export interface Look {
  /** Width of the terminal; null: nothing is wrapped or cut, for pipes and files. */
  columns: number | null;
  isStyled: boolean;
}

export interface Printed {
  text: string;
  /** Cells were shortened to fit. */
  isCut: boolean;
}

type Row = Readonly<Record<string, unknown>>;

const gap = '  ';
/** A column is not made narrower than this; where that is not enough, each row becomes a list. */
const narrowest = 12;
const linesOfCell = 2;

const padded = (text: string, width: number): string =>
  text + ' '.repeat(Math.max(0, width - stringWidth(text)));

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The beginning of a text, with an ellipsis, in at most this number of columns. */
const shortened = (text: string, width: number): string => {
  let kept = '';
  for (const { segment } of segments.segment(text)) {
    if (stringWidth(kept + segment) >= width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
};

const wrapped = (text: string, width: number): Printed & { lines: string[] } => {
  const lines = wrapAnsi(text, width, { hard: true }).split('\n');
  const isCut = lines.length > linesOfCell;
  if (isCut)
    lines.splice(linesOfCell - 1, Infinity, shortened(lines.slice(linesOfCell - 1).join(' '), width));
  return { text, isCut, lines };
};

/** Times and numbers are not wrapped. */
const isRigid = (rows: readonly Row[], name: string): boolean =>
  rows.every((row) => typeof row[name] !== 'string' && !Array.isArray(row[name]));

/** The greatest width of the other columns with which the whole table fits; null when that is too little. */
const widestColumn = (
  widths: readonly number[],
  rigid: readonly boolean[],
  columns: number,
): number | null => {
  const room = columns - gap.length * (widths.length - 1);
  for (let limit = Math.max(...widths); limit >= narrowest; limit -= 1) {
    const sum = widths.reduce((all, width, i) => all + (rigid[i] ? width : Math.min(width, limit)), 0);
    if (sum <= room) return limit;
  }
  return null;
};

/** Names and values below each other, the values indented to one column. */
export const recordText = (record: Row, { columns }: Pick<Look, 'columns'>): string => {
  const width = Math.max(0, ...Object.keys(record).map((name) => stringWidth(name)));
  const room = columns === null ? null : Math.max(narrowest, columns - width - gap.length);
  return Object.entries(record)
    .map(([name, value]) => {
      const text = cellOf(value);
      const lines = room === null ? [text] : wrapAnsi(text, room, { hard: true }).split('\n');
      return `${padded(name, width)}${gap}${lines.join(`\n${' '.repeat(width + gap.length)}`)}`;
    })
    .join('\n');
};

/** Rows under the names of their fields; as records where the terminal is too narrow for a table. */
export const tableText = (rows: readonly Row[], look: Look): Printed => {
  const [first] = rows;
  if (!first) return { text: 'none', isCut: false };
  const names = Object.keys(first);
  const cells = rows.map((row) => names.map((name) => cellOf(row[name])));
  const natural = names.map((name, i) =>
    Math.max(stringWidth(name), ...cells.map((line) => stringWidth(line[i] ?? ''))),
  );
  const rigid = names.map((name) => isRigid(rows, name));
  const limit = look.columns === null ? Infinity : widestColumn(natural, rigid, look.columns);
  if (limit === null) {
    const text = rows.map((row) => recordText(row, look)).join('\n\n');
    return { text, isCut: false };
  }
  const widths = natural.map((width, i) => (rigid[i] ? width : Math.min(width, limit)));
  let isCut = false;
  const lineOf = (line: readonly string[]): string[] => {
    const parts = line.map((text, i) => {
      if (limit === Infinity) return [text];
      const { lines, isCut: isShorter } = wrapped(text, widths[i] ?? limit);
      isCut ||= isShorter;
      return lines;
    });
    return Array.from({ length: Math.max(...parts.map((part) => part.length)) }, (_, row) =>
      parts
        .map((part, i) => padded(part[row] ?? '', widths[i] ?? 0))
        .join(gap)
        .trimEnd(),
    );
  };
  const header = lineOf(names).map((line) =>
    look.isStyled ? styleText('bold', line, { validateStream: false }) : line,
  );
  const text = [...header, ...cells.flatMap(lineOf)].join('\n');
  return { text, isCut };
};
