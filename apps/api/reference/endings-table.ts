/** The table of what ends what in docs/users.md, between two marks, with columns as wide as the formatter makes them. */
import { accessEvents, fateOf, handedOut } from '#domain/access/endings.ts';
import type { AccessEvent, HandedOut } from '#domain/access/endings.ts';

const marks = ['<!-- what ends what: generated -->', '<!-- end of what ends what -->'] as const;

const events = Object.keys(accessEvents) as AccessEvent[];
const words = { ends: 'ends', waits: 'waits', stays: '' } as const;

const table = (): string => {
  const head = ['Handed out before', ...events.map((event) => accessEvents[event])];
  const rows = Object.entries(handedOut).map(([what, text]) => [
    text,
    ...events.map((event) => words[fateOf(event, what as HandedOut)]),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
};

/** The page with its table replaced; a test compares it with the committed file. */
export const withEndings = (page: string): string => {
  const [from, to] = marks.map((mark) => page.indexOf(mark));
  if (from === undefined || to === undefined || from < 0 || to < from)
    throw new Error('docs/users.md has no place for the table of what ends what');
  return `${page.slice(0, from)}${marks[0]}\n\n${table()}\n\n${page.slice(to)}`;
};
