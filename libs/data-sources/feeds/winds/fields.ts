import type { GribField } from '../../grib/grib.ts';

/** Field of a level in the snapshot: 0 = u, 1 = v, 2 = temperature. */
export type WindFieldIndex = 0 | 1 | 2;

/** Requested levels, hPa ascending: 100 to 1000 as published, and two more up to FL675. */
export const wantedLevelsHpa: readonly number[] = [
  50, 70, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 925, 950, 975,
  1000,
];

const names: Readonly<Record<string, WindFieldIndex>> = { UGRD: 0, VGRD: 1, TMP: 2 };
const isobaricSurface = 100;

/** The snapshot field of a GRIB field, or null when there is none (other level, other parameter). */
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

/** The same for the texts of an inventory line (`UGRD`, `250 mb`). */
export const windFieldOfText = (
  variable: string,
  level: string,
): { index: WindFieldIndex; levelHpa: number } | null => {
  const index = names[variable];
  const match = /^(\d+(?:\.\d+)?) mb$/.exec(level);
  if (index === undefined || !match) return null;
  const levelHpa = Number(match[1]);
  return wantedLevelsHpa.includes(levelHpa) ? { index, levelHpa } : null;
};
