import { metresPerFoot } from '../users/units.ts';

/** Metres, rounded to the decimetre. */
export const metresOf = (value: number, unit: 'M' | 'FT'): number =>
  Math.round(value * (unit === 'FT' ? metresPerFoot : 1) * 10) / 10;

/** Thousands may be separated: "1,500", "2 500M"; decimals follow a point, or a comma before one figure. */
export const numberOf = (text: string): number =>
  Number(text.replace(/[, ](?=\d{3}$)/, '').replace(',', '.'));
