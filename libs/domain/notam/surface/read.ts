/** Reads what a NOTAM says of runway surfaces. */
import { parseNotamTime } from '../time.ts';
import type { Notam } from '../types.ts';
import { readThirds } from './deposits.ts';
import { stripOf } from './report.ts';
import type { SurfaceReading, SurfaceReport } from './report.ts';
import { readSnowtam } from './snowtam.ts';
import { timeNear } from './year.ts';

type Read = Pick<Notam, 'text' | 'fromUtc'>;

const ident = String.raw`\d{1,2}[LCR]?`;
const ficon = new RegExp(String.raw`\bRWY (${ident}(?:/${ident})?) FICON ([^]{1,400}?) ?OBS AT (\d{10})\b`);
const rsc = new RegExp(String.raw`\bRSC (${ident}(?:/${ident})?) ([^]{1,400}?)\.(?: |$)`, 'g');
const time = String.raw`([A-Z]{3}) (\d{2}) (\d{2})(\d{2})\b`;
const valid = new RegExp(String.raw`\bVALID ${time}(?: ?- ?${time})?`, 'g');
const months = 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC';
/** No report is longer. */
const maxLength = 8_000;

const reading = (
  report: Omit<SurfaceReport, 'thirds' | 'observedAt'>,
  words: string,
  at: string | null,
): SurfaceReading => {
  const thirds = readThirds(words.trim());
  return thirds && at !== null
    ? { reports: [{ ...report, thirds, observedAt: at }], unread: [] }
    : { reports: [], unread: [report.text] };
};

const readFicon = (text: string): SurfaceReading => {
  const found = ficon.exec(text);
  if (!found) return { reports: [], unread: [text] };
  const [sentence, strip = '', words = '', observed = ''] = found;
  const report = { format: 'FICON', runways: stripOf(strip), text: sentence } as const;
  return reading(report, words, parseNotamTime(observed)?.utc ?? null);
};

const readRsc = (text: string, { fromUtc }: Read): SurfaceReading => {
  const timeOf = ([month = '', ...rest]: readonly string[]) =>
    timeNear(months.indexOf(month) / 3 + 1, rest.map(Number), fromUtc);
  const times = [...text.matchAll(valid)].map(([, ...parts]) => ({
    start: timeOf(parts.slice(0, 4)),
    end: timeOf(parts.slice(4)),
  }));
  const read = [...text.matchAll(rsc)].map(([sentence, strip = '', words = ''], index) => {
    const { start, end } = times[index] ?? times[0] ?? { start: fromUtc, end: null };
    const until = end === null ? {} : { validUntil: end };
    return reading({ format: 'RSC', runways: stripOf(strip), text: sentence.trim(), ...until }, words, start);
  });
  if (read.length === 0) return { reports: [], unread: [text.slice(0, 200)] };
  return { reports: read.flatMap(({ reports }) => reports), unread: read.flatMap(({ unread }) => unread) };
};

/** Reports of runway surfaces in a NOTAM; mostly none. */
export const readSurface = (notam: Read): SurfaceReading => {
  const text = notam.text.slice(0, maxLength).replace(/\s+/g, ' ').toUpperCase();
  if (text.startsWith('SNOWTAM ')) return readSnowtam(text, notam.fromUtc);
  if (/\bRWY \S{1,9} FICON\b/.test(text)) return readFicon(text);
  if (/^RSC \d/.test(text)) return readRsc(text, notam);
  return { reports: [], unread: [] };
};
