import type { ChecklistDocument } from '#domain/checklists/document.ts';
import { columns, guarded } from './columns.ts';

const cell = (text: string): string => {
  const safe = guarded(text);
  return /[",;\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

const yes = (value: boolean): string => (value ? 'yes' : 'no');

/** RFC 4180 with a byte order mark, by which spreadsheets know UTF-8. An empty page is a row with its title alone. */
export const checklistCsv = ({ checklists }: ChecklistDocument): string => {
  const inOrder = <T extends { order: number }>(list: readonly T[]) =>
    list.toSorted((a, b) => a.order - b.order);
  const rows = inOrder(checklists).flatMap(({ title, items }) =>
    items.length === 0
      ? [[title, '', '', '', '', '']]
      : inOrder(items).map((item) => [
          title,
          item.challenge,
          item.response,
          yes(item.isLine),
          yes(item.selfDetected),
          item.note ?? '',
        ]),
  );
  return `\uFEFF${[[...columns], ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
};
