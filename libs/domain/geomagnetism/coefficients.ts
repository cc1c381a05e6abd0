import model from './wmm2025.json' with { type: 'json' };

interface FieldModel {
  name: string;
  /** Decimal year for which g and h hold. */
  epoch: number;
  validUntil: number;
  /** n, m, g, h (nT), and annual change of g and h (nT). */
  rows: readonly (readonly [number, number, number, number, number, number])[];
}

/**
 * World Magnetic Model 2025, released 2024-11-13 by NOAA NCEI and BGS, public domain (US government). Replace its file
 * when the next model is released; its numbers occur nowhere else.
 */
export const wmm2025: FieldModel = { ...model, rows: model.rows as unknown as FieldModel['rows'] };
