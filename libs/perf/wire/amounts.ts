import { rounded } from '../landing/rounding.ts';
import { ftToM, ktToMps } from '../kernel/units.ts';
import type { Converter } from './units.ts';

const plain =
  (unit: string, digits = 1) =>
  (of: number): [value: number, unit: string] => [rounded(of, digits), unit];

/**
 * Numbers of cautions and refusals in the units of the request, with the answer's rounding: requirements up, available
 * values down. `altitude` is in feet, `wind` in knots.
 */
const kinds = {
  longer: (m, convert) => [convert.distanceUp(m), convert.distanceUnit],
  available: (m, convert) => [convert.distanceDown(m), convert.distanceUnit],
  mass: (kg, convert) => [convert.toWeight(kg), convert.weightUnit],
  massLimit: (kg, convert) => [convert.weightDown(kg), convert.weightUnit],
  altitude: (ft, convert) => [convert.toAltitude(ftToM(ft)), convert.altitudeUnit],
  depth: (mm, { toDepth, depthUnit }) => [rounded(toDepth(mm), depthUnit === 'in' ? 3 : 1), depthUnit],
  pressure: (hpa, { toPressure, pressureUnit }) => [
    rounded(toPressure(hpa), pressureUnit === 'inHg' || hpa < 100 ? 2 : 0),
    pressureUnit,
  ],
  leastPressure: (hpa, { toPressure, pressureUnit }) => [
    Math.ceil(100 * toPressure(hpa) - 1e-6) / 100,
    pressureUnit,
  ],
  // Limits are compared to a tenth of a knot, which is finer than a tenth of a m/s.
  wind: (kt, { toWind, windUnit }) => [rounded(toWind(ktToMps(kt)), windUnit === 'kt' ? 1 : 2), windUnit],
  '%': plain('%', 2),
  kt: plain('kt'),
  '°C': plain('°C'),
  '°': plain('°'),
  '': plain(''),
} satisfies Record<string, (of: number, convert: Converter) => [value: number, unit: string]>;

/** Kind of a number in a caution or refusal, which determines unit and rounding. */
export type Kind = keyof typeof kinds;

export const amountOf = (kind: Kind, of: number, convert: Converter): { value: number; unit: string } => {
  const [value, unit] = kinds[kind](of, convert);
  return { value, unit };
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
