import { seaLevelKelvin } from '../kernel/constants.ts';
import type { AutobrakeProfile } from '#domain/aircraft/profile.ts';
import { atmosphere, isaTemperature } from '../kernel/atmosphere.ts';
import { ftToM, ktToMps, mpsToKt } from '../kernel/units.ts';
import type { Scene } from './scene.ts';
import { noModifiers } from './modifiers.ts';
import { reversersUsed } from './scene.ts';
import { vref } from './speeds.ts';

/** Distance (m) by physics for a mass (kg) and an approach speed (kt), with or without floors. */
export type PhysicalDistance = (
  scene: Scene,
  massKg: number,
  speedKt: number,
  mode: AutobrakeProfile,
  floors: boolean,
) => number;

/** Published corrections are rounded up to multiples of this. */
const stepM = 10;

/** A correction of a published table: its unit, the range over which it was determined, and the units in a case. */
interface Correction {
  name: string;
  /** units in the range over which the correction was determined */
  range: number;
  /** the reference scene and speed, with `units` of the correction applied */
  apply: (scene: Scene, units: number) => { scene: Scene; addKt: number };
  /** units in a case whose approach speed exceeds VREF and the wind credit by `excessKt` */
  units: (scene: Scene, excessKt: number) => number;
}

const withAir = (scene: Scene, altitudeM: number, isaDeviationK: number): Scene => ({
  ...scene,
  air: atmosphere(altitudeM, isaTemperature(altitudeM) + isaDeviationK),
});

/** 5 kt of tailwind as credited (m/s). */
const tailwindUnit = ({ profile }: Scene): number => 5 * ktToMps(1) * profile.wind.inflightTailwind;
/** One percent downhill as credited. */
const slopeUnit = ({ profile }: Scene): number => 0.01 * profile.calibration.downhillFactor;

/** Corrections in family A tables: 5 kt of tailwind, 1 % downhill, 1000 ft, 10 C above ISA, 5 kt of speed. */
const corrections: readonly Correction[] = [
  {
    name: 'tailwind',
    range: 3,
    apply: (scene, units) => ({ scene: { ...scene, windMps: -units * tailwindUnit(scene) }, addKt: 0 }),
    units: (scene) => -scene.windMps / tailwindUnit(scene),
  },
  {
    name: 'slope',
    range: 2,
    apply: (scene, units) => ({ scene: { ...scene, slope: -units * slopeUnit(scene) }, addKt: 0 }),
    units: (scene) => -scene.slope / slopeUnit(scene),
  },
  {
    name: 'altitude',
    range: 8,
    apply: (scene, units) => ({ scene: withAir(scene, ftToM(1000 * units), 0), addKt: 0 }),
    units: (scene) => scene.air.pressureAltitudeM / ftToM(1000),
  },
  {
    name: 'temperature',
    range: 3,
    apply: (scene, units) => ({ scene: withAir(scene, 0, 10 * units), addKt: 0 }),
    units: (scene) => scene.air.isaDeviationK / 10,
  },
  {
    name: 'speed',
    range: 4,
    apply: (scene, units) => ({ scene, addKt: 5 * units }),
    units: (_scene, excessKt) => excessKt / 5,
  },
];

/** The scene of the reference distances: sea level, standard day, no wind, level. */
const referenceOf = (scene: Scene): Scene => ({
  ...scene,
  air: atmosphere(0, seaLevelKelvin),
  windMps: 0,
  slope: 0,
});

/** The scene that corrections are determined in: tables state them without reversers, for use with any. */
const tableScene = (scene: Scene): Scene => ({
  ...referenceOf(scene),
  modifiers: noModifiers,
  reversersOperating: 0,
});

/** A table value of one brake mode, determined at first use. */
const kept = (scene: Scene, mode: AutobrakeProfile, name: string, determine: () => number): number => {
  const key = `${scene.flap.code} ${scene.rwycc} ${mode.value} ${name}`;
  const metres = scene.corrections.get(key) ?? determine();
  scene.corrections.set(key, metres);
  return metres;
};

/** A brake mode's reference distance (m), and metres per unit of a correction, rounded up. */
const tableOf = (scene: Scene, mode: AutobrakeProfile, distanceOf: PhysicalDistance) => {
  const bare = tableScene(scene);
  const tableKg = scene.profile.calibration.tableMassKg;
  const tableKt = vref(scene.flap, tableKg);
  const referenceM = kept(scene, mode, 'reference', () => distanceOf(bare, tableKg, tableKt, mode, false));
  const perUnitM = ({ name, range, apply }: Correction): number =>
    kept(scene, mode, name, () => {
      const far = apply(bare, range);
      const wholeM = distanceOf(far.scene, tableKg, tableKt + far.addKt, mode, false) - referenceM;
      return Math.ceil(wholeM / range / stepM - 1e-6) * stepM;
    });
  return { referenceM, perUnitM };
};

/** The sum for one brake mode, not compared with stronger modes. */
const ownSum = (
  scene: Scene,
  massKg: number,
  speedKt: number,
  mode: AutobrakeProfile,
  distanceOf: PhysicalDistance,
): number => {
  const { flap, modifiers } = scene;
  const reference = referenceOf(scene);
  const vrefKt = vref(flap, massKg);
  const creditKt = scene.windMps > 0 ? mpsToKt(scene.windMps) * scene.air.rootSigma : 0;
  const excessKt = speedKt - vrefKt - creditKt;
  const active = corrections.map((correction) => Math.max(0, correction.units(scene, excessKt)));
  const referenceKt = Math.min(vrefKt, speedKt - creditKt);
  const referenceM = distanceOf(reference, massKg, referenceKt, mode, true);
  if (active.every((units) => units === 0)) return referenceM;
  const isFailed = modifiers.nonNormal.length > 0 || modifiers.applied.length > 0;
  // Tables state corrections without reversers, so a lost reverser does not lengthen them.
  const unfailed = { ...reference, modifiers: noModifiers, reversersOperating: reversersUsed(scene) };
  const scale = isFailed
    ? Math.max(1, referenceM / distanceOf(unfailed, massKg, referenceKt, mode, true))
    : 1;
  const { referenceM: tableM, perUnitM } = tableOf(scene, mode, distanceOf);
  const ownM = distanceOf(tableScene(scene), massKg, referenceKt, mode, true);
  const share = scale * Math.min(1, ownM / tableM);
  return corrections.reduce((sum, correction, i) => {
    const units = active[i] ?? 0;
    return units > 0 ? sum + units * share * perUnitM(correction) : sum;
  }, referenceM);
};

/**
 * Distance (m) as family A tables combine it: the reference distance for the weight plus corrections. Each is a
 * constant per unit, determined at the maximum landing weight over its range and rounded up to 10 m. Lighter weights
 * take the share of their reference distance, and failures lengthen corrections like that distance. No brake mode gets
 * a shorter sum than a stronger one, so rounding keeps their order.
 */
export const additiveDistance = (
  scene: Scene,
  massKg: number,
  speedKt: number,
  mode: AutobrakeProfile,
  distanceOf: PhysicalDistance,
): number => {
  const sums = scene.profile.autobrakes
    .filter((entry) => entry.order <= mode.order)
    .map((entry) => {
      const key = `${entry.value} ${massKg} ${speedKt}`;
      const sumM = scene.sums.get(key) ?? ownSum(scene, massKg, speedKt, entry, distanceOf);
      scene.sums.set(key, sumM);
      return sumM;
    });
  return Math.max(...sums);
};
