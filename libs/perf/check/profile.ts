import type { AircraftProfile, VectorProfile } from '#domain/aircraft/profile.ts';
import { calcCaseSchema } from '#domain/performance/calc.ts';
import { calculateLine } from '../wire/calc.ts';
import { groundRoll } from '../kernel/ground-roll.ts';
import { ktToMps } from '../kernel/units.ts';
import { rollOf } from '../landing/distance.ts';
import { plainScene } from '../landing/scene.ts';
import { vref } from '../landing/speeds.ts';

/** The value at a dotted path of a result; brake modes are addressed by name (`modes.MED.actualDistanceM`). */
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
        `vectors: golden point "${vector.name}": ${path} is ${value ?? 'missing'}, expected ${expected} within ${tolerance.toFixed(2)}`,
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
        problems.push(`flaps.${flap.code}.vref: VREF falls with weight near ${Math.round(mass)} kg`);
        break;
      }
    }
    if (flap.landing && !flap.goAround) problems.push(`flaps.${flap.code}: a landing flap needs goAround`);
    for (const named of [flap.goAround?.flap, flap.goAround?.speedFlap]) {
      if (named !== undefined && !codes.has(named))
        problems.push(`flaps.${flap.code}.goAround: unknown flap ${named}`);
    }
  }
  if (!profile.flaps.some((flap) => flap.landing && flap.certified))
    problems.push('flaps: no landing flap has dispatch data');
  if (profile.flaps.filter((flap) => flap.landing && flap.isDefault).length !== 1)
    problems.push('flaps: exactly one landing flap must be the default');
  if (!codes.has(profile.landing.vrefFlapRef))
    problems.push(`landing.vrefFlapRef: unknown flap ${profile.landing.vrefFlapRef}`);
  const { goAroundFlap } = profile.landing;
  if (goAroundFlap !== undefined && !codes.has(goAroundFlap))
    problems.push(`landing.goAroundFlap: unknown flap ${goAroundFlap}`);
  for (const { increaseableWindLimitRunwayMinimumFlaps: least } of profile.landing.windLimit
    .crosswindLimitsPerRunwayConditions)
    if (least !== null && !codes.has(least))
      problems.push(`landing.windLimit.crosswindLimitsPerRunwayConditions: unknown flap ${least}`);
  const quick = profile.brakes.quickTurn;
  if (quick && !codes.has(quick.flap)) problems.push(`brakes.quickTurn: unknown flap ${quick.flap}`);
  for (const entry of profile.nonNormal) {
    for (const named of [entry.flap, entry.vref?.flap]) {
      if (named && !codes.has(named)) problems.push(`nonNormal.${entry.value}: unknown flap ${named}`);
    }
  }
  return problems;
};

/** A worse condition code must not shorten the ground roll, at any weight and speed. */
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
      problems.push(`braking.friction: friction of code ${better} is below that of code ${worse}`);
    }
  }
  for (const massKg of [profile.weight.oew, profile.weight.mslw, profile.weight.mstow]) {
    let shorter = 0;
    for (const rwycc of [6, 5, 4, 3, 2, 1] as const) {
      const scene = plainScene(profile, flap, rwycc);
      const { distanceM } = groundRoll(rollOf(scene, massKg, ktToMps(vref(flap, massKg)) * 1.05, manual));
      if (distanceM < shorter)
        problems.push(`braking.friction: code ${rwycc} stops shorter than code ${rwycc + 1} at ${massKg} kg`);
      shorter = distanceM;
    }
  }
  return problems;
};

/** From the strongest brake mode down, target deceleration must not rise and delay must not fall. */
const brakeProblems = (profile: AircraftProfile): string[] => {
  const problems: string[] = [];
  const modes = profile.autobrakes.toSorted(
    (a, b) => (b.targetMps2 ?? Infinity) - (a.targetMps2 ?? Infinity),
  );
  if (modes.filter((mode) => mode.manual).length !== 1 || !modes[0]?.manual) {
    problems.push('autobrakes: exactly one brake mode must be manual, without a target deceleration');
  }
  modes.forEach((mode, i) => {
    const stronger = modes[i - 1];
    if (stronger && mode.delayS < stronger.delayS)
      problems.push(`autobrakes.${mode.value}: delay shorter than that of ${stronger.value}`);
  });
  const points = profile.brakes.cooling.points;
  points.forEach((point, i) => {
    const before = points[i - 1];
    if (before && (point.energyMftlb <= before.energyMftlb || point.groundMin < before.groundMin)) {
      problems.push(`brakes.cooling.points: must rise at ${point.energyMftlb}`);
    }
  });
  return problems;
};

const weightProblems = (profile: AircraftProfile): string[] => {
  const { oew, mzfw, mslw, mstow, msrw } = profile.weight;
  return oew < mzfw && mzfw <= mslw && mslw <= mstow && mstow <= msrw
    ? []
    : ['weight: weights must rise: oew < mzfw <= mslw <= mstow <= msrw'];
};

const structureProblems = (profile: AircraftProfile): string[] => [
  ...weightProblems(profile),
  ...flapProblems(profile),
  ...brakeProblems(profile),
  ...frictionProblems(profile),
];

const goldenProblems = (profile: AircraftProfile): string[] =>
  profile.vectors.flatMap((vector) => vectorProblems(profile, vector));

/**
 * Checks of a profile that a schema cannot express, as `path: reason`: rising VREF, ordered friction and brake modes,
 * names that exist, golden points within tolerance. Empty if the profile is valid.
 */
export const checkProfile = (profile: AircraftProfile): string[] => {
  const structure = structureProblems(profile);
  return structure.length > 0 ? structure : goldenProblems(profile);
};

/** Landings that must give an answer or a refusal for every aircraft. */
const probes = [
  { mode: 'inflight', runway: { ldaM: 3_000 } },
  {
    mode: 'inflight',
    runway: { ldaM: 2_500, elevationFt: 5_000, slopePercent: -1 },
    weather: { headwindKt: -10, temperatureC: 35 },
    runwayCondition: { rwycc: 2 },
  },
  { mode: 'dispatch', runway: { ldaM: 2_500 } },
  {
    mode: 'dispatch',
    runway: { ldaM: 3_000, elevationFt: 5_000 },
    weather: { headwindKt: -10, temperatureC: 35 },
    runwayCondition: { rwycc: 5 },
  },
].map((each) => calcCaseSchema.parse(each));

/** Path of the first number that is not finite. */
const notFiniteIn = (value: unknown, path = 'result'): string | null => {
  if (typeof value === 'number') return Number.isFinite(value) ? null : path;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, child] of Object.entries(value)) {
    const found = notFiniteIn(child, `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
};

const probeProblems = (profile: AircraftProfile): string[] => {
  const weightKg = profile.weight.mslw * 0.95;
  for (const probe of probes) {
    const path = notFiniteIn(
      calculateLine(profile, probe.mode === 'inflight' ? { ...probe, weightKg } : probe),
    );
    if (path !== null)
      return [`${path}: is not a finite number ${probe.mode}, so a value of the profile is out of range`];
  }
  return [];
};

/**
 * Checks a profile that a user derived from a standard one. The golden points are those of the unchanged standard
 * aircraft, so they only count if the user supplies some. The probe landings must give finite numbers.
 */
export const checkFleetProfile = (profile: AircraftProfile, hasGoldenPoints: boolean): string[] => {
  const structure = structureProblems(profile);
  if (structure.length > 0) return structure;
  const probed = probeProblems(profile);
  return probed.length > 0 || !hasGoldenPoints ? probed : goldenProblems(profile);
};
