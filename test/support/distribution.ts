/**
 * How tables would be distributed in a database divided by user. docs/scaling.md states it, and is compared with the
 * migrated database and the statements in the sources.
 */
import type { Statement } from './typed-rows.ts';

/** Names in the lists and the table's first column of a section of docs/scaling.md. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(/`([\w./-]+)`/g)].map(([, name = '']) => name);

/** The text below a heading, up to the next one. */
export const sectionOf = (text: string, heading: string): string => {
  const start = text.indexOf(`${heading}\n`);
  if (start < 0) throw new Error(`there is no "${heading}"`);
  const rest = text.slice(start + heading.length);
  const end = rest.search(/\n#{2,} /);
  return end < 0 ? rest : rest.slice(0, end);
};

const named = /\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:ONLY\s+)?(\w+)/gi;
/** Compared with something, or stored in the row. */
const carried = new RegExp(
  [
    String.raw`user_id\s*(?:=|IN\b)`,
    String.raw`=\s*(?:\w+\.)?user_id\b`,
    String.raw`INSERT INTO \w+(?: AS \w+)? \([^)]*\buser_id\b`,
    String.raw`(?:USING|ON CONFLICT) \(user_id`,
  ].join('|'),
  'i',
);

/** Number of statements per file that name one of these tables without a user's id. */
export const withoutUser = (
  statements: readonly Statement[],
  tables: ReadonlySet<string>,
): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { file, texts } of statements) {
    const isAskedOfAll = (text: string) =>
      [...text.matchAll(named)].some(([, table = '']) => tables.has(table.toLowerCase())) &&
      !carried.test(text);
    if (texts.some(isAskedOfAll)) counts[file] = (counts[file] ?? 0) + 1;
  }
  return counts;
};
