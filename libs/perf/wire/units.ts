import type { LandingUnits } from '#domain/performance/request.ts';
import {
  KG_PER_LB,
  METRES_PER_FOOT,
  METRES_PER_INCH,
  MPS_PER_KNOT,
  PA_PER_HPA,
  PA_PER_INHG,
} from '../kernel/units.ts';

/** Conversions of one request: `from…` to SI, `to…` into the user's units. The only place where they happen. */
export type Converter = {
  fromWeight: (value: number) => number;
  fromWind: (value: number) => number;
  fromDistance: (value: number) => number;
  fromDepth: (value: number) => number;
  fromPressure: (value: number) => number;
  toWeight: (kg: number) => number;
  toDistance: (m: number) => number;
  toAltitude: (m: number) => number;
  /** whole units, on the safe side for a limit: down */
  weightDown: (kg: number) => number;
  /** whole units, on the safe side for a requirement: up */
  distanceUp: (m: number) => number;
  distanceDown: (m: number) => number;
  weightText: (kg: number) => string;
  distanceText: (m: number) => string;
};

/** Rounding must not turn 3000.0000001 into 3001. */
const EPSILON = 1e-6;

/** Builds the conversions of a set of units. */
export const converter = (units: LandingUnits): Converter => {
  const weight = units.weight === 'lb' ? KG_PER_LB : 1;
  const wind = units.wind === 'ms' ? 1 : MPS_PER_KNOT;
  const distance = units.distance === 'meter' ? 1 : METRES_PER_FOOT;
  const altitude = units.altitude === 'meter' ? 1 : METRES_PER_FOOT;
  const depth = units.depth === 'inches' ? METRES_PER_INCH : 0.001;
  const pressure = units.pressure === 'inhg' ? PA_PER_INHG : PA_PER_HPA;
  const weightDown = (kg: number): number => Math.floor(kg / weight + EPSILON);
  const distanceUp = (m: number): number => Math.ceil(m / distance - EPSILON) + 0;
  return {
    fromWeight: (value) => value * weight,
    fromWind: (value) => value * wind,
    fromDistance: (value) => value * distance,
    fromDepth: (value) => value * depth,
    fromPressure: (value) => value * pressure,
    toWeight: (kg) => kg / weight,
    toDistance: (m) => m / distance,
    toAltitude: (m) => Math.round(m / altitude),
    weightDown,
    distanceUp,
    distanceDown: (m) => Math.floor(m / distance + EPSILON),
    weightText: (kg) => `${Math.round(kg / weight)} ${units.weight}`,
    distanceText: (m) => `${Math.round(m / distance)} ${units.distance === 'meter' ? 'm' : 'ft'}`,
  };
};
