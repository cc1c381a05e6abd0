import { toCelsius, toKelvin } from '../kernel/atmosphere.ts';
import { ktToMps } from '../kernel/units.ts';
import { brakesOnSpeed, coolingOf, referenceEnergy } from '../landing/energy.ts';
import { assumedShare } from './assumed.ts';
import { allEngines, secondSegment } from './climb.ts';
import { allEngineDistance, balanced, goDistance, speedsOf, stopDistance } from './field.ts';
import type { Situation } from './ground.ts';
import { withItems } from './items.ts';
import { brakeSpeed, highestStop, lowestGo } from './limits.ts';
import { trueMps } from './machine.ts';
import type { Setting, Shared } from './situation.ts';
import { situationOf } from './situation.ts';
import type { TakeoffColumn, TakeoffSpeeds } from './types.ts';
import { lengthOfLevelCalm } from './worth.ts';

/** Speeds of a mass with the range of V1, and what it needs of the runway. */
const takeoffSpeeds = (situation: Situation, massKg: number): TakeoffSpeeds => {
  const { machine, grounds, takeoff } = situation;
  const speeds = speedsOf(machine, massKg);
  const lows = grounds.map((ground) => lowestGo(machine, ground, massKg, speeds));
  const highs = grounds.map((ground) => highestStop(machine, ground, massKg, speeds));
  const v1MinKt = lows.includes(null) ? null : Math.max(...lows.map((kt) => kt ?? 0));
  const stopKt = highs.includes(null) ? null : Math.min(...highs.map((kt) => kt ?? 0));
  const vmbeKt = brakeSpeed(situation, massKg);
  const v1MaxKt = stopKt === null ? null : Math.min(stopKt, vmbeKt, speeds.vrKt);
  const evened = grounds.map(({ surface, asdaM, todaM }) => {
    const { v1Kt, goM, stopM, allM } = balanced(machine, surface, massKg, speeds, asdaM / todaM);
    return { v1Kt, share: Math.max(goM / todaM, stopM / asdaM, allM / todaM) };
  });
  const inRange = (kt: number): number =>
    v1MinKt === null || v1MaxKt === null ? kt : Math.min(v1MaxKt, Math.max(v1MinKt, kt));
  const { v1 } = machine.model;
  const policyKt = Math.min(
    ...evened.map(({ v1Kt, share }) =>
      v1 === 'balanced'
        ? v1Kt
        : speeds.vrKt - v1.belowVrKt * Math.max(0, (share - v1.fromShare) / (1 - v1.fromShare)),
    ),
  );
  const v1Kt = Math.min(speeds.vrKt, inRange(Math.max(machine.vmcgKt, policyKt)));
  const mps = trueMps(machine, v1Kt);
  const { slope } = takeoff.runway;
  const most = (of: (ground: Situation['grounds'][number]) => number): number =>
    Math.max(
      ...grounds.map((ground) => {
        const worth = ground.surface.isDry ? machine.model.worth.dry : machine.model.worth.wet;
        return lengthOfLevelCalm(worth, of(ground), slope, takeoff.weather.headwindKt);
      }),
    );
  return {
    v1Kt,
    v1MinKt,
    v1MaxKt,
    ...speeds,
    vmcgKt: machine.vmcgKt,
    vmbeKt: Number.isFinite(vmbeKt) ? vmbeKt : null,
    required: {
      asdM: most(({ surface }) => stopDistance(machine, surface, massKg, mps)),
      todM: most(({ surface }) => goDistance(machine, surface, massKg, speeds, mps)),
      todAllEnginesM: most(({ surface }) => allEngineDistance(machine, surface, massKg, speeds)),
    },
  };
};

/** The takeoff of a mass at the thrust of the rating (null), or at that of an assumed temperature (C). */
export const columnOf = (
  shared: Shared,
  setting: Setting,
  massKg: number,
  assumedC: number | null,
): TakeoffColumn => {
  const celsius = assumedC ?? toCelsius(shared.actual.temperatureK);
  const kelvin = assumedC === null ? shared.actual.temperatureK : toKelvin(celsius);
  const situation = situationOf(shared, setting, kelvin);
  const speeds = takeoffSpeeds(situation, massKg);
  const { profile, actual, takeoff } = shared;
  const { machine, items } = situation;
  const brakesOnKt = brakesOnSpeed(speeds.v1Kt, ktToMps(takeoff.weather.headwindKt));
  const stopMftlb = referenceEnergy(profile, massKg, brakesOnKt, actual) * items.brakeEnergyFactor;
  return {
    assumedTemperatureC: assumedC,
    reductionPercent: assumedC === null ? 0 : 100 * (1 - assumedShare(shared, assumedC)),
    speeds,
    stopCooling: coolingOf(profile, stopMftlb, false),
    secondSegmentPercent: 100 * withItems(items, massKg, (kg) => secondSegment(machine, kg)),
    allEnginesPercent: 100 * withItems(items, massKg, (kg) => allEngines(machine, kg)),
  };
};
