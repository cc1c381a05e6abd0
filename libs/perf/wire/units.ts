import type { LandingUnits } from '#domain/performance/request-parts.ts';
import { kgPerLb, metresPerFoot, metresPerInch, mpsPerKnot, paPerHpa, paPerInhg } from '../kernel/units.ts';

/** Rounding must not turn 3000.0000001 into 3001. */
const epsilon = 1e-6;

/** Half the 0.1 m resolution of stored runway lengths: 11,010 ft is stored as 3355.8 m. */
const storedPrecisionM = 0.05 + epsilon;

/** Conversions of one request: `from…` to SI, `to…` into the user's units. The only place where they happen. */
export const converter = (units: LandingUnits) => {
  const weight = units.weight === 'lb' ? kgPerLb : 1;
  const wind = units.wind === 'ms' ? 1 : mpsPerKnot;
  const distance = units.distance === 'meter' ? 1 : metresPerFoot;
  const altitude = units.altitude === 'meter' ? 1 : metresPerFoot;
  const depth = units.depth === 'inches' ? metresPerInch : 0.001;
  const pressure = units.pressure === 'inhg' ? paPerInhg : paPerHpa;
  // A limit published in pounds, mostly in tens, is stored in whole kilograms: 70,080 kg is 154,500 lb, not 154,499.
  const published = (kg: number): number | null => {
    const tens = Math.round(kg / weight / 10) * 10;
    return Number.isInteger(kg) && Math.round(tens * weight) === kg ? tens : null;
  };
  return {
    fromWeight: (value: number): number => value * weight,
    fromWind: (value: number): number => value * wind,
    fromDistance: (value: number): number => value * distance,
    fromDepth: (value: number): number => value * depth,
    fromPressure: (value: number): number => value * pressure,
    /** whole units */
    toWeight: (kg: number): number => published(kg) ?? Math.round(kg / weight),
    toWind: (mps: number): number => mps / wind,
    toAltitude: (m: number): number => Math.round(m / altitude),
    toDepth: (mm: number): number => mm / 1000 / depth,
    toPressure: (hpa: number): number => (hpa * paPerHpa) / pressure,
    /** a limit in whole units, rounded down, but a profile's limit as it was published */
    weightDown: (kg: number): number => published(kg) ?? Math.floor(kg / weight + epsilon),
    /** a requirement in whole units, rounded up */
    distanceUp: (m: number): number => Math.ceil(m / distance - epsilon) + 0,
    distanceDown: (m: number): number => Math.floor(m / distance + epsilon),
    /** an available distance in whole units, rounded down; the 0.1 m resolution of airport data costs no unit */
    availableDown: (m: number): number => Math.floor((m + storedPrecisionM) / distance),
    weightUnit: units.weight,
    distanceUnit: units.distance === 'meter' ? 'm' : 'ft',
    altitudeUnit: units.altitude === 'meter' ? 'm' : 'ft',
    windUnit: units.wind === 'ms' ? 'm/s' : 'kt',
    depthUnit: units.depth === 'inches' ? 'in' : 'mm',
    pressureUnit: units.pressure === 'inhg' ? 'inHg' : 'hPa',
  } as const;
};

export type Converter = ReturnType<typeof converter>;
