import type { Answer } from '#operator/verb.ts';
import { recordText, tableText } from './table.ts';
import type { Look, Printed } from './table.ts';

/** A human-readable answer. */
export const textOf = ({ data, text, heading, table, tables, record }: Answer, look: Look): Printed => {
  if (text !== undefined) return { text, isCut: false };
  if (tables) {
    const parts = Object.entries(tables).map(([title, rows]) => ({ title, ...tableText(rows, look) }));
    return {
      text: [heading ?? [], parts.map((part) => `${part.title}\n${part.text}`)].flat(2).join('\n\n'),
      isCut: parts.some((part) => part.isCut),
    };
  }
  if (table) return tableText(table, look);
  return { text: recordText(record ?? data, look) || 'done', isCut: false };
};
