/**
 * SNOWTAM in the global reporting format (ICAO Doc 10066, appendix 4): a line per runway with time (MMDDhhmm), lower
 * designator, codes, coverage (percent), depth (mm) and condition of each third.
 */
import { contaminantAt } from './contaminants.ts';
import type { ReportedCode } from './contaminants.ts';
import { stripOf } from './report.ts';
import type { SurfaceReading, SurfaceThird } from './report.ts';
import { timeNear } from '../time.ts';
import { everyPattern } from '../vocabulary.ts';

const third = String.raw`(?:\d{1,3}|NR)`;
const thirds = `(${third})/(${third})/(${third})`;
const line = everyPattern`\b(\d{2})(\d{2})(\d{2})(\d{2}) (\d{2}[LCR]?) ([0-6])/([0-6])/([0-6])(?: ${thirds})?(?: ${thirds})?(?: ((?:NR|[A-Z][A-Z ]{2,60})/(?:NR|[A-Z][A-Z ]{2,60})/(?:NR|[A-Z][A-Z ]{1,60})))?`;

/** The start of a runway line, whether or not the rest is understood. */
const head = /\b\d{8} \d{2}[LCR]? [^ ]{0,20}/g;

const numberOf = (text: string | undefined): number | null =>
  text === undefined || text === 'NR' ? null : Number(text);

/** Reads the lines of a SNOWTAM; `near` (ISO 8601) determines the missing year. */
export const readSnowtam = (text: string, near: string): SurfaceReading => {
  const out: SurfaceReading = { reports: [], unread: [] };
  const lines = [...text.matchAll(line)];
  const isRead = (at: number): boolean => lines.some(({ index }) => index === at);
  for (const { 0: start, index } of text.matchAll(head)) if (!isRead(index)) out.unread.push(start);
  for (const [sentence, month, day, hour, minute, lower = '', ...rest] of lines) {
    const [codes, coverages, depths] = [rest.slice(0, 3), rest.slice(3, 6), rest.slice(6, 9)];
    const conditions = (rest[9] ?? '').split('/');
    const observedAt = timeNear(Number(month), [day, hour, minute].map(Number), near);
    const thirdAt = (index: number): SurfaceThird => {
      const found = contaminantAt(conditions[index] ?? '');
      const deposits = found
        ? [
            {
              contaminant: found.contaminant,
              coveragePercent: numberOf(coverages[index]),
              depthMm: numberOf(depths[index]),
            },
          ]
        : [];
      const code = Number(codes[index]) as ReportedCode;
      return { code, isCodeReported: true, deposits };
    };
    if (observedAt === null) out.unread.push(sentence);
    else
      out.reports.push({
        format: 'SNOWTAM',
        runways: stripOf(lower),
        thirds: [thirdAt(0), thirdAt(1), thirdAt(2)],
        observedAt,
        text: sentence.trim(),
      });
  }
  if (out.reports.length + out.unread.length === 0) out.unread.push(text.slice(0, 200));
  return out;
};
