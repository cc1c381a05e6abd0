import type { Answer } from '#operator/verb.ts';
import { recordText, tableText } from './table.ts';
import type { Look, Printed } from './table.ts';

/** A human-readable answer. */
export const textOf = (
  { data, text, heading, table, tables = {}, record, secrets }: Answer,
  look: Look,
): Printed => {
  if (text !== undefined) return { text, isCut: false };
  if (table) return tableText(table, look);
  const parts = Object.entries(tables).map(([title, rows]) => ({ title, ...tableText(rows, look) }));
  const shown = record ?? (parts.length === 0 ? data : {});
  return {
    text:
      [
        heading,
        recordText({ ...shown, ...secrets }, look),
        ...parts.map((part) => `${part.title}\n${part.text}`),
      ]
        .filter(Boolean)
        .join('\n\n') || 'done',
    isCut: parts.some((part) => part.isCut),
  };
};
