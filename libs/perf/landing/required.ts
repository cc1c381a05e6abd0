import { rounded } from './rounding.ts';
import type { AircraftProfile, FlapProfile } from '#domain/aircraft/profile.ts';
import { atmosphere, isaTemperature } from '../kernel/atmosphere.ts';
import { groundRoll } from '../kernel/ground-roll.ts';
import type { Trace } from '../kernel/ground-roll.ts';
import { linear } from '../kernel/interpolate.ts';
import { ktToMps } from '../kernel/units.ts';
import { rollOf, stopDistance } from './distance.ts';
import type { StopDistance } from './distance.ts';
import { noModifiers } from './modifiers.ts';
import type { Modifiers } from './modifiers.ts';
import type { Prepared } from './prepare.ts';
import { sceneOf } from './prepare.ts';
import { refuse } from './problem.ts';
import { manualMode } from './profile-lookup.ts';
import { autolandLeastAdditiveKt, vrefFor } from './speeds.ts';
import type { Applied, LandingCase } from './types.ts';
import { appliedItem } from './types.ts';

type Stop = (massKg: number, trace?: Trace) => StopDistance;

/** Required landing distance (m) at a mass (kg), with its factors. */
export interface Requirement {
  requiredM: (massKg: number) => number;
  /** the factored actual distance of a contaminated runway or autoland; null: the certified dry distance is factored */
  factored: Stop | null;
  applied: Applied[];
}

/** What an inoperative item may change in braking itself, so that physics has to scale the certified roll. */
const brakingNames = [
  'frictionFactor',
  'antiskidInop',
  'spoilerFraction',
  'groundDragFactor',
  'delayAddS',
] as const;

/**
 * Dispatch requirement for a flap: certified dry distance / 0.6; wet x 1.15; contaminated the longer of wet and 1.15 x
 * the contaminated distance; autoland the longer of that and 1.15 x its own distance. The certified distance holds for
 * all temperatures (ISA at the pressure altitude) and ignores slope.
 */
export const requirement = (
  profile: AircraftProfile,
  landing: LandingCase,
  prepared: Prepared,
  flap: FlapProfile,
): Requirement => {
  const certified = flap.certified ?? refuse('NO_DISPATCH_DATA', { flap: flap.code });
  const { factors } = profile;
  const { modifiers, distanceAir, group, condition, windMps } = prepared;
  const scene = sceneOf(profile, landing, prepared, flap);
  const manual = manualMode(profile);
  const standard = atmosphere(distanceAir.pressureAltitudeM, isaTemperature(distanceAir.pressureAltitudeM));
  const bare: Modifiers = {
    ...modifiers,
    ...Object.fromEntries(brakingNames.map((name) => [name, noModifiers[name]])),
  };
  const dryScene = {
    ...scene,
    rwycc: 6 as const,
    air: standard,
    slope: 0,
    fluid: null,
    reversersOperating: 0,
  };
  const scaled = brakingNames.some((name) => modifiers[name] !== noModifiers[name]);
  const byMass = profile.calibration.certifiedByMassPerFlap[flap.code];

  const rollRatio = (massKg: number, speedMps: number): number => {
    const rollM = (part: Modifiers): number =>
      groundRoll({
        ...rollOf({ ...dryScene, modifiers: part }, massKg, speedMps, manual),
        brakeDelayS: part.delayAddS,
      }).distanceM;
    return rollM(modifiers) / rollM(bare);
  };
  const vrefOf = (massKg: number): number => vrefFor(profile, flap, massKg, prepared);
  const dry = (massKg: number): number => {
    const trueMps = ktToMps(vrefOf(massKg)) / standard.rootSigma;
    const speedMps = Math.max(0, trueMps - windMps);
    const ratio = (scaled ? rollRatio(massKg, speedMps) : 1) * (byMass ? linear(byMass, massKg) : 1);
    // Applying wind to the ground roll only reproduces the published wind corrections.
    const actualM =
      certified.timeS * trueMps + ((speedMps * speedMps) / (2 * certified.decelerationMps2)) * ratio;
    return (
      (actualM * modifiers.distanceFactor + modifiers.distanceAddM) * factors.dry * modifiers.requiredFactor
    );
  };

  const applied: Applied[] = [
    appliedItem('Dry factor', rounded(factors.dry, 4), '', 'CAT.POL.A.230 / 121.195'),
  ];
  let manualM = dry;
  let factored: Stop | null = null;
  if (group !== 'dry') {
    const wetFactor = condition?.certifiedFactor ?? factors.wet;
    applied.push(appliedItem('Wet factor', wetFactor, '', 'CAT.POL.A.235'));
    manualM = (massKg) => dry(massKg) * wetFactor;
  }
  if (group === 'contaminated') {
    const wetM = manualM;
    const manually = { ...scene, autoland: false };
    const stop: Stop = (massKg, trace) => stopDistance(manually, massKg, vrefOf(massKg), manual, trace);
    factored = stop;
    applied.push(appliedItem('Contaminated factor', factors.contaminated, '', 'CAT.POL.A.235(b)'));
    if (prepared.fluid && profile.braking.contaminantWidthM > 0) {
      applied.push(appliedItem('Fluid drag depth', prepared.fluid.depthM * 1000, 'mm', 'AMC 25.1591'));
    }
    manualM = (massKg) =>
      Math.max(wetM(massKg), stop(massKg).actualM * factors.contaminated * modifiers.requiredFactor);
  }
  if (!landing.configuration.autoland) return { requiredM: manualM, factored, applied };
  applied.push(appliedItem('Autoland factor', factors.autoland, '', 'flight manual rule'));
  const automatic: Stop = (massKg, trace) =>
    stopDistance(scene, massKg, vrefOf(massKg) + autolandLeastAdditiveKt, manual, trace);
  return {
    requiredM: (massKg) =>
      Math.max(manualM(massKg), automatic(massKg).actualM * factors.autoland * modifiers.requiredFactor),
    factored: automatic,
    applied,
  };
};
