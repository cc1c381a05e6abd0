import { shownOf } from '#operator/verb.ts';
import type { Answer } from '#operator/verb.ts';
import { recordText, tableText } from './table.ts';
import type { Look, Printed } from './table.ts';

/** A human-readable answer. */
export const textOf = (answer: Answer, look: Look): Printed => {
  const { text, heading, table, tables = {}, record, secrets } = shownOf(answer);
  if (text !== undefined) return { text, isCut: false };
  if (table) return tableText(table, look);
  const parts = Object.entries(tables).map(([title, rows]) => ({ title, ...tableText(rows, look) }));
  return {
    text:
      [
        heading,
        recordText({ ...record, ...secrets }, look),
        ...parts.map((part) => `${part.title}\n${part.text}`),
      ]
        .filter(Boolean)
        .join('\n\n') || 'done',
    isCut: parts.some((part) => part.isCut),
  };
};
