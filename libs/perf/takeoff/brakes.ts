import { mToFt } from '../kernel/units.ts';
import type { Situation } from './ground.ts';
import { flatRating, trueMps } from './machine.ts';
import type { Machine } from './machine.ts';
import { creditedWindMps } from './path.ts';

const referenceM = 3000;
/** A profile states brake energy as kinetic energy at this speed, m/s. */
const energyReferenceMps = 75;

/**
 * Brake energy limit (J) on a level, calm length (m), as kinetic energy at 75 m/s. Published limits grow with length, which allows a
 * lower V1, and fall with altitude and above the flat rating.
 */
export const brakeEnergy = ({ model, air }: Machine, lengthM: number): number => {
  const { brakeEnergyJ, brakeEnergyLaw: law } = model;
  if (brakeEnergyJ === null) return Infinity;
  const hot = Math.max(0, air.isaDeviationK - flatRating(model, air.pressureAltitudeM));
  const { byLength, byLengthCurve } = law;
  const most = byLengthCurve < 0 ? -byLength / (2 * byLengthCurve) : Infinity;
  const long = Math.min(most, Math.log(lengthM / referenceM));
  const kft = Math.max(0, mToFt(air.pressureAltitudeM)) / 1000;
  return (
    brakeEnergyJ *
    Math.exp(byLength * long + byLengthCurve * long * long - law.perHotC * hot - law.perKft * kft)
  );
};

/** Brake energy (J) of a stop from a ground speed (m/s), compared with `brakeEnergy`. */
export const stopEnergy = ({ model }: Machine, massKg: number, mps: number): number =>
  0.5 * massKg * energyReferenceMps ** 2 * (mps / energyReferenceMps) ** model.brakeEnergyLaw.speedExponent;

/** V1MBE (kt): highest V1 within the brake energy limit. */
export const brakeSpeed = ({ machine, takeoff, items, grounds }: Situation, massKg: number): number => {
  const energyJ = brakeEnergy(machine, grounds[0].asdaM) / items.brakeEnergyFactor;
  const { windShare, speedExponent } = machine.model.brakeEnergyLaw;
  const wind = windShare * creditedWindMps(takeoff.weather.headwindMps);
  const share = energyJ / stopEnergy(machine, massKg, energyReferenceMps);
  return (energyReferenceMps * share ** (1 / speedExponent) + wind) / trueMps(machine, 1);
};
