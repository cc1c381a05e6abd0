/**
 * SNOWTAM in the global reporting format (ICAO Doc 10066, appendix 4): a line per runway with time (MMDDhhmm), lower
 * designator, codes, coverage (percent), depth (mm) and condition of each third.
 */
import { addSeconds } from '../../time.ts';
import { buildNotam } from '../icao.ts';
import type { Notam, NotamReject } from '../types.ts';
import { contaminantAt } from './contaminants.ts';
import type { Deposit, ReportedCode } from './contaminants.ts';
import { stripOf } from './report.ts';
import type { SurfaceReading, SurfaceThird } from './report.ts';
import { timeNear } from './year.ts';

const third = String.raw`(?:\d{1,3}|NR)`;
const thirds = `(${third})/(${third})/(${third})`;
const line = new RegExp(
  String.raw`\b(\d{2})(\d{2})(\d{2})(\d{2}) (\d{2}[LCR]?) ([0-6])/([0-6])/([0-6])(?: ${thirds})?(?: ${thirds})?(?: ((?:NR|[A-Z][A-Z ]{2,60})/(?:NR|[A-Z][A-Z ]{2,60})/(?:NR|[A-Z][A-Z ]{1,60})))?`,
  'g',
);

/** No SNOWTAM is longer. */
const maxLength = 8_000;

const numberOf = (text: string | undefined): number | null =>
  text === undefined || text === 'NR' ? null : Number(text);

const depositOf = (
  words: string | undefined,
  coverage: string | undefined,
  depth: string | undefined,
): Deposit | null => {
  const found = words === undefined ? null : contaminantAt(words);
  return (
    found && {
      contaminant: found.contaminant,
      coveragePercent: numberOf(coverage),
      depthMm: numberOf(depth),
    }
  );
};

/** The lines of a SNOWTAM, its time near `near` (ISO 8601), since it has no year. */
export const readSnowtam = (text: string, near: string): SurfaceReading => {
  const found: SurfaceReading = { reports: [], unread: [] };
  for (const [sentence, month, day, hour, minute, lower = '', ...rest] of text.matchAll(line)) {
    const [codes, coverages, depths] = [rest.slice(0, 3), rest.slice(3, 6), rest.slice(6, 9)];
    const conditions = (rest[9] ?? '').split('/');
    const observedAt = timeNear(Number(month), [day, hour, minute].map(Number), near);
    const thirdAt = (index: number): SurfaceThird => {
      const deposit = depositOf(conditions[index], coverages[index], depths[index]);
      const code = Number(codes[index]) as ReportedCode;
      return { code, isCodeReported: true, deposits: deposit ? [deposit] : [] };
    };
    if (observedAt === null) found.unread.push(sentence);
    else
      found.reports.push({
        format: 'SNOWTAM',
        runways: stripOf(lower),
        thirds: [thirdAt(0), thirdAt(1), thirdAt(2)],
        observedAt,
        text: sentence.trim(),
      });
  }
  if (found.reports.length + found.unread.length === 0) found.unread.push(text.slice(0, 200));
  return found;
};

const head = /^(?:SW[A-Z]{2}\d{4} [A-Z]{4} \d{8}\s+)?\(?SNOWTAM (\d{4})\s+([A-Z]{4})\s/;
const validHours = 8;

/** Reads a whole SNOWTAM; it is valid for eight hours from its latest line. Its year is the one nearest to `now`. */
export const parseSnowtam = (raw: string, now: Date): Notam | NotamReject => {
  const plain = raw.slice(0, maxLength).toUpperCase();
  const [, number = '', location = ''] = head.exec(plain) ?? [];
  if (number === '') return { reason: 'not a SNOWTAM', raw };
  const text = plain
    .slice(plain.indexOf('SNOWTAM'))
    .replace(/\s+/g, ' ')
    .replace(/\)\s*$/, '')
    .trim();
  const times = readSnowtam(text, now.toISOString()).reports.map(({ observedAt }) => observedAt);
  const latest = times.toSorted().at(-1);
  if (latest === undefined) return { reason: 'no runway of the SNOWTAM was understood', raw };
  const to = addSeconds(new Date(latest), validHours * 3_600).toISOString();
  return buildNotam({
    number: `SNOWTAM ${number}`,
    office: null,
    type: 'N',
    replaces: null,
    format: 'icao',
    issuer: `${location}:${latest.slice(0, 4)}`,
    qLine: null,
    locations: [location],
    from: { utc: times.toSorted()[0] ?? latest, isEstimated: false },
    to: { utc: to, isEstimated: false },
    scheduleRaw: null,
    text,
    lowerLimit: null,
    upperLimit: null,
    raw,
  });
};
