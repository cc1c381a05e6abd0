import type { Answer } from './command.ts';

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return `${value.toISOString().slice(0, 16).replace('T', ' ')}Z`;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cell).join(' ');
  // Control characters of stored texts must not reach the terminal.
  return (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\p{Cc}+/gu, ' ');
};

/** A table with the names of the fields as its header. */
export const tableOf = (rows: readonly Readonly<Record<string, unknown>>[]): string => {
  const [first] = rows;
  if (!first) return 'none';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((value, i) => value.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** A human-readable answer. */
export const textOf = ({ data, text, table }: Answer): string => {
  if (text !== undefined) return text;
  if (table) return tableOf(table);
  const names = Object.keys(data);
  const width = Math.max(0, ...names.map((name) => name.length));
  const lines = names.map((name) => `${name.padEnd(width)}  ${cell(data[name])}`);
  return lines.length === 0 ? 'done' : lines.join('\n');
};
