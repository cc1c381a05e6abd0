/** The route of a briefing: hazards beside the vertical profile, and winds by leg. */
import type { BriefingDocument, PrintedList } from '#domain/prints/content.ts';
import { headingPart } from './briefing-fields.ts';
import { contentWidth, ink } from './page.ts';
import type { Paper } from './page.ts';

interface Item {
  heading: string;
  text: string;
  crosses?: boolean;
}

/** A list down to `until`, with the number of omitted entries; returns where it ends. */
const listPart = (
  page: Paper,
  title: string,
  { items, left }: PrintedList<Item>,
  none: string,
  { x, y: top, width, until }: { x: number; y: number; width: number; until: number },
): number => {
  const total = items.length + left;
  let y = headingPart(page, `${title} (${total})`, { x, y: top }, width);
  if (total === 0) return y + page.write(none, { x, y, width });
  const end = until - 11;
  let shown = 0;
  for (const { heading, crosses = false, text } of items) {
    if (y + 22 > end) break;
    const colour = crosses ? ink.bad : ink.text;
    y += page.write(heading, { x, y, width }, { face: 'bold', size: 7, maxLines: 2, colour });
    y += page.write(text, { x, y, width, maxHeight: end - y }, { size: 6.6, maxLines: 5 }) + 3;
    shown += 1;
  }
  if (shown < total)
    page.write(`${total - shown} are left out here.`, { x, y: end, width }, { colour: ink.bad, maxLines: 1 });
  return Math.min(until, y);
};

/** Warnings, and below them pilot reports, which get at least a third of the room. */
export const hazardsPart = (
  page: Paper,
  { hazards, pireps }: BriefingDocument,
  box: { x: number; y: number; width: number; until: number },
): number => {
  const until = box.until - (box.until - box.y) / 3;
  const end = listPart(page, 'Hazards on the way', hazards, 'No SIGMET or AIRMET is crossed or near.', {
    ...box,
    until,
  });
  return listPart(page, 'Reports of pilots near the route', pireps, 'None of the last 3 hours.', {
    ...box,
    y: end + 8,
  });
};

const rowHeight = 8.8;
const gutter = 14;
const style = { size: 6.8, maxLines: 1 } as const;

/** A two-column table; the first cell is wider. */
export const legsPart = (
  page: Paper,
  { legs }: BriefingDocument,
  { x, y: top }: { x: number; y: number },
): number => {
  if (!legs) return top;
  const y = headingPart(
    page,
    `Winds by leg${legs.note === '' ? '' : ` · ${legs.note}`}`,
    { x, y: top },
    contentWidth,
  );
  const perColumn = Math.ceil(legs.rows.length / 2);
  const width = (contentWidth - gutter) / 2;
  const cell = width / (legs.head.length + 0.6);
  const widthOf = (i: number): number => (i === 0 ? cell * 1.6 : cell);
  const leftOf = (i: number): number => (i === 0 ? 0 : cell * (i + 0.6));
  for (const column of [0, 1]) {
    const left = x + column * (width + gutter);
    const rows = legs.rows.slice(column * perColumn, (column + 1) * perColumn);
    if (rows.length === 0) continue;
    for (const [r, cells] of [legs.head, ...rows].entries())
      for (const [i, text] of cells.entries())
        page.write(
          text,
          { x: left + leftOf(i), y: y + r * rowHeight, width: widthOf(i) - 2 },
          { ...style, align: i === 0 ? 'left' : 'right', ...(r === 0 ? { colour: ink.soft } : {}) },
        );
  }
  return y + (perColumn + 1) * rowHeight;
};
