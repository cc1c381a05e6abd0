import { ktToMps } from '../kernel/units.ts';
import type { Converter } from './units.ts';

/** A quantity of a caution or a refusal with its kind, which decides unit and rounding. */
export interface Quantity {
  kind:
    | 'longer'
    | 'available'
    | 'mass'
    | 'massLimit'
    | 'altitude'
    | 'depth'
    | 'pressure'
    | 'wind'
    | 'kt'
    | '°C'
    | '%'
    | '°'
    | 'min'
    | '';
  of: number;
}

export const quantity = (kind: Quantity['kind'], of: number): Quantity => ({ kind, of });

/** A quantity in the units of the request. */
export interface Amount {
  value: number;
  unit: string;
}

const decimals = (value: number, digits: number): number => Number(value.toFixed(digits)) + 0;

/** Converts quantities with the rounding of the answer: requirements up, what is available down. */
export const amountOf = ({ kind, of }: Quantity, convert: Converter): Amount => {
  switch (kind) {
    case 'longer':
      return { value: convert.distanceUp(of), unit: convert.distanceUnit };
    case 'available':
      return { value: convert.distanceDown(of), unit: convert.distanceUnit };
    case 'mass':
      return { value: Math.round(convert.toWeight(of)), unit: convert.weightUnit };
    case 'massLimit':
      return { value: convert.weightDown(of), unit: convert.weightUnit };
    case 'altitude':
      return { value: convert.toAltitude(of), unit: convert.altitudeUnit };
    case 'depth':
      return {
        value: decimals(convert.toDepth(of), convert.depthUnit === 'in' ? 3 : 1),
        unit: convert.depthUnit,
      };
    case 'pressure':
      return {
        value: decimals(convert.toPressure(of), convert.pressureUnit === 'inHg' || of < 100 ? 2 : 0),
        unit: convert.pressureUnit,
      };
    case 'wind':
      return { value: decimals(convert.toWind(ktToMps(of)), 1), unit: convert.windUnit };
    case '%':
      return { value: decimals(of, 2), unit: kind };
    default:
      return { value: decimals(of, 1), unit: kind };
  }
};

/** Quantities as text, `15 kt`. */
export const sayer =
  (convert: Converter) =>
  (kind: Quantity['kind'], of: number): string => {
    const { value, unit } = amountOf({ kind, of }, convert);
    return unit === '' ? String(value) : `${value} ${unit}`;
  };

export type Say = ReturnType<typeof sayer>;

/** Units of texts that profiles and reports bring along. */
const textUnits: Readonly<Record<string, Quantity['kind']>> = {
  m: 'longer',
  kg: 'massLimit',
  mm: 'depth',
  hPa: 'pressure',
};

/** A text with its metres, kilograms, millimetres and hectopascals in the units of the request. */
export const inUnits = (text: string, say: Say): string =>
  text.replaceAll(/(\d+(?:\.\d+)?) (m|kg|mm|hPa)\b(?!\/)/g, (whole, number: string, unit: string) => {
    const kind = textUnits[unit];
    return kind === undefined ? whole : say(kind, Number(number));
  });
