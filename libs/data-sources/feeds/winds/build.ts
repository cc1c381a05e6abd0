import {
  fieldsPerLevel,
  forecastHours,
  isGlobal,
  missingValue,
  packTemperature,
  packWind,
} from '#domain/winds/snapshot.ts';
import type { WindGrid, WindSnapshot } from '#domain/winds/snapshot.ts';
import { decodeNorthWest, northWest } from '../../grib/decode.ts';
import type { GribField } from '../../grib/message.ts';
import { SourceError } from '#domain/source-error.ts';
import { wantedLevelsHpa, windFieldOf } from './idx.ts';
import type { WindFieldIndex } from './idx.ts';

/** Grid increment of the stored cycle; finer grids are decimated to it, coarser ones are stored unchanged. */
const storedDeg = 1;
const maxStoredPoints = 65_160 * 4;
/** Number of grids and cycles that one collection may hold at once. */
const maxGroups = 8;

/** Model names in answers, by originating centre. */
const sourceNames: Readonly<Record<number, string>> = { 7: 'NOAA GFS' };

/** Hours of one cycle from one centre on one grid, while being read. */
interface Group {
  cycleMs: number;
  centre: number;
  grid: WindGrid;
  thinning: number;
  hours: Map<number, { data: Int16Array; present: Set<number> }>;
}

export interface CycleBuilder {
  /** Adds a field if it is a wanted wind or temperature. */
  add: (field: GribField) => void;
  /** The snapshot, which may lack hours. Throws SourceError when there is none. */
  finish: () => WindSnapshot;
}

/**
 * Collects GRIB fields into an int16 snapshot. Fields of different cycles or grids are kept separate and the
 * most complete group wins (then the newest cycle, then the finest grid). Grids finer than one degree are
 * decimated by taking every n-th point, which is how the publisher creates its coarser files.
 */
export const createCycleBuilder = (): CycleBuilder => {
  const groups = new Map<string, Group>();
  let scratch = new Float32Array(0);

  const add = (field: GribField): void => {
    const wanted = windFieldOf(field);
    if (wanted === null || !forecastHours.includes(field.forecastHour)) return;
    const group = groupOf(groups, field);
    const hour = hourOf(group, field.forecastHour);
    if (scratch.length < field.points) scratch = new Float32Array(field.points);
    const values = decodeNorthWest(field, scratch);
    const level = wantedLevelsHpa.indexOf(wanted.levelHpa);
    store(group, hour.data, values, field, level, wanted.index);
    hour.present.add(level * fieldsPerLevel + wanted.index);
  };

  const finish = (): WindSnapshot => {
    const [best] = [...groups.values()].sort(
      (a, b) =>
        b.hours.size - a.hours.size || b.cycleMs - a.cycleMs || b.grid.ni * b.grid.nj - a.grid.ni * a.grid.nj,
    );
    if (!best) throw new SourceError('CORRUPT', 'no winds on isobaric levels for hours 0 to 48');
    return snapshotOf(best);
  };

  return { add, finish };
};

const groupOf = (groups: Map<string, Group>, field: GribField): Group => {
  const { grid, thinning } = storedGrid(field);
  const key = `${field.referenceTimeMs} ${field.centre} ${Object.values(grid).join(' ')}`;
  const known = groups.get(key);
  if (known) return known;
  if (groups.size >= maxGroups)
    throw new SourceError('CORRUPT', `more than ${maxGroups} cycles and grids in one delivery`);
  const group: Group = {
    cycleMs: field.referenceTimeMs,
    centre: field.centre,
    grid,
    thinning,
    hours: new Map(),
  };
  groups.set(key, group);
  return group;
};

/** The grid as stored, and the number of source points per stored step. */
const storedGrid = (field: GribField): { grid: WindGrid; thinning: number } => {
  const { ni, nj, di, dj, uvRelativeToGrid } = field.grid;
  if (uvRelativeToGrid)
    throw new SourceError('CORRUPT', 'winds relative to the grid instead of true north are refused');
  const { latDeg, lonDeg } = northWest(field.grid);
  const factor = Math.round(storedDeg / di);
  const divides = factor > 1 && ni % factor === 0 && (nj - 1) % factor === 0 && Math.abs(di - dj) < 1e-6;
  const thinning = divides ? factor : 1;
  const grid: WindGrid = {
    ni: ni / thinning,
    nj: (nj - 1) / thinning + 1,
    northDeg: latDeg,
    westDeg: lonDeg,
    diDeg: di * thinning,
    djDeg: dj * thinning,
  };
  if (grid.ni < 2 || grid.nj < 2 || grid.ni * grid.nj > maxStoredPoints || !(di > 0) || !(dj > 0))
    throw new SourceError('CORRUPT', `a grid of ${ni} x ${nj} points cannot be stored`);
  return { grid, thinning };
};

const hourOf = (group: Group, hour: number): { data: Int16Array; present: Set<number> } => {
  const known = group.hours.get(hour);
  if (known) return known;
  const { ni, nj } = group.grid;
  const data = new Int16Array(ni * nj * wantedLevelsHpa.length * fieldsPerLevel).fill(missingValue);
  const made = { data, present: new Set<number>() };
  group.hours.set(hour, made);
  return made;
};

const valuesPerColumn = wantedLevelsHpa.length * fieldsPerLevel;
const wind = { min: -150, max: 150, pack: packWind };
/** u, v and T in plausible limits; values beyond them mean a damaged or mislabelled file. */
const kinds = [
  { name: 'u', ...wind },
  { name: 'v', ...wind },
  { name: 'T', min: 150, max: 340, pack: packTemperature },
] as const;

const store = (
  group: Group,
  data: Int16Array,
  values: Float32Array,
  field: GribField,
  level: number,
  index: WindFieldIndex,
): void => {
  const { ni, nj } = group.grid;
  const { thinning } = group;
  const rowStride = field.grid.ni * thinning;
  const { name, min, max, pack } = kinds[index];
  const mayMiss = !isGlobal(group.grid);
  let at = level * fieldsPerLevel + index;
  for (let row = 0; row < nj; row++) {
    let from = row * rowStride;
    for (let column = 0; column < ni; column++, from += thinning, at += valuesPerColumn) {
      const value = values[from] ?? Number.NaN;
      if (!(value >= min && value <= max) && !(mayMiss && Number.isNaN(value)))
        throw new SourceError(
          'CORRUPT',
          `${value} at point ${from} of ${name} at ${wantedLevelsHpa[level]} hPa, hour ${field.forecastHour}`,
        );
      data[at] = pack(value);
    }
  }
};

/** Levels with all three fields in every hour. */
const commonLevels = (group: Group): number[] =>
  wantedLevelsHpa
    .map((_, level) => level)
    .filter((level) =>
      [...group.hours.values()].every(({ present }) =>
        [0, 1, 2].every((index) => present.has(level * fieldsPerLevel + index)),
      ),
    );

const snapshotOf = (group: Group): WindSnapshot => {
  const hours = [...group.hours.keys()].sort((a, b) => a - b);
  const levels = commonLevels(group);
  if (levels.length < 2)
    throw new SourceError('GUARD', 'fewer than two levels have u, v and temperature in every hour');
  const header = {
    cycleMs: group.cycleMs,
    source: sourceNames[group.centre] ?? `centre ${group.centre}`,
    stepsHours: hours,
    levelsHpa: levels.map((level) => wantedLevelsHpa[level] ?? 0),
    grid: group.grid,
  };
  const steps = hours.map((hour) => compact(hourOf(group, hour).data, levels));
  return { header, steps };
};

/** Drops levels that were not published. */
const compact = (data: Int16Array, levels: readonly number[]): Int16Array => {
  if (levels.length * fieldsPerLevel === valuesPerColumn) return data;
  const column = levels.length * fieldsPerLevel;
  const points = data.length / valuesPerColumn;
  const out = new Int16Array(points * column);
  let to = 0;
  for (let point = 0; point < points; point++) {
    const from = point * valuesPerColumn;
    for (const level of levels) {
      const at = from + level * fieldsPerLevel;
      out[to] = data[at] ?? missingValue;
      out[to + 1] = data[at + 1] ?? missingValue;
      out[to + 2] = data[at + 2] ?? missingValue;
      to += fieldsPerLevel;
    }
  }
  return out;
};
