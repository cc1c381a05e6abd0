import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';
import type { TakeoffPoints } from '#domain/performance/graphic.ts';
import { toCelsius, toKelvin } from '../kernel/atmosphere.ts';
import { mpsToKt } from '../kernel/units.ts';
import { refuse } from '../landing/problem.ts';
import { brakesOnSpeed, coolingOf, referenceEnergy } from '../landing/energy.ts';
import { assumedShare } from './assumed.ts';
import { brakeSpeed } from './brakes.ts';
import { allEngines, secondSegment } from './climb.ts';
import { decisionsOf } from './decision.ts';
import { allEngineDistance, goDistance, speedsOf, stopDistance } from './field.ts';
import type { MassSpeeds } from './field.ts';
import { massOn } from './ground.ts';
import type { Situation } from './ground.ts';
import { withItems } from './items.ts';
import { accelerate, acceleration, trueMps } from './machine.ts';
import type { Surface } from './machine.ts';
import { n1At } from './settings.ts';
import type { Setting, Shared } from './situation.ts';
import { situationOf } from './situation.ts';
import { isContaminant } from './surface.ts';
import type { DecisionSpeed, TakeoffColumn, TakeoffSpeeds } from './types.ts';
import { lengthOfLevelCalm } from './worth.ts';

/** Speeds on the actual surface; if only a weight loss is published for it, the speeds published with that loss. */
const flownOf = (
  { machine, grounds }: Situation,
  decisions: readonly DecisionSpeed[],
  massKg: number,
): (DecisionSpeed & MassSpeeds) | undefined => {
  const dry = speedsOf(machine, massKg);
  const [ground, decision] = [grounds.at(-1), decisions.at(-1)];
  const { contaminated } = machine.model;
  if (!decision || !contaminated || ground?.loss === null) return decision && { ...decision, ...dry };
  const { speeds, v1BelowVrKt } = contaminated;
  const byWeightKt = (speeds?.vR.factorKt ?? 0) * (massKg / 1000) ** (speeds?.vR.exponent ?? 1);
  const vrKt = speeds ? Math.max(machine.vmcgKt, byWeightKt) : dry.vrKt;
  const v2Kt = speeds ? vrKt + speeds.v2LessVrKt : dry.v2Kt;
  const v1Kt = Math.max(machine.vmcgKt, vrKt - v1BelowVrKt);
  return { v1Kt, v1MinKt: v1Kt, v1MaxKt: v1Kt, basis: 'RULE', vrKt, v2Kt };
};

/** Speeds at a mass with the V1 range, and the distances that the takeoff requires. */
const takeoffSpeeds = (situation: Situation, massKg: number): TakeoffSpeeds => {
  const { machine, grounds, takeoff } = situation;
  const { vmcgKt } = machine;
  const { runway, weather } = takeoff;
  const decisions = decisionsOf(situation, massKg);
  const flown = flownOf(situation, decisions, massKg) ?? refuse('PROFILE', { what: 'surfaces' });
  const vmbeKt = brakeSpeed(situation, massKg);
  const most = (of: (surface: Surface, kg: number, own: MassSpeeds, v1Mps: number) => number): number =>
    Math.max(
      ...grounds.map((ground, i) => {
        const { surface, worth } = ground;
        const kg = massOn(ground, massKg);
        const lengthM = of(surface, kg, speedsOf(machine, kg), trueMps(machine, decisions[i]?.v1Kt ?? 0));
        return lengthOfLevelCalm(worth, lengthM, runway.slope, mpsToKt(weather.headwindMps));
      }),
    );
  return {
    ...flown,
    vmcgKt,
    vmbeKt: Number.isFinite(vmbeKt) ? vmbeKt : null,
    required: {
      asdM: most((surface, kg, _own, v1Mps) => stopDistance(machine, surface, kg, v1Mps)),
      todM: most((surface, kg, own, v1Mps) => goDistance(machine, surface, kg, own, v1Mps)),
      todAllEnginesM: most((surface, kg, own) => allEngineDistance(machine, surface, kg, own)),
    },
  };
};

/**
 * Distances from brake release to V1, VR and lift-off with an engine failure one second before V1, m on the actual
 * runway: on the actual surface.
 */
const pointsOf = (
  { machine, grounds, takeoff }: Situation,
  speeds: TakeoffSpeeds,
  massKg: number,
): TakeoffPoints => {
  const { engines, model } = machine;
  const { surface, worth } = grounds.at(-1) ?? grounds[0];
  const { fluid } = surface;
  const [v1, vr] = [trueMps(machine, speeds.v1Kt), trueMps(machine, speeds.vrKt)];
  const failure = Math.max(0, v1 - Math.max(0, acceleration(machine, fluid, massKg, v1, engines)));
  const withAll = accelerate(machine, fluid, massKg, 0, failure, engines);
  const rolledTo = (mps: number): number =>
    withAll + accelerate(machine, fluid, massKg, failure, mps, engines - 1);
  const point = (levelCalmM: number): number | null => {
    const { runway, weather } = takeoff;
    const metres = lengthOfLevelCalm(worth, levelCalmM, runway.slope, mpsToKt(weather.headwindMps));
    return Number.isFinite(metres) ? Math.round(metres) : null;
  };
  return {
    v1M: point(rolledTo(v1)),
    vrM: point(rolledTo(vr)),
    liftOffM: point(rolledTo(Math.max(v1, vr)) + model.rotationS * trueMps(machine, speeds.v2Kt)),
  };
};

/** On a contaminated runway V1 is estimated unless published with the speeds there. */
export const speedEvidenceOf = ({ model, takeoff }: Shared): TakeoffPerformance['speedEvidence'] => {
  const { speedEvidence: own, contaminated } = model;
  if (!isContaminant(takeoff.condition.state) || contaminated?.speeds) return own;
  return { ...own, v1: { quality: 'estimated', bandKt: Math.max(contaminatedV1BandKt, own.v1.bandKt) } };
};
const contaminatedV1BandKt = 12;

/** The takeoff at a mass, at rated thrust (null) or at an assumed temperature (C). */
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
  const brakesOnKt = brakesOnSpeed(speeds.v1Kt, takeoff.weather.headwindMps);
  const stopMftlb = referenceEnergy(profile, massKg, brakesOnKt, actual) * items.brakeEnergyFactor;
  return {
    assumedTemperatureC: assumedC,
    reductionPercent: assumedC === null ? 0 : 100 * (1 - assumedShare(shared, assumedC)),
    speeds,
    points: pointsOf(situation, speeds, massKg),
    stopCooling: coolingOf(profile, stopMftlb, false),
    secondSegmentPercent: 100 * withItems(items, massKg, (kg) => secondSegment(machine, kg)),
    allEnginesPercent: 100 * withItems(items, massKg, (kg) => allEngines(machine, kg)),
    n1: n1At(shared, assumedC),
  };
};
