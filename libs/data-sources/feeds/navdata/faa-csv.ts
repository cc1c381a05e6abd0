/** FAA NASR subscription files (28-day cycle, public domain): FIX_BASE.csv, NAV_BASE.csv, AWY_SEG_ALT.csv. */
import { airacCycleAt } from '#domain/navdata/airac.ts';
import type { AirwayPoint, NavdataSet } from '#domain/navdata/types.ts';
import { numberOf, positionOf, readCsv, textOf } from '../csv.ts';
import type { CsvInput, CsvRow } from '../csv.ts';
import { pointCollector } from './points.ts';

type NasrFile = 'FIX_BASE' | 'NAV_BASE' | 'AWY_SEG_ALT';

const required: Readonly<Record<NasrFile, readonly string[]>> = {
  FIX_BASE: ['EFF_DATE', 'FIX_ID', 'LAT_DECIMAL', 'LONG_DECIMAL'],
  NAV_BASE: ['EFF_DATE', 'NAV_ID', 'NAV_TYPE', 'NAME', 'LAT_DECIMAL', 'LONG_DECIMAL', 'FREQ'],
  AWY_SEG_ALT: ['EFF_DATE', 'AWY_ID', 'FROM_POINT'],
};

/** The kind of file a header line belongs to, or null. */
export const nasrFileOf = (header: string): NasrFile | null => {
  const names = header.split(',').map((name) => name.replaceAll('"', '').trim());
  const files: readonly NasrFile[] = ['NAV_BASE', 'FIX_BASE', 'AWY_SEG_ALT'];
  return files.find((file) => required[file].every((name) => names.includes(name))) ?? null;
};

/** Test transmitters and markers are not navigation points. */
const unusable = new Set(['VOT', 'FAN MARKER', 'CONSOLAN']);

/** `2026/08/06`. */
const cycleOf = (date: string | undefined): string | null => {
  const match = /^(\d{4})[/-](\d\d)[/-](\d\d)$/.exec(date ?? '');
  if (!match) return null;
  return airacCycleAt(new Date(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])))).id;
};

/** NDB frequencies are in kHz, all others in MHz. */
const navaid = (row: CsvRow) => {
  const isNdb = (row['NAV_TYPE'] ?? '').includes('NDB');
  const frequency = numberOf(row['FREQ']);
  return {
    ident: row['NAV_ID'] ?? '',
    name: textOf(row['NAME']),
    band: isNdb ? ('lf' as const) : ('vhf' as const),
    frequencyMhz: frequency === null ? null : isNdb ? frequency / 1000 : frequency,
  };
};

const fix = (row: CsvRow) => ({
  ident: row['FIX_ID'] ?? '',
  name: null,
  band: 'point' as const,
  frequencyMhz: null,
  region: textOf(row['ICAO_REGION_CODE']),
});

/** Parses one of the files. Throws FeedFormatError for a damaged one. */
export const readNasrCsv = async (
  input: CsvInput,
  file: NasrFile,
  signal?: AbortSignal,
): Promise<NavdataSet> => {
  const found = pointCollector();
  const airways: AirwayPoint[] = [];
  let cycle: string | null = null;
  const options = { required: required[file], what: `${file}.csv`, ...(signal ? { signal } : {}) };
  for await (const row of readCsv(input, options)) {
    cycle ??= cycleOf(row['EFF_DATE']);
    if (file === 'AWY_SEG_ALT') {
      for (const ident of new Set([row['FROM_POINT'] ?? '', row['TO_POINT'] ?? ''])) {
        // Border crossings have long names and are not points.
        if (/^[A-Z0-9]{1,5}$/.test(ident)) {
          const airway = row['AWY_ID'] ?? '';
          airways.push({ airway, ident, region: null, latitudeDeg: null, longitudeDeg: null });
        }
      }
      continue;
    }
    if (unusable.has(row['NAV_TYPE'] ?? '')) continue;
    const position = positionOf(row['LAT_DECIMAL'], row['LONG_DECIMAL']);
    const place = {
      latitudeDeg: position?.latitudeDeg ?? null,
      longitudeDeg: position?.longitudeDeg ?? null,
    };
    found.add({ ...(file === 'FIX_BASE' ? fix(row) : navaid(row)), ...place }, JSON.stringify(row));
  }
  const source = { FIX_BASE: 'faa_fix', NAV_BASE: 'faa_nav', AWY_SEG_ALT: 'faa_awy' } as const;
  return found.set(source[file], cycle, airways);
};
