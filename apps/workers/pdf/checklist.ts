/** A checklist on A4 in two columns: its pages with their items, on as many sheets as needed. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PrintedChecklist } from '#domain/prints/content.ts';
import { bottom, contentWidth, ink, openPaper, paper } from './page.ts';
import type { Paper } from './page.ts';

const gutter = 18;
const columnWidth = (contentWidth - gutter) / 2;
const challengeWidth = columnWidth * 0.58;
const responseWidth = columnWidth - challengeWidth - 6;
const size = 8.4;
const title = { face: 'bold', size: 10 } as const;
const note = { size: 6.8, colour: ink.soft } as const;

type Item = PrintedChecklist['pages'][number]['items'][number];

const inOrder = <T extends { order: number }>(list: readonly T[]) =>
  list.toSorted((a, b) => a.order - b.order);

const itemHeight = (page: Paper, { challenge, response, note: text }: Item): number =>
  Math.max(
    page.heightOf(challenge || ' ', challengeWidth, { size }),
    page.heightOf(response || ' ', responseWidth, { size, face: 'bold' }),
  ) +
  (text ? page.heightOf(text, columnWidth, note) : 0) +
  4;

const writeItem = (page: Paper, item: Item, { x, y }: { x: number; y: number }): void => {
  const response = { x: x + challengeWidth + 6, y, width: responseWidth };
  const first = Math.max(
    page.write(item.challenge, { x, y, width: challengeWidth }, { size }),
    page.write(item.response, response, { size, face: 'bold', align: 'right' }),
  );
  const second = item.note ? page.write(item.note, { x, y: y + first, width: columnWidth }, note) : 0;
  // The part above a line is completed first.
  if (item.isLine) page.line(x, y + first + second + 2, columnWidth);
};

const footPart = (page: Paper, { name, version }: PrintedChecklist, sheet: number): void => {
  const y = paper.height - paper.margin - 8;
  const style = { size: 6.4, colour: ink.soft, maxLines: 1 };
  page.line(paper.margin, y - 4, contentWidth);
  page.write(`${name}, version ${version}`, { x: paper.margin, y, width: contentWidth - 80 }, style);
  const right = { x: paper.margin + contentWidth - 78, y, width: 78 };
  page.write(`Sheet ${sheet}`, right, { ...style, align: 'right' });
};

const headPart = (page: Paper, { name, version, description, aircraftTypes }: PrintedChecklist): number => {
  const box = { x: paper.margin, width: contentWidth };
  let y = paper.margin;
  y += page.write(name, { ...box, y }, { face: 'bold', size: 15, maxLines: 2 });
  const facts = [`Version ${version}`, aircraftTypes.join(', ')].filter(Boolean).join(' · ');
  y += page.write(facts, { ...box, y }, { size: 7.6, colour: ink.soft, maxLines: 2 });
  if (description) y += page.write(description, { ...box, y: y + 2 }, { size: 7.6, maxLines: 3 }) + 2;
  page.line(paper.margin, y + 4, contentWidth);
  return y + 12;
};

/** Yields to other work after each sheet. */
export const checklistPdf = async (checklist: PrintedChecklist): Promise<Buffer> => {
  const page = openPaper({ title: checklist.name, madeAt: checklist.madeAt });
  let sheet = 0;
  let top = 0;
  let column = 1;
  let y = 0;
  const nextColumn = async (): Promise<void> => {
    column += 1;
    if (column < 2) {
      y = top;
      return;
    }
    await nextTurn();
    page.nextPage();
    sheet += 1;
    column = 0;
    top = sheet === 1 ? headPart(page, checklist) : paper.margin;
    y = top;
    footPart(page, checklist, sheet);
  };
  await nextColumn();
  const x = (): number => paper.margin + column * (columnWidth + gutter);
  for (const { title: heading, items } of inOrder(checklist.pages)) {
    const sorted = inOrder(items);
    const [first] = sorted;
    const headHeight = page.heightOf(heading || ' ', columnWidth, title) + 6;
    if (y + headHeight + (first ? itemHeight(page, first) : 0) > bottom) await nextColumn();
    y += page.write(heading, { x: x(), y, width: columnWidth }, title) + 2;
    page.line(x(), y, columnWidth);
    y += 4;
    for (const item of sorted) {
      const height = itemHeight(page, item);
      if (y + height > bottom) await nextColumn();
      writeItem(page, item, { x: x(), y });
      y += height;
    }
    y += 8;
  }
  return page.end();
};
