/** A briefing on two A4 pages, with the number of entries that did not fit. */
import type { BriefingDocument, Fact, PrintedList } from '#domain/prints/content.ts';
import { bottom, contentWidth, ink, openPaper, paper } from './page.ts';
import type { Paper, Style } from './page.ts';

interface Box {
  x: number;
  y: number;
  width: number;
  until: number;
}

const { margin: left } = paper;
const gutter = 16;
const airportHeight = 205;
const alternatesHeight = 92;
const performanceHeight = 400;
const pictureHeight = 312;
const pictureWidth = 330;
/** Height of the line that counts omitted entries. */
const noteHeight = 11;

const wholeWidth = (y: number, until = bottom): Box => ({ x: left, y, width: contentWidth, until });

const sideBySide = (count: number, y: number, until: number): Box[] => {
  const width = (contentWidth - gutter * (count - 1)) / count;
  return Array.from({ length: count }, (_, i) => ({ x: left + i * (width + gutter), y, width, until }));
};

/** Texts one below the other, down to the end of the box. */
const openColumn = (page: Paper, { x, y: top, width, until }: Box) => {
  let y = top;
  return {
    y: (): number => y,
    room: (): number => until - y,
    heading: (text: string): void => {
      page.write(text, { x, y, width }, { face: 'bold', size: 9.4, maxLines: 1 });
      page.line(x, y + 14, width);
      y += 18;
    },
    write: (text: string, style: Style = {}, gap = 0): void => {
      y += page.write(text, { x, y, width, maxHeight: until - y }, style) + gap;
    },
    /** Names in a separate column; entries without room are left out. */
    facts: (facts: readonly Fact[], nameWidth: number, maxLines: number): void => {
      for (const { name, value } of facts) {
        const maxHeight = until - y;
        page.write(name, { x, y, width: nameWidth - 4, maxHeight }, { colour: ink.soft, maxLines: 1 });
        const box = { x: x + nameWidth, y, width: width - nameWidth, maxHeight };
        const used = page.write(value, box, { maxLines });
        if (used === 0) break;
        y += used + 1.6;
      }
    },
  };
};

const headPart = (page: Paper, { title, facts }: BriefingDocument): number => {
  const column = openColumn(page, wholeWidth(left));
  column.write(title, { face: 'bold', size: 15, maxLines: 1 }, 2);
  const text = facts.map(({ name, value }) => `${name} ${value}`).join('   ·   ');
  column.write(text, { colour: ink.soft, size: 8, maxLines: 2 });
  return column.y();
};

/** Departure and destination side by side, alternates below. */
const airportsPart = (page: Paper, { airports }: BriefingDocument, y: number): number => {
  const parts = (boxes: readonly Box[], shown: BriefingDocument['airports'], maxLines: number) =>
    shown.map(({ heading, lines }, i) => {
      const column = openColumn(page, boxes[i] ?? wholeWidth(y));
      column.heading(heading);
      column.facts(lines, 46, maxLines);
      return column.y();
    });
  const below = Math.max(y, ...parts(sideBySide(2, y, y + airportHeight), airports.slice(0, 2), 9)) + 6;
  const alternates = airports.slice(2);
  const shown = alternates.slice(0, 3);
  const lower = parts(sideBySide(shown.length, below, below + alternatesHeight), shown, 4);
  const column = openColumn(page, wholeWidth(Math.max(below, ...lower)));
  const more = alternates.length - shown.length;
  if (more > 0) column.write(`${more} further alternates are left out.`, { colour: ink.bad });
  return column.y();
};

const performancePart = (page: Paper, { performance }: BriefingDocument, y: number): number => {
  const boxes = sideBySide(2, y, y + performanceHeight);
  const ends = performance.map(({ heading, facts, problem }, i) => {
    const column = openColumn(page, boxes[i] ?? wholeWidth(y));
    column.heading(heading);
    if (problem === null) column.facts(facts, 84, 4);
    else column.write(problem, { colour: ink.tight, maxLines: 6 });
    return column.y();
  });
  return Math.max(y, ...ends);
};

/**
 * NOTAM from index `from` on, in two columns; returns the first one not shown. The second page counts the
 * rest.
 */
const notamsPart = (
  page: Paper,
  { items, left: unread }: BriefingDocument['notams'],
  { y, from }: { y: number; from: number },
): number => {
  const isFirst = from === 0;
  const total = items.length + unread;
  if (!isFirst && from >= total) return from;
  const head = openColumn(page, wholeWidth(y));
  head.heading(isFirst ? `NOTAM at the times of use, with effect first (${total})` : 'NOTAM, continued');
  if (total === 0) head.write('None is stored for these aerodromes and times.');
  let next = from;
  for (const box of sideBySide(2, head.y(), bottom - noteHeight)) {
    const column = openColumn(page, box);
    for (let item = items[next]; item; item = items[next]) {
      const { heading, effect, text } = item;
      const style = { size: 6.8, maxLines: effect === '' ? 3 : 7 };
      const textHeight = Math.min(page.heightOf(text, box.width, style), style.maxLines * 6.8 * 1.24);
      if (10 + textHeight > column.room()) break;
      const title = { face: 'bold', size: 7, maxLines: 1 } as const;
      if (effect === '') column.write(heading, title);
      else column.write(`${heading} · ${effect}`, { ...title, colour: ink.bad });
      column.write(text, style, 3);
      next += 1;
    }
  }
  const rest = total - next;
  const note = isFirst ? `${rest} more on page 2` : `${rest} NOTAM are left out here; the app has them all.`;
  const colour = isFirst ? ink.soft : ink.bad;
  if (rest > 0)
    page.write(note, { x: left, y: bottom - noteHeight, width: contentWidth }, { colour, maxLines: 1 });
  return next;
};

interface Item {
  heading: string;
  text: string;
  crosses?: boolean;
}

/** A list clipped to its box, with a count of omitted entries; returns its lower edge. */
const listPart = (
  page: Paper,
  title: string,
  { items, left: unread }: PrintedList<Item>,
  none: string,
  box: Box,
): number => {
  const total = items.length + unread;
  const until = box.until - noteHeight;
  const column = openColumn(page, { ...box, until });
  column.heading(`${title} (${total})`);
  if (total === 0) column.write(none);
  let shown = 0;
  for (const { heading, crosses = false, text } of items) {
    if (column.room() < 22) break;
    const colour = crosses ? ink.bad : ink.text;
    column.write(heading, { face: 'bold', size: 7, maxLines: 2, colour });
    column.write(text, { size: 6.6, maxLines: 5 }, 3);
    shown += 1;
  }
  if (shown < total)
    page.write(`${total - shown} are left out here.`, { ...box, y: until }, { colour: ink.bad, maxLines: 1 });
  return Math.min(box.until, column.y());
};

/** Warnings, and below them pilot reports, which get at least a third of the room. */
const hazardsPart = (page: Paper, { hazards, pireps }: BriefingDocument, box: Box): number => {
  const upper = { ...box, until: box.until - (box.until - box.y) / 3 };
  const none = 'No SIGMET or AIRMET is crossed or near.';
  const end = listPart(page, 'Hazards on the way', hazards, none, upper);
  const lower = { ...box, y: end + 8 };
  return listPart(page, 'Reports of pilots near the route', pireps, 'None of the last 3 hours.', lower);
};

const rowHeight = 8.8;

/** A two-column table; the first cell is wider. */
const legsPart = (page: Paper, { legs }: BriefingDocument, top: number): number => {
  if (!legs) return top;
  const { note, head, rows } = legs;
  const title = openColumn(page, wholeWidth(top));
  title.heading(`Winds by leg${note === '' ? '' : ` · ${note}`}`);
  const perColumn = Math.ceil(rows.length / 2);
  for (const [column, { x, y, width }] of sideBySide(2, title.y(), bottom).entries()) {
    const cell = width / (head.length + 0.6);
    const shown = rows.slice(column * perColumn, (column + 1) * perColumn);
    if (shown.length === 0) continue;
    for (const [r, cells] of [head, ...shown].entries())
      for (const [i, text] of cells.entries()) {
        const at = { x: x + (i === 0 ? 0 : cell * (i + 0.6)), y: y + r * rowHeight };
        const colour = r === 0 ? ink.soft : ink.text;
        const style = { size: 6.8, maxLines: 1, colour, align: i === 0 ? 'left' : 'right' } as const;
        page.write(text, { ...at, width: (i === 0 ? cell * 1.6 : cell) - 2 }, style);
      }
  }
  return title.y() + (perColumn + 1) * rowHeight;
};

const footPart = (page: Paper, { notes, title }: BriefingDocument, number: 1 | 2): void => {
  const y = paper.height - left - 8;
  const style = { size: 6.4, colour: ink.soft, maxLines: 1 };
  page.line(left, y - 4, contentWidth);
  // The notes end with the document's purpose, which must not be cut.
  page.write(notes.join(' · '), { x: left, y, width: contentWidth - 120 }, { ...style, maxLines: 2 });
  const right = { x: left + contentWidth - 118, y, width: 118 };
  page.write(`${title} · ${number} of 2`, right, { ...style, align: 'right' });
};

/** `picture`: the vertical profile as PNG; null without a route. */
export const briefingPdf = (document: BriefingDocument, picture: Buffer | null): Promise<Buffer> => {
  const page = openPaper({ title: `Briefing ${document.title}`, madeAt: document.madeAt });
  page.nextPage();
  const head = headPart(page, document);
  const airports = airportsPart(page, document, head + 8);
  const performance = performancePart(page, document, airports + 8);
  const shown = notamsPart(page, document.notams, { y: performance + 8, from: 0 });
  footPart(page, document, 1);

  page.nextPage();
  const until = left + pictureHeight;
  let y = until + 8;
  if (picture) {
    page.picture(picture, { x: left, y: left, width: pictureWidth, height: pictureHeight });
    const x = left + pictureWidth + 14;
    hazardsPart(page, document, { x, y: left, width: contentWidth - pictureWidth - 14, until });
  } else y = hazardsPart(page, document, wholeWidth(left, until)) + 8;
  y = legsPart(page, document, y);
  notamsPart(page, document.notams, { y: y + 8, from: shown });
  footPart(page, document, 2);
  return page.end();
};
