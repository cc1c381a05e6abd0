import type {
  AircraftProfile,
  AutobrakeProfile,
  ConditionProfile,
  FlapProfile,
  NonNormalProfile,
  QualityMark,
} from '#domain/aircraft/profile.ts';
import { estimatedSource } from '#domain/aircraft/profile-blocks.ts';
import { refuse } from './problem.ts';

/** Flap entry by code; without one, the case cannot be calculated. */
export const flapOf = (profile: AircraftProfile, code: string): FlapProfile => {
  const flap = profile.flaps.find((entry) => entry.code === code);
  return flap ?? refuse('UNKNOWN_FLAP', { flap: code });
};

/** The requested option, or the default (else the first) if none is requested. */
export const choose = <T extends { value: string; isDefault: boolean }>(
  list: readonly T[],
  value: string | undefined,
  name: string,
): T => {
  const found =
    value === undefined
      ? (list.find((entry) => entry.isDefault) ?? list[0])
      : list.find((entry) => entry.value === value);
  return found ?? refuse('UNKNOWN_OPTION', { name, value: value ?? '' });
};

/** Maximum manual braking, which every profile has. */
export const manualMode = (profile: AircraftProfile): AutobrakeProfile => {
  const mode = profile.autobrakes.find((entry) => entry.manual);
  return mode ?? refuse('PROFILE', { what: 'manual braking mode' });
};

/** Condition by value, from the mode's own list or else the other one. */
export const conditionOf = (
  profile: AircraftProfile,
  mode: 'dispatch' | 'inflight',
  state: string,
): ConditionProfile => {
  const { dispatch, enroute } = profile.conditions;
  const list = mode === 'dispatch' ? [...dispatch, ...enroute] : [...enroute, ...dispatch];
  return list.find((entry) => entry.value === state) ?? refuse('UNKNOWN_CONDITION', { state });
};

/** Maximum contaminant depth (mm) for a takeoff or landing; the type limits dry snow. */
export const mostDepthMm = ({ limits }: AircraftProfile, { value, maxDepthMm }: ConditionProfile): number =>
  value === 'DRY_SNOW' ? Math.min(maxDepthMm, limits.drySnowMm) : maxDepthMm;

/** Refuses a depth (mm) outside the contaminant's range; without a depth, a deposit would count as a wet runway. */
export const checkDepth = (profile: AircraftProfile, condition: ConditionProfile, depthMm: number): void => {
  const { value: state, label: surface, requiresDepth, minDepthMm: minMm } = condition;
  const maxMm = mostDepthMm(profile, condition);
  if (requiresDepth && !(depthMm >= minMm - 1e-6 && depthMm <= maxMm + 1e-6))
    refuse('DEPTH_OUTSIDE_RANGE', { state, surface, depthMm, minMm, maxMm });
};

/** Structural landing weight, or the profile's separate limit (kg). */
export const structuralKg = ({ weight }: AircraftProfile): number =>
  Math.min(weight.mslw, weight.performanceLimitedWeight ?? Infinity);

const rank: Record<QualityMark, number> = { certifiedFit: 0, tableFit: 1, estimated: 2 };

/** The lowest quality among the profile blocks that a result uses. */
export const weakestQuality = (
  profile: AircraftProfile,
  blocks: readonly AircraftProfile['provenance'][number]['block'][],
): { quality: QualityMark; estimated: string[] } => {
  let quality: QualityMark = 'certifiedFit';
  const estimated: string[] = [];
  for (const entry of profile.provenance) {
    if (!blocks.includes(entry.block)) continue;
    if (rank[entry.quality] > rank[quality]) quality = entry.quality;
    if (entry.quality === 'estimated') estimated.push(entry.block);
  }
  return { quality, estimated };
};

/** Whether any of the conditions lacks published figures. */
export const hasEstimated = (conditions: readonly NonNormalProfile[]): boolean =>
  conditions.some(({ source }) => source === estimatedSource);

/** Air time of a landing assessment at the time of arrival (AC 25-32), s. */
export const assessedAirTimeS = 7;

/** The profile with the case's air distance: from its table, or 7 s if longer. */
export const withAirDistance = (
  profile: AircraftProfile,
  basis: 'TABLE' | '7S' | undefined,
): AircraftProfile => {
  const { airDistance } = profile;
  if (basis !== '7S' || airDistance.timeS >= assessedAirTimeS) return profile;
  return { ...profile, airDistance: { ...airDistance, timeS: assessedAirTimeS } };
};

/** The profile with the case's brakes: requested, else from `model.brakes`, else its own. */
export const withBrakes = (
  profile: AircraftProfile,
  kind: 'steel' | 'carbon' | undefined,
): AircraftProfile => {
  const named = profile.model.brakes.toLowerCase();
  const wanted = kind ?? (named === 'steel' || named === 'carbon' ? named : profile.brakes.kind);
  if (wanted === profile.brakes.kind) return profile;
  const brakes = profile.brakeOptions[wanted];
  if (brakes) return { ...profile, brakes };
  if (kind === undefined) return profile;
  return refuse('UNKNOWN_OPTION', { name: 'brakes', value: kind });
};

export const reversersFitted = ({ thrust, engineCount }: AircraftProfile): number =>
  thrust.reverse.count ?? engineCount;
