/** The aerodromes of a briefing: weather and runways, takeoff and landing, NOTAM. */
import type { BriefingDocument, Fact } from '#domain/prints/content.ts';
import { contentWidth, ink, paper } from './page.ts';
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

/** A heading with a line below; returns where its content begins. */
export const headingPart = (page: Paper, text: string, { x, y }: Place, width: number): number => {
  page.write(text, { x, y, width }, heading);
  page.line(x, y + headingHeight, width);
  return y + headingHeight + 4;
};

export const headPart = (page: Paper, { title, facts }: BriefingDocument, x: number): number => {
  let y = paper.margin;
  y += page.write(title, { x, y, width: contentWidth }, { face: 'bold', size: 15, maxLines: 1 }) + 2;
  const text = facts.map(({ name, value }) => `${name} ${value}`).join('   ·   ');
  y += page.write(text, { x, y, width: contentWidth }, { colour: ink.soft, size: 8, maxLines: 2 });
  return y;
};

/** Facts with a column for their names; stops at `until`. */
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
export const airportsPart = (page: Paper, { airports }: BriefingDocument, { x, y }: Place): number => {
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

export const performancePart = (page: Paper, { performance }: BriefingDocument, { x, y }: Place): number => {
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

/**
 * NOTAM from index `from` in two columns down to `until`; returns the first one not shown. The second page counts the
 * rest.
 */
export const notamsPart = (
  page: Paper,
  { items, left }: BriefingDocument['notams'],
  place: Place & { until: number; from: number },
): number => {
  const isFirst = place.from === 0;
  const total = items.length + left;
  if (!isFirst && place.from >= total) return place.from;
  const title = isFirst ? `NOTAM at the times of use, with effect first (${total})` : 'NOTAM, continued';
  const top = headingPart(page, title, place, contentWidth);
  // The line with the number of omitted NOTAM.
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
