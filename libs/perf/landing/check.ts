import type { AircraftProfile, VectorProfile } from '#domain/aircraft/profile.ts';
import { calculateLine } from '../wire/calc.ts';
import { groundRoll } from '../kernel/ground-roll.ts';
import { ktToMps } from '../kernel/units.ts';
import { plainScene, rollOf } from './distance.ts';
import { vref } from './speeds.ts';

/** Value at a dotted path of a result; modes are addressed by their value (`modes.MED.actualDistanceM`). */
export const valueAt = (output: unknown, path: string): number | null => {
  let node: unknown = output;
  for (const key of path.split('.')) {
    if (Array.isArray(node)) {
      const list: unknown[] = node;
      node = list.find(
        (entry) =>
          typeof entry === 'object' && entry !== null && 'autobrake' in entry && entry.autobrake === key,
      );
    } else if (typeof node === 'object' && node !== null) {
      node = (node as Record<string, unknown>)[key];
    } else return null;
  }
  return typeof node === 'number' ? node : null;
};

const vectorProblems = (profile: AircraftProfile, vector: VectorProfile): string[] => {
  const output = calculateLine(profile, vector.input);
  const problems: string[] = [];
  for (const [path, expected] of Object.entries(vector.expect)) {
    const value = valueAt(output, path);
    const tolerance = vector.toleranceAbsolute + (Math.abs(expected) * vector.tolerancePercent) / 100;
    if (value === null || Math.abs(value - expected) > tolerance + 1e-9) {
      problems.push(
        `golden point "${vector.name}": ${path} is ${value ?? 'missing'}, expected ${expected} within ${tolerance.toFixed(2)}`,
      );
    }
  }
  return problems;
};

const flapProblems = (profile: AircraftProfile): string[] => {
  const problems: string[] = [];
  const codes = new Set(profile.flaps.map((flap) => flap.code));
  const low = profile.weight.oew * 0.8;
  const high = profile.weight.mstow * 1.1;
  for (const flap of profile.flaps) {
    for (let i = 1; i <= 40; i += 1) {
      const mass = low + ((high - low) * i) / 40;
      if (vref(flap, mass) < vref(flap, mass - (high - low) / 40) - 1e-9) {
        problems.push(`flap ${flap.code}: VREF falls with weight near ${Math.round(mass)} kg`);
        break;
      }
    }
    if (flap.landing && !flap.goAround) problems.push(`flap ${flap.code}: a landing flap needs goAround`);
    for (const named of [flap.goAround?.flap, flap.goAround?.speedFlap]) {
      if (named !== undefined && !codes.has(named))
        problems.push(`flap ${flap.code}: goAround names unknown flap ${named}`);
    }
  }
  if (!profile.flaps.some((flap) => flap.landing && flap.certified))
    problems.push('no landing flap has dispatch data');
  if (profile.flaps.filter((flap) => flap.landing && flap.isDefault).length !== 1)
    problems.push('exactly one landing flap must be the default');
  if (!codes.has(profile.landing.vrefFlapRef))
    problems.push(`landing.vrefFlapRef names unknown flap ${profile.landing.vrefFlapRef}`);
  const quick = profile.brakes.quickTurn;
  if (quick && !codes.has(quick.flap)) problems.push(`brakes.quickTurn names unknown flap ${quick.flap}`);
  for (const entry of profile.nonNormal) {
    for (const named of [entry.flap, entry.vref?.flap]) {
      if (named && !codes.has(named)) problems.push(`nonNormal ${entry.value}: unknown flap ${named}`);
    }
  }
  return problems;
};

/** The roll on a worse condition code must not be shorter, from a light slow landing to a heavy fast one. */
const frictionProblems = (profile: AircraftProfile): string[] => {
  const problems: string[] = [];
  const flap = profile.flaps.find((entry) => entry.landing);
  const manual = profile.autobrakes.find((mode) => mode.manual);
  if (!flap || !manual) return problems;
  const { friction } = profile.braking;
  for (const [better, worse] of [
    [6, 4],
    [4, 3],
    [3, 1],
  ] as const) {
    const [a, b] = [friction[better], friction[worse]];
    if (a.kind === 'constant' && b.kind === 'constant' && a.mu < b.mu) {
      problems.push(`friction of code ${better} is below that of code ${worse}`);
    }
  }
  for (const massKg of [profile.weight.oew, profile.weight.mslw, profile.weight.mstow]) {
    let shorter = 0;
    for (const rwycc of [6, 5, 4, 3, 2, 1] as const) {
      const scene = plainScene(profile, flap, rwycc);
      const { distanceM } = groundRoll(rollOf(scene, massKg, ktToMps(vref(flap, massKg)) * 1.05, manual));
      if (distanceM < shorter)
        problems.push(`friction: code ${rwycc} stops shorter than code ${rwycc + 1} at ${massKg} kg`);
      shorter = distanceM;
    }
  }
  return problems;
};

/** Brake modes from the strongest down: target deceleration must not rise, delay must not fall. */
const brakeProblems = (profile: AircraftProfile): string[] => {
  const problems: string[] = [];
  const modes = profile.autobrakes.toSorted(
    (a, b) => (b.targetMps2 ?? Infinity) - (a.targetMps2 ?? Infinity),
  );
  if (modes.filter((mode) => mode.manual).length !== 1 || !modes[0]?.manual) {
    problems.push('exactly one brake mode must be manual, without a target deceleration');
  }
  modes.forEach((mode, i) => {
    const stronger = modes[i - 1];
    if (stronger && mode.delayS < stronger.delayS)
      problems.push(`autobrake ${mode.value}: delay shorter than that of ${stronger.value}`);
  });
  const points = profile.brakes.cooling.points;
  points.forEach((point, i) => {
    const before = points[i - 1];
    if (before && (point.energyMftlb <= before.energyMftlb || point.groundMin < before.groundMin)) {
      problems.push(`brakes.cooling.points must rise at ${point.energyMftlb}`);
    }
  });
  return problems;
};

const weightProblems = (profile: AircraftProfile): string[] => {
  const { oew, mzfw, mslw, mstow, msrw } = profile.weight;
  return oew < mzfw && mzfw <= mslw && mslw <= mstow && mstow <= msrw
    ? []
    : ['weights must rise: oew < mzfw <= mslw <= mstow <= msrw'];
};

/**
 * Engine-side checks of a profile that a schema cannot express: rising VREF, ordered friction and brake modes,
 * names that exist, golden points within tolerance. Empty when the profile is valid.
 */
export const checkProfile = (profile: AircraftProfile): string[] => {
  const structure = [
    ...weightProblems(profile),
    ...flapProblems(profile),
    ...brakeProblems(profile),
    ...frictionProblems(profile),
  ];
  if (structure.length > 0) return structure;
  return profile.vectors.flatMap((vector) => vectorProblems(profile, vector));
};
