import type { GribField } from '../../grib/message.ts';

/** Index of a field within a level: 0 = u, 1 = v, 2 = temperature. */
export type WindFieldIndex = 0 | 1 | 2;

/** Requested levels, hPa ascending: the published 100 to 1000, and two more up to FL675. */
export const wantedLevelsHpa: readonly number[] = [
  50, 70, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 925, 950, 975,
  1000,
];

/** The 21 levels of the products that have always been published. */
export const alwaysPublishedHpa = wantedLevelsHpa.filter((level) => level >= 100);

const names: Readonly<Record<string, WindFieldIndex>> = { UGRD: 0, VGRD: 1, TMP: 2 };
const isobaricSurface = 100;

/** Index and level of a GRIB field in the snapshot; null for other levels or parameters. */
export const windFieldOf = (field: GribField): { index: WindFieldIndex; levelHpa: number } | null => {
  if (field.discipline !== 0 || field.level.type !== isobaricSurface || field.level.value === null)
    return null;
  const levelHpa = Math.round(field.level.value) / 100;
  if (!wantedLevelsHpa.includes(levelHpa)) return null;
  if (field.category === 2 && field.number === 2) return { index: 0, levelHpa };
  if (field.category === 2 && field.number === 3) return { index: 1, levelHpa };
  if (field.category === 0 && field.number === 0) return { index: 2, levelHpa };
  return null;
};

/** The same for inventory texts (`UGRD`, `250 mb`). */
const windFieldOfText = (
  variable: string,
  level: string,
): { index: WindFieldIndex; levelHpa: number } | null => {
  const index = names[variable];
  const match = /^(\d+(?:\.\d+)?) mb$/.exec(level);
  if (index === undefined || !match) return null;
  const levelHpa = Number(match[1]);
  return wantedLevelsHpa.includes(levelHpa) ? { index, levelHpa } : null;
};

/** One line in the inventory of a GRIB2 file. */
interface IdxRecord {
  offset: number;
  /** Offset of the next message, null for the last one. */
  end: number | null;
  cycleMs: number;
  variable: string;
  level: string;
  forecast: string;
}

/** Octets to fetch: `end` is exclusive, null = to the end of the file. */
export interface ByteRange {
  start: number;
  end: number | null;
}

const maxLines = 20_000;
const linePattern = /^\d+(?:\.\d+)?:(\d{1,15}):d=(\d{4})(\d{2})(\d{2})(\d{2}):([^:]*):([^:]*):([^:]*):?/;

/**
 * Parses an inventory (`n:offset:d=YYYYMMDDHH:VAR:LEVEL:FORECAST:`). Fields in one message share an offset, so a
 * message ends at the next larger offset. Other lines are skipped: an HTML page gives an empty list.
 */
export const parseIdx = (text: string): IdxRecord[] => {
  const records: Omit<IdxRecord, 'end'>[] = [];
  for (const line of text.split(/\r?\n/, maxLines)) {
    const match = linePattern.exec(line);
    if (!match) continue;
    const part = (n: number): number => Number(match[n]);
    records.push({
      offset: part(1),
      cycleMs: Date.UTC(part(2), part(3) - 1, part(4), part(5)),
      variable: match[6] ?? '',
      level: match[7] ?? '',
      forecast: match[8] ?? '',
    });
  }
  const offsets = [...new Set(records.map((record) => record.offset))].sort((a, b) => a - b);
  const next = new Map(offsets.map((offset, i) => [offset, offsets[i + 1] ?? null]));
  return records.map((record) => ({ ...record, end: next.get(record.offset) ?? null }));
};

/** Forecast hour from an inventory text: `anl` is 0, `6 hour fcst` is 6; null for intervals and others. */
const forecastHourOf = (text: string): number | null => {
  if (text === 'anl') return 0;
  const match = /^(\d+) hour fcst$/.exec(text);
  return match ? Number(match[1]) : null;
};

/** Key of a field in completeness checks, `index@level`. */
export const fieldKey = (index: WindFieldIndex, levelHpa: number): string => `${index}@${levelHpa}`;

/** Fields that an hour must have. */
export const requiredKeys = alwaysPublishedHpa.flatMap((level) =>
  ([0, 1, 2] as const).map((index) => fieldKey(index, level)),
);

/** The wanted winds and temperatures for one hour of one cycle, with their keys. */
export const wantedRecords = (
  records: readonly IdxRecord[],
  cycleMs: number,
  hour: number,
): (IdxRecord & { key: string })[] =>
  records.flatMap((record) => {
    if (record.cycleMs !== cycleMs || forecastHourOf(record.forecast) !== hour) return [];
    const field = windFieldOfText(record.variable, record.level);
    return field ? [{ ...record, key: fieldKey(field.index, field.levelHpa) }] : [];
  });

/** Ranges that cover the records; gaps up to `maxGap` octets are included to save requests. */
export const byteRanges = (
  records: readonly Pick<IdxRecord, 'offset' | 'end'>[],
  maxGap: number,
): ByteRange[] => {
  const sorted = [...records].sort((a, b) => a.offset - b.offset);
  const ranges: ByteRange[] = [];
  for (const { offset, end } of sorted) {
    const last = ranges.at(-1);
    if (last && (last.end === null || offset - last.end <= maxGap)) {
      last.end = last.end === null || end === null ? null : Math.max(last.end, end);
    } else ranges.push({ start: offset, end });
  }
  return ranges;
};
