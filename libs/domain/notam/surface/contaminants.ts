/**
 * Runway contaminants in the terms of SNOWTAM (ICAO Doc 10066, global reporting format), FICON (FAA) and RSC (NAV
 * CANADA), and their codes in the runway condition assessment matrix (ICAO Circular 355, TC AC 300-019).
 */
import type { Code, DispatchCondition } from '../../weather/condition-names.ts';
import { pattern } from '../vocabulary.ts';

/** Runway condition code; with 0 (braking nil) there are no performance figures. */
export type ReportedCode = Code | 0;

interface Matrix {
  words: RegExp;
  /** Code of a layer of up to 3 mm; the other is for a thicker layer or one of unknown depth. */
  thin: ReportedCode;
  thick: ReportedCode;
  /** Condition name in requests of `performance`. */
  dispatch: DispatchCondition;
}

const snow = 'S(?:NOW|N)';
const on = '(?:ON TOP OF|OVER|ON)';

const row = (text: string, thin: ReportedCode, thick: ReportedCode, dispatch: DispatchCondition): Matrix => ({
  words: pattern`^(?:PATCHY |THIN )?(?:${text})\b`,
  thin,
  thick,
  dispatch,
});

/** Longer terms first. */
const matrix = {
  DRY_SNOW_ON_COMPACTED_SNOW: row(`DRY ${snow} ${on} COMPACTED ${snow}`, 3, 3, 'DRY_SNOW'),
  WET_SNOW_ON_COMPACTED_SNOW: row(`WET ${snow} ${on} COMPACTED ${snow}`, 3, 3, 'WET_SNOW'),
  DRY_SNOW_ON_ICE: row(`DRY ${snow} ${on} ICE`, 0, 0, 'ICE'),
  WET_SNOW_ON_ICE: row(`WET ${snow} ${on} ICE`, 0, 0, 'ICE'),
  SLUSH_ON_ICE: row(`SLUSH ${on} ICE`, 0, 0, 'ICE'),
  WATER_ON_COMPACTED_SNOW: row(`(?:STANDING )?WATER ${on} COMPACTED ${snow}`, 0, 0, 'ICE'),
  SPECIALLY_PREPARED_WINTER_RUNWAY: row('SPECIALLY PREPARED WINTER (?:RWY|RUNWAY)', 4, 4, 'COMPACTED_SNOW'),
  COMPACTED_SNOW: row(`COMPACTED ${snow}`, 3, 3, 'COMPACTED_SNOW'),
  DRY_SNOW: row(`DRY ${snow}`, 5, 3, 'DRY_SNOW'),
  WET_SNOW: row(`WET ${snow}`, 5, 3, 'WET_SNOW'),
  WET_ICE: row('WET ICE', 0, 0, 'ICE'),
  SLIPPERY_WET: row('(?:(?:RWY )?SLIPPERY (?:WHEN )?WET)', 3, 3, 'SLIPPERY_WET'),
  STANDING_WATER: row('STANDING WATER|WATER', 5, 2, 'STANDING_WATER'),
  SLUSH: row('SLUSH', 5, 2, 'SLUSH'),
  FROST: row('FROST', 5, 5, 'WET'),
  ICE: row('ICE', 1, 1, 'ICE'),
  WET: row('WET|DAMP', 5, 5, 'WET'),
  DRY: row('DRY|BARE(?: AND DRY)?', 6, 6, 'DRY'),
} as const satisfies Record<string, Matrix>;

type Contaminant = keyof typeof matrix;
export const contaminants = Object.keys(matrix) as [Contaminant, ...Contaminant[]];

export interface Deposit {
  contaminant: Contaminant;
  /** Coverage of this third; null when not reported. */
  coveragePercent: number | null;
  depthMm: number | null;
}

/** Up to this depth, snow, slush and water brake like a wet runway. */
const thinMm = 3;
/** Less coverage does not make a third contaminated. */
const leastPercent = 25;

export const surfaceOfContaminant = (contaminant: Contaminant): DispatchCondition =>
  matrix[contaminant].dispatch;

/** The contaminant at the start of the text and the text after it; null for other words. */
export const contaminantAt = (text: string): { contaminant: Contaminant; rest: string } | null => {
  for (const contaminant of contaminants) {
    const found = matrix[contaminant].words.exec(text);
    if (found) return { contaminant, rest: text.slice(found[0].length).trim() };
  }
  return null;
};

const codeOf = ({ contaminant, depthMm }: Deposit): ReportedCode => {
  const { thin, thick } = matrix[contaminant];
  return depthMm !== null && depthMm <= thinMm ? thin : thick;
};

/** Matrix code of a third without one: the worst among contaminants that together cover more than a quarter of it. */
export const codeOfDeposits = (deposits: readonly Deposit[]): ReportedCode => {
  const lying = deposits.filter(({ contaminant }) => contaminant !== 'DRY');
  if (lying.length === 0) return 6;
  const percent = lying.reduce((sum, { coveragePercent }) => sum + (coveragePercent ?? 100), 0);
  if (percent <= leastPercent) return 5;
  return lying.reduce<ReportedCode>((worst, one) => (codeOf(one) < worst ? codeOf(one) : worst), 6);
};

/** The decisive deposit: with the worst code, then the deepest. */
export const worstDeposit = (deposits: readonly Deposit[]): Deposit | null =>
  deposits.reduce<Deposit | null>((worst, one) => {
    if (worst === null || codeOf(one) < codeOf(worst)) return one;
    return codeOf(one) === codeOf(worst) && (one.depthMm ?? 0) > (worst.depthMm ?? 0) ? one : worst;
  }, null);
