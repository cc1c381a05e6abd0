import { metresPerFoot } from '../users/units.ts';

/** Metres, rounded to the decimetre. */
export const metresOf = (value: number, unit: 'M' | 'FT'): number =>
  Math.round(value * (unit === 'FT' ? metresPerFoot : 1) * 10) / 10;

/** "150M", "1,500FT"; without a unit the caller's default. */
export const lengthM = (value: string, unit: string | undefined, isFeetByDefault: boolean): number => {
  const number = Number(value.replace(/,(?=\d{3}$)/, '').replace(',', '.'));
  const isFeet = unit === undefined || unit === '' ? isFeetByDefault : unit.startsWith('F');
  return metresOf(number, isFeet ? 'FT' : 'M');
};
