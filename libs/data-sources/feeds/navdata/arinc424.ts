/** ARINC 424 records with 132 columns (FAA CIFP or operator files). Column numbers in comments start at 1. */
import { airacCycleById } from '#domain/navdata/airac.ts';
import type { AirwayPoint, NavdataSet } from '#domain/navdata/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { pointCollector } from './points.ts';
import type { PointInput } from './points.ts';

const recordPattern = /^[ST][A-Z]{3}[A-Z]/;

export const isArinc424 = (head: string): boolean =>
  /^HDR\d{2}/m.test(head) ||
  head.split(/\r?\n/).some((line) => recordPattern.test(line) && line.length >= 80);

/** `N37522460` and `W086183136`: degrees, minutes, seconds, hundredths. */
const coordinate = (text: string): number | null => {
  const match = /^([NSEW])(\d{2,3})(\d{2})(\d{4})$/.exec(text);
  if (!match) return null;
  const degrees = Number(match[2]) + Number(match[3]) / 60 + Number(match[4]) / 360_000;
  return match[1] === 'S' || match[1] === 'W' ? -degrees : degrees;
};

const columns = (line: string, from: number, to: number): string => line.slice(from - 1, to);

const place = (line: string, from: number) => ({
  latitudeDeg: coordinate(columns(line, from, from + 8)),
  longitudeDeg: coordinate(columns(line, from + 9, from + 18)),
});

const waypoint = (line: string): PointInput => ({
  ident: columns(line, 14, 18),
  name: columns(line, 99, 123),
  band: 'point',
  frequencyMhz: null,
  ...place(line, 33),
  region: columns(line, 20, 21),
});

const ndb = (line: string): PointInput => ({
  ident: columns(line, 14, 17),
  name: columns(line, 94, 118),
  band: 'lf',
  // Columns 23-27, in tenths of a kHz.
  frequencyMhz: Number(columns(line, 23, 27)) / 10_000,
  ...place(line, 33),
  region: columns(line, 20, 21),
});

const vhf = (line: string): PointInput => {
  const own = place(line, 33);
  // DME and TACAN records have only the DME position, columns 56-74.
  const position = own.latitudeDeg === null ? place(line, 56) : own;
  return {
    ident: columns(line, 14, 17),
    name: columns(line, 94, 118),
    band: 'vhf',
    // Columns 23-27, in units of 10 kHz.
    frequencyMhz: Number(columns(line, 23, 27)) / 100,
    ...position,
    region: columns(line, 20, 21),
  };
};

type Reader = (line: string) => PointInput;

/** Reader by section (column 5) and subsection (column 6, for airports 13). */
const readerOf = (line: string): Reader | 'airway' | null => {
  const section = line[4] ?? '';
  const subsection = section === 'P' ? (line[12] ?? '') : (line[5] ?? '');
  const code = `${section}${subsection}`;
  const readers: Readonly<Record<string, Reader | 'airway'>> = {
    EA: waypoint,
    PC: waypoint,
    'D ': vhf,
    DB: ndb,
    PN: ndb,
    ER: 'airway',
  };
  return readers[code] ?? null;
};

/** The primary record has 0 or 1 in its continuation column. */
const isPrimary = (line: string, column: number): boolean =>
  ['0', '1'].includes(columns(line, column, column));

/** Reads waypoints, navaids and airways. Throws SourceError when there are none. */
export const readArinc424 = (text: string): NavdataSet => {
  const found = pointCollector();
  const airways: AirwayPoint[] = [];
  let cycle: string | null = null;
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\r$/, '');
    if (line.startsWith('HDR01')) cycle = airacCycleById(columns(line, 36, 39))?.id ?? null;
    if (!recordPattern.test(line)) continue;
    const reader = readerOf(line);
    if (reader === 'airway') {
      if (!isPrimary(line, 39)) continue;
      airways.push({
        airway: columns(line, 14, 18).trim(),
        ident: columns(line, 30, 34).trim(),
        region: columns(line, 35, 36),
        latitudeDeg: null,
        longitudeDeg: null,
      });
    } else if (reader !== null && isPrimary(line, 22)) {
      found.add(reader(line), line);
    }
  }
  const set = found.set('arinc424', cycle, airways);
  if (set.points.length === 0 && airways.length === 0) {
    throw new SourceError('EMPTY', 'The ARINC 424 file has no waypoint, navaid or airway.');
  }
  return set;
};
