import { rounded } from '../landing/rounding.ts';
import { ftToM, ktToMps } from '../kernel/units.ts';
import type { Converter } from './units.ts';

/**
 * Kind of a number in a caution or refusal, which determines unit and rounding; `altitude` is in feet, `wind` in knots.
 */
export type Kind =
  | ('longer' | 'available' | 'mass' | 'massLimit' | 'altitude' | 'depth' | 'pressure' | 'leastPressure')
  | ('wind' | 'kt' | '°C' | '%' | '°' | '');

/** A number in the units of the request. */
export interface Amount {
  value: number;
  unit: string;
}

/** Converts quantities with the answer's rounding: requirements up, available values down. */
export const amountOf = (kind: Kind, of: number, convert: Converter): Amount => {
  switch (kind) {
    case 'longer':
      return { value: convert.distanceUp(of), unit: convert.distanceUnit };
    case 'available':
      return { value: convert.distanceDown(of), unit: convert.distanceUnit };
    case 'mass':
      return { value: convert.toWeight(of), unit: convert.weightUnit };
    case 'massLimit':
      return { value: convert.weightDown(of), unit: convert.weightUnit };
    case 'altitude':
      return { value: convert.toAltitude(ftToM(of)), unit: convert.altitudeUnit };
    case 'depth':
      return {
        value: rounded(convert.toDepth(of), convert.depthUnit === 'in' ? 3 : 1),
        unit: convert.depthUnit,
      };
    case 'pressure':
      return {
        value: rounded(convert.toPressure(of), convert.pressureUnit === 'inHg' || of < 100 ? 2 : 0),
        unit: convert.pressureUnit,
      };
    case 'leastPressure':
      return { value: Math.ceil(100 * convert.toPressure(of) - 1e-6) / 100, unit: convert.pressureUnit };
    case 'wind':
      // Limits are compared to a tenth of a knot, which is finer than a tenth of a m/s.
      return {
        value: rounded(convert.toWind(ktToMps(of)), convert.windUnit === 'kt' ? 1 : 2),
        unit: convert.windUnit,
      };
    case '%':
      return { value: rounded(of, 2), unit: kind };
    default:
      return { value: rounded(of, 1), unit: kind };
  }
};

/** Numbers as text, `15 kt`. */
export const sayer =
  (convert: Converter) =>
  (kind: Kind, of: number): string => {
    const { value, unit } = amountOf(kind, of, convert);
    return unit === '' ? String(value) : `${value} ${unit}`;
  };

export type Say = ReturnType<typeof sayer>;

/** Units in texts of profiles and reports. */
const textUnits: Readonly<Record<string, Kind>> = {
  m: 'longer',
  kg: 'massLimit',
  mm: 'depth',
  hPa: 'pressure',
};

/** Converts metres, kilograms, millimetres and hectopascals in a text to the units of the request. */
export const inUnits = (text: string, say: Say): string =>
  text.replaceAll(/(\d+(?:\.\d+)?) (m|kg|mm|hPa)\b(?!\/)/g, (whole, number: string, unit: string) => {
    const kind = textUnits[unit];
    return kind === undefined ? whole : say(kind, Number(number));
  });
