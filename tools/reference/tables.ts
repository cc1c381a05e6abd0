/** Markdown tables, and pages with a generated part. */

/** With column widths as the formatter sets them. */
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [head, widths.map((width) => '-'.repeat(width)), ...rows].map(line).join('\n');
};

/** The page with the part between two marks replaced; a test compares it with the committed file. */
export const withPart = (page: string, name: string, part: string): string => {
  const marks = [`<!-- ${name}: generated -->`, `<!-- end of ${name} -->`] as const;
  const [from, to] = marks.map((mark) => page.indexOf(mark));
  if (from === undefined || to === undefined || from < 0 || to < from)
    throw new Error(`the page has no place for the table of ${name}`);
  return `${page.slice(0, from)}${marks[0]}\n\n${part}\n\n${page.slice(to)}`;
};
