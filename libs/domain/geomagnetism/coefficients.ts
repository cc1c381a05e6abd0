import model from './wmm2025.json' with { type: 'json' };

export interface FieldModel {
  name: string;
  /** Decimal year for which g and h hold. */
  epoch: number;
  validUntil: number;
  /** n, m, g, h (nT), change of g, change of h (nT a year). */
  rows: readonly (readonly [number, number, number, number, number, number])[];
}

/**
 * World Magnetic Model 2025, released 2024-11-13 by NOAA NCEI and BGS, public domain (work of the US
 * government). Replace its file with the next model; its numbers are not used anywhere else.
 */
export const wmm2025: FieldModel = { ...model, rows: model.rows as unknown as FieldModel['rows'] };
