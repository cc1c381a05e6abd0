/** FAA navigation data (28-day cycle, public domain) as prepared JSON: navaids, fixes or airways. */
import { z } from 'zod';
import { airacCycleAt } from '#domain/navdata/airac.ts';
import type { AirwayPoint, NavdataSet, NavdataSource } from '#domain/navdata/types.ts';
import { SourceError } from '#domain/source-error.ts';
import { parseSourceJson } from '../../weather/source-json.ts';
import { pointCollector } from './points.ts';
import type { PointInput } from './points.ts';

const recordsSchema = z.object({
  meta: z.object({ nasrCycleDate: z.string() }),
  records: z.array(z.record(z.string(), z.unknown())).min(1),
});

type Row = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

/** Test transmitters and markers are unsuitable for navigation. */
const unusable = new Set(['VOT', 'FAN_MARKER']);

const cycleOf = (date: string): string | null => {
  const time = new Date(`${date.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(time.getTime()) ? null : airacCycleAt(time).id;
};

const collected = (
  rows: readonly Row[],
  read: (row: Row) => PointInput | null,
  source: NavdataSource,
  cycle: string | null,
): NavdataSet => {
  const found = pointCollector();
  for (const row of rows) {
    const point = read(row);
    if (point) found.add(point, JSON.stringify(row));
  }
  return found.set(source, cycle);
};

const navaidOf = (row: Row): PointInput | null => {
  if (unusable.has(text(row['type']))) return null;
  const khz = number(row['frequencyKhz']);
  return {
    ident: text(row['identifier']),
    name: text(row['name']),
    band: khz === null ? 'vhf' : 'lf',
    frequencyMhz: khz === null ? number(row['frequencyMhz']) : khz / 1000,
    latitudeDeg: number(row['lat']),
    longitudeDeg: number(row['lon']),
  };
};

const fixOf = (row: Row): PointInput => ({
  ident: text(row['identifier']),
  name: null,
  band: 'point',
  frequencyMhz: null,
  latitudeDeg: number(row['lat']),
  longitudeDeg: number(row['lon']),
  region: text(row['icaoRegionCode']),
});

const airwayRowsSchema = z.array(
  z.object({ designation: z.string(), waypoints: z.array(z.record(z.string(), z.unknown())) }),
);

const airways = (rows: readonly Row[], cycle: string | null): NavdataSet => {
  const parsed = airwayRowsSchema.safeParse(rows);
  if (!parsed.success) throw new SourceError('WRONG_CONTENT', 'The airway file has no waypoints.');
  const list = parsed.data.flatMap(({ designation, waypoints }) =>
    waypoints.flatMap((point): AirwayPoint[] => {
      const ident = text(point['identifier']);
      if (ident === '') return [];
      // Regions differ between FAA files; positions do not.
      return [
        {
          airway: designation,
          ident,
          region: null,
          latitudeDeg: number(point['lat']),
          longitudeDeg: number(point['lon']),
        },
      ];
    }),
  );
  return { source: 'faa_awy', cycle, points: [], airways: list, rejects: [] };
};

/** Identifies FAA files by their fields. Throws SourceError. */
export const readFaaNavdata = (json: string): NavdataSet => {
  const document = parseSourceJson(json, 'The navigation file');
  const asRecords = recordsSchema.safeParse(document);
  if (!asRecords.success) {
    throw new SourceError('WRONG_CONTENT', 'The navigation file has no records with a cycle.');
  }
  const rows = asRecords.data.records;
  const cycle = cycleOf(asRecords.data.meta.nasrCycleDate);
  const [first = {}] = rows;
  if ('waypoints' in first) return airways(rows, cycle);
  if ('useCode' in first || 'icaoRegionCode' in first) return collected(rows, fixOf, 'faa_fix', cycle);
  if ('identifier' in first && 'type' in first) return collected(rows, navaidOf, 'faa_nav', cycle);
  throw new SourceError('WRONG_CONTENT', 'The records are neither navaids, fixes nor airways.');
};
