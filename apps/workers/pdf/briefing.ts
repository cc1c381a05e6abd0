/** A briefing on two A4 pages, with the number of entries that did not fit. */
import type { BriefingDocument } from '#domain/prints/content.ts';
import { hazardsPart, legsPart } from './briefing-route.ts';
import { airportsPart, headPart, notamsPart, performancePart } from './briefing-fields.ts';
import { bottom, contentWidth, ink, openPaper, paper } from './page.ts';
import type { Paper } from './page.ts';

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
