import type { AircraftProfile, AutobrakeProfile } from '#domain/aircraft/profile.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { joulesPerMftlb, ktToMps, mpsToKt } from '../kernel/units.ts';
import { linear } from '../kernel/interpolate.ts';
import type { BrakeCooling } from './types.ts';

/**
 * Reference brake energy per brake (million ft-lb) of a full stop by brakes alone, from brakes-on speed (kt, wind
 * corrected) and mass (kg): kinetic energy at the true airspeed, plus a mass term for taxi, less aerodynamic drag.
 */
export const referenceEnergy = (
  profile: AircraftProfile,
  massKg: number,
  brakesOnKt: number,
  air: Atmosphere,
): number => {
  const { energy, count } = profile.brakes;
  const trueMps = ktToMps(brakesOnKt) / air.rootSigma;
  const kinetic = (0.5 * massKg * trueMps * trueMps) / joulesPerMftlb / count;
  const v70 = trueMps / 70;
  return Math.max(
    0,
    (energy.kineticShare + energy.kineticSigmaShare * air.sigma) * kinetic +
      (energy.perReferenceMass * massKg) / energy.referenceMassKg -
      energy.aeroSigmaV4 * air.sigma * v70 ** 4 +
      energy.perV70 * v70,
  );
};

/** Brakes-on speed (kt) of the brake energy charts: less half the headwind, plus one and a half times the tailwind. */
export const brakesOnSpeed = (speedKt: number, headwindMps: number): number => {
  const wind = mpsToKt(headwindMps);
  return speedKt - (wind > 0 ? 0.5 * wind : 1.5 * wind);
};

/**
 * Energy absorbed by each brake in one landing (million ft-lb). Modes without published shares use the work of the
 * roll.
 */
export const landingEnergy = (
  profile: AircraftProfile,
  mode: AutobrakeProfile,
  referenceMftlb: number,
  brakeWorkJ: number,
  reverse: boolean,
): number => {
  const event = mode.event?.[reverse ? 'reverse' : 'noReverse'];
  if (!event) return Math.min(referenceMftlb, brakeWorkJ / joulesPerMftlb / profile.brakes.count);
  const share = event[0] + event[1] * referenceMftlb + event[2] * referenceMftlb ** 2;
  return referenceMftlb * Math.min(1, Math.max(0, share));
};

/** Cooling for a brake energy (million ft-lb per brake): minutes, or the chart's zone. */
export const coolingOf = (profile: AircraftProfile, energyMftlb: number, reverse: boolean): BrakeCooling => {
  const { cooling } = profile.brakes;
  const points = cooling.points;
  const curve = (pick: (point: (typeof points)[number]) => number): number =>
    linear(
      points.map((point) => [point.energyMftlb, pick(point)] as const),
      energyMftlb,
    );
  const isFree = energyMftlb < cooling.freeBelowMftlb;
  const isMelting = energyMftlb > cooling.fuseMeltAboveMftlb;
  const zone = isMelting ? 'FUSE MELT' : energyMftlb > cooling.cautionAboveMftlb ? 'CAUTION' : null;
  return {
    credit: reverse ? 'REVERSE' : 'NONE',
    aerodynamicDrag: profile.brakes.energy.aeroSigmaV4 > 0 || profile.autobrakes.some((mode) => !mode.event),
    groundMin: zone ?? (isFree ? 0 : curve((point) => point.groundMin)),
    airMin: zone ?? (isFree ? 0 : curve((point) => point.airMin)),
    btms: zone === null ? curve((point) => point.btms) : null,
    energyJ: energyMftlb * joulesPerMftlb,
  };
};

/** Highest landing weight (kg) for a turnaround without cooling; null without brake data. */
export const quickTurnWeight = (
  profile: AircraftProfile,
  air: Atmosphere,
  headwindMps: number,
  slope: number,
  speedRatio: number,
): number | null => {
  const data = profile.brakes.quickTurn;
  if (!data) return null;
  const basis = Math.min(data.capKg, data.referenceWeightKg * air.sigma ** data.sigmaExponent) / speedRatio;
  const percent = slope * 100;
  const wind = mpsToKt(headwindMps);
  return (
    basis +
    (percent > 0 ? percent * data.perPercentUpKg : percent * data.perPercentDownKg) +
    (wind > 0 ? (wind / 10) * data.per10KtHeadwindKg : (wind / 10) * data.per10KtTailwindKg)
  );
};
