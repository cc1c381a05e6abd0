/** A briefing as two pages of A4: what is left out for want of room is counted. */
import type { BriefingDocument, Fact, PrintedList } from '#domain/prints/content.ts';
import { bottom, contentWidth, ink, openPaper, paper } from './page.ts';
import type { Paper } from './page.ts';

interface Place {
  x: number;
  y: number;
}

const gutter = 16;
const half = (contentWidth - gutter) / 2;
const airportHeight = 205;
const alternatesHeight = 92;
const performanceHeight = 400;
const heading = { face: 'bold', size: 9.4, maxLines: 1 } as const;
const headingHeight = 14;

/** A heading with a line below; returns where its contents begin. */
const headingPart = (page: Paper, text: string, { x, y }: Place, width: number): number => {
  page.write(text, { x, y, width }, heading);
  page.line(x, y + headingHeight, width);
  return y + headingHeight + 4;
};

const headPart = (page: Paper, { title, facts }: BriefingDocument, x: number): number => {
  let y = paper.margin;
  y += page.write(title, { x, y, width: contentWidth }, { face: 'bold', size: 15, maxLines: 1 }) + 2;
  const text = facts.map(({ name, value }) => `${name} ${value}`).join('   ·   ');
  y += page.write(text, { x, y, width: contentWidth }, { colour: ink.soft, size: 8, maxLines: 2 });
  return y;
};

/** Names in a column of their own, `name` `value`; stops at `until`. */
const factsPart = (
  page: Paper,
  facts: readonly Fact[],
  box: Place & { width: number; until: number; nameWidth: number },
  maxLines = 9,
): number => {
  let { y } = box;
  for (const { name, value } of facts) {
    const maxHeight = box.until - y;
    page.write(name, { x: box.x, y, width: box.nameWidth - 4, maxHeight }, { colour: ink.soft, maxLines: 1 });
    const used = page.write(
      value,
      { x: box.x + box.nameWidth, y, width: box.width - box.nameWidth, maxHeight },
      { maxLines },
    );
    if (used === 0) break;
    y += used + 1.6;
  }
  return y;
};

/** Departure and destination side by side, alternates below. */
const airportsPart = (page: Paper, { airports }: BriefingDocument, { x, y }: Place): number => {
  const ends = airports.slice(0, 2).map(({ heading: text, lines }, i) => {
    const left = x + i * (half + gutter);
    const from = headingPart(page, text, { x: left, y }, half);
    return factsPart(page, lines, { x: left, y: from, width: half, until: y + airportHeight, nameWidth: 46 });
  });
  const below = Math.max(y, ...ends) + 6;
  const alternates = airports.slice(2);
  const shown = alternates.slice(0, 3);
  const width = (contentWidth - gutter * (shown.length - 1)) / (shown.length || 1);
  const lower = shown.map(({ heading: text, lines }, i) => {
    const left = x + i * (width + gutter);
    const from = headingPart(page, text, { x: left, y: below }, width);
    return factsPart(
      page,
      lines,
      { x: left, y: from, width, until: below + alternatesHeight, nameWidth: 46 },
      4,
    );
  });
  let end = Math.max(below, ...lower);
  const more = alternates.length - shown.length;
  if (more > 0)
    end += page.write(
      `${more} further alternates are left out.`,
      { x, y: end, width: contentWidth },
      { colour: ink.bad },
    );
  return end;
};

const performancePart = (page: Paper, { performance }: BriefingDocument, { x, y }: Place): number => {
  const ends = performance.map(({ heading: text, facts, problem }, i) => {
    const left = x + i * (half + gutter);
    const from = headingPart(page, text, { x: left, y }, half);
    const until = y + performanceHeight;
    if (problem === null)
      return factsPart(page, facts, { x: left, y: from, width: half, until, nameWidth: 84 }, 3);
    const box = { x: left, y: from, width: half, maxHeight: until - from };
    return from + page.write(problem, box, { colour: ink.tight, maxLines: 6 });
  });
  return Math.max(y, ...ends);
};

/** From the NOTAM `from` on, two columns down to `until`; returns the first that is not shown. On the second page what is left is counted. */
const notamsPart = (
  page: Paper,
  { items, left }: BriefingDocument['notams'],
  place: Place & { until: number; from: number },
): number => {
  const isFirst = place.from === 0;
  const total = items.length + left;
  if (!isFirst && place.from >= total) return place.from;
  const title = isFirst ? `NOTAM at the times of use, with effect first (${total})` : 'NOTAM, continued';
  const top = headingPart(page, title, place, contentWidth);
  // The line that counts what is left out.
  const until = place.until - 11;
  let next = place.from;
  for (const column of [0, 1]) {
    const x = place.x + column * (half + gutter);
    let y = top;
    for (let item = items[next]; item; item = items[next]) {
      const mark = item.effect === '' ? '' : ` · ${item.effect}`;
      const style = { size: 6.8, maxLines: item.effect === '' ? 3 : 7 };
      const textHeight = Math.min(page.heightOf(item.text, half, style), style.maxLines * 6.8 * 1.24);
      if (y + 10 + textHeight > until) break;
      y += page.write(
        `${item.heading}${mark}`,
        { x, y, width: half },
        { face: 'bold', size: 7, maxLines: 1, ...(mark === '' ? {} : { colour: ink.bad }) },
      );
      y += page.write(item.text, { x, y, width: half, maxHeight: until - y }, style) + 3;
      next += 1;
    }
  }
  const rest = total - next;
  const note = isFirst ? `${rest} more on page 2` : `${rest} NOTAM are left out here; the app has them all.`;
  if (total === 0)
    page.write('None is stored for these aerodromes and times.', { x: place.x, y: top, width: contentWidth });
  else if (rest > 0)
    page.write(
      note,
      { x: place.x, y: until, width: contentWidth },
      { colour: isFirst ? ink.soft : ink.bad, maxLines: 1 },
    );
  return next;
};

interface Item {
  heading: string;
  text: string;
  crosses?: boolean;
}

/** A list that ends at `until`, where what is left out is counted; returns where it ends. */
const listPart = (
  page: Paper,
  title: string,
  { items, left }: PrintedList<Item>,
  none: string,
  { x, y: top, width, until }: Place & { width: number; until: number },
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

/** Warnings, and below them reports of pilots, which have a third of the room at least. */
const hazardsPart = (
  page: Paper,
  { hazards, pireps }: BriefingDocument,
  box: Place & { width: number; until: number },
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
const legsGutter = 14;
const legStyle = { size: 6.8, maxLines: 1 } as const;

/** A table in two columns; the first cell is wider. */
const legsPart = (page: Paper, { legs }: BriefingDocument, { x, y: top }: Place): number => {
  if (!legs) return top;
  const y = headingPart(
    page,
    `Winds by leg${legs.note === '' ? '' : ` · ${legs.note}`}`,
    { x, y: top },
    contentWidth,
  );
  const perColumn = Math.ceil(legs.rows.length / 2);
  const width = (contentWidth - legsGutter) / 2;
  const cell = width / (legs.head.length + 0.6);
  const widthOf = (i: number): number => (i === 0 ? cell * 1.6 : cell);
  const leftOf = (i: number): number => (i === 0 ? 0 : cell * (i + 0.6));
  for (const column of [0, 1]) {
    const left = x + column * (width + legsGutter);
    const rows = legs.rows.slice(column * perColumn, (column + 1) * perColumn);
    if (rows.length === 0) continue;
    for (const [r, cells] of [legs.head, ...rows].entries())
      for (const [i, text] of cells.entries())
        page.write(
          text,
          { x: left + leftOf(i), y: y + r * rowHeight, width: widthOf(i) - 2 },
          { ...legStyle, align: i === 0 ? 'left' : 'right', ...(r === 0 ? { colour: ink.soft } : {}) },
        );
  }
  return y + (perColumn + 1) * rowHeight;
};

const pictureHeight = 312;
const pictureWidth = 330;

const footPart = (page: Paper, { notes, title }: BriefingDocument, number: 1 | 2): void => {
  const y = paper.height - paper.margin - 8;
  const style = { size: 6.4, colour: ink.soft, maxLines: 1 };
  page.line(paper.margin, y - 4, contentWidth);
  // It ends with the document's purpose, which must not be cut.
  page.write(notes.join(' · '), { x: paper.margin, y, width: contentWidth - 120 }, { ...style, maxLines: 2 });
  page.write(
    `${title} · ${number} of 2`,
    { x: paper.margin + contentWidth - 118, y, width: 118 },
    { ...style, align: 'right' },
  );
};

/** `picture`: the vertical profile as PNG; null without a route. */
export const briefingPdf = (document: BriefingDocument, picture: Buffer | null): Promise<Buffer> => {
  const page = openPaper({ title: `Briefing ${document.title}`, madeAt: document.madeAt });
  const { margin: x } = paper;
  page.nextPage();
  let y = headPart(page, document, x);
  y = airportsPart(page, document, { x, y: y + 8 });
  y = performancePart(page, document, { x, y: y + 8 });
  const shown = notamsPart(page, document.notams, { x, y: y + 8, until: bottom, from: 0 });
  footPart(page, document, 1);

  page.nextPage();
  y = x;
  if (picture) {
    page.picture(picture, { x, y, width: pictureWidth, height: pictureHeight });
    const right = { x: x + pictureWidth + 14, y, width: contentWidth - pictureWidth - 14 };
    hazardsPart(page, document, { ...right, until: y + pictureHeight });
    y += pictureHeight + 8;
  } else y = hazardsPart(page, document, { x, y, width: contentWidth, until: y + pictureHeight }) + 8;
  y = legsPart(page, document, { x, y });
  notamsPart(page, document.notams, { x, y: y + 8, until: bottom, from: shown });
  footPart(page, document, 2);
  return page.end();
};
