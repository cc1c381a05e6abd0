import type { GribGrid } from './types.ts';

/**
 * The order used in this code base: northernmost row first, westernmost column first, row by row. Returns
 * `values` itself when it is already in that order, else a new array.
 */
export const normaliseRows = (grid: GribGrid, values: Float32Array): Float32Array => {
  if (grid.scan === 0) return values;
  const { ni, nj, scan } = grid;
  const westward = (scan & 0x80) !== 0;
  const northward = (scan & 0x40) !== 0;
  const columnsFirst = (scan & 0x20) !== 0;
  const alternate = (scan & 0x10) !== 0;
  const out = new Float32Array(values.length);
  const inner = columnsFirst ? nj : ni;
  for (let k = 0; k < values.length; k++) {
    const line = Math.floor(k / inner);
    const along = alternate && line % 2 === 1 ? inner - 1 - (k % inner) : k % inner;
    const i = columnsFirst ? line : along;
    const j = columnsFirst ? along : line;
    out[(northward ? nj - 1 - j : j) * ni + (westward ? ni - 1 - i : i)] = values[k] ?? Number.NaN;
  }
  return out;
};

/** North edge and west edge of a grid in degrees, for the order of `normaliseRows`. */
export const northWest = (grid: GribGrid): { latDeg: number; lonDeg: number } => ({
  latDeg: grid.scan & 0x40 ? grid.lat2 : grid.lat1,
  lonDeg: grid.scan & 0x80 ? grid.lon2 : grid.lon1,
});
