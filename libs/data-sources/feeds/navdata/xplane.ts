/** X-Plane earth_fix.dat, earth_nav.dat and earth_awy.dat, versions 10 to 12, supplied by operators. */
import { airacCycleById } from '#domain/navdata/airac.ts';
import type { AirwayPoint, NavdataSet } from '#domain/navdata/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { pointCollector } from './points.ts';

/** First line: I or A, the byte order (Intel or Apple); second line: version with data cycle. */
const headPattern = /^\s*[IA]\s*\r?\n\s*(\d{3,4})\b([^\n]*)/;

export const isXPlane = (head: string): boolean => headPattern.test(head);

/** `data cycle 2608` or, in old files, `data cycle 2012.08`. */
const cycleOf = (headLine: string): string | null => {
  const match = /data cycle (\d{4})(?:\.(\d{2}))?/i.exec(headLine);
  if (!match) return null;
  const id = match[2] === undefined ? (match[1] ?? '') : `${(match[1] ?? '').slice(2)}${match[2]}`;
  return airacCycleById(id)?.id ?? null;
};

const isDecimal = (text: string | undefined): boolean => text !== undefined && /^[-+]?\d+\.\d+$/.test(text);
const ndb = 2;
const vor = 3;
/** Stand-alone DME or TACAN; row 12 is the DME of a VOR or ILS in a separate row. */
const loneDme = 13;

const navLine = (parts: readonly string[], withRegion: boolean) => {
  const row = Number(parts[0]);
  if (row !== ndb && row !== vor && row !== loneDme) return null;
  const frequency = Number(parts[4]);
  const name = parts.slice(withRegion ? 10 : 8).join(' ');
  return {
    ident: parts[7] ?? '',
    name,
    band: row === ndb ? ('lf' as const) : ('vhf' as const),
    frequencyMhz: row === ndb ? frequency / 1000 : frequency / 100,
    latitudeDeg: Number(parts[1]),
    longitudeDeg: Number(parts[2]),
    region: withRegion ? (parts[9] ?? null) : null,
  };
};

const fixLine = (parts: readonly string[]) => ({
  ident: parts[2] ?? '',
  name: parts.length > 6 ? parts.slice(6).join(' ').replaceAll('_', ' ') : null,
  band: 'point' as const,
  frequencyMhz: null,
  latitudeDeg: Number(parts[0]),
  longitudeDeg: Number(parts[1]),
  region: parts[4] ?? null,
});

const airwayNames = (text: string | undefined): string[] =>
  (text ?? '').split('-').filter((name) => name !== '');

const airwayLine = (parts: readonly string[]): AirwayPoint[] => {
  const old = isDecimal(parts[1]);
  const names = airwayNames(parts[old ? 9 : 10]);
  const number = (index: number): number | null => (old ? Number(parts[index]) : null);
  const ends = [0, 3].map((at) => ({
    ident: parts[at] ?? '',
    region: old ? null : (parts[at + 1] ?? null),
    latitudeDeg: number(at + 1),
    longitudeDeg: number(at + 2),
  }));
  return names.flatMap((airway) => ends.map((end) => ({ airway, ...end })));
};

type Kind = 'fix' | 'nav' | 'awy';

/** Several file types share version numbers, so the lines decide. */
const kindOf = (lines: readonly string[]): Kind | null => {
  for (const line of lines) {
    const [first, second, third] = line.split(/\s+/);
    if (isDecimal(first) && isDecimal(second)) return 'fix';
    if (/^\d{1,2}$/.test(first ?? '') && isDecimal(second) && isDecimal(third)) return 'nav';
    if (/^[A-Z0-9]{1,5}$/.test(first ?? '') && second !== undefined && first !== '99') return 'awy';
  }
  return null;
};

/** Parses any of the three files. Throws SourceError for other content or without usable lines. */
export const readXPlane = (text: string): NavdataSet => {
  const head = headPattern.exec(text);
  if (!head) throw new SourceError('WRONG_CONTENT', 'The file does not start like an X-Plane file.');
  const version = Number(head[1]);
  const cycle = cycleOf(head[2] ?? '');
  const lines = text
    .slice(head[0].length)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const kind = kindOf(lines);
  if (kind === null) throw new SourceError('EMPTY', `The X-Plane file of version ${version} has no records.`);
  const found = pointCollector();
  const airways: AirwayPoint[] = [];
  for (const line of lines) {
    if (line === '99') break;
    const parts = line.split(/\s+/);
    if (kind === 'fix') found.add(fixLine(parts), line);
    else if (kind === 'awy') airways.push(...airwayLine(parts));
    else {
      const navaid = navLine(parts, version >= 1_000);
      if (navaid) found.add(navaid, line);
    }
  }
  return found.set(`xplane_${kind}`, cycle, airways);
};
