import type {
  AircraftProfile,
  EffectProfile,
  NonNormalProfile,
  RwyccCode,
} from '#domain/aircraft/profile.ts';
import { choose } from './profile-lookup.ts';
import { refuse } from './problem.ts';
import type { Applied, LandingCase } from './types.ts';
import { appliedItem } from './applied-item.ts';

/** Combined effect of failures, inoperative items and speedbrakes on one calculation. */
export interface Modifiers {
  frictionFactor: number;
  antiskidInop: boolean;
  spoilerFraction: number;
  reversersInop: number;
  delayAddS: number;
  groundDragFactor: number;
  /** factor of the actual distance */
  distanceFactor: number;
  /** factor of the required distance, applied after the operational factor */
  requiredFactor: number;
  distanceAddM: number;
  fieldWeightDecrementKg: number;
  climbWeightDecrementKg: number;
  gradientDecrementPercent: number;
  vrefAddKt: number;
  brakeEnergyFactor: number;
  autobrakeInop: boolean;
  autolandInop: boolean;
  enginesOut: number;
  nonNormal: NonNormalProfile[];
  applied: Applied[];
}

interface Item {
  name: string;
  effect: EffectProfile;
  combine: 'multiply' | 'highest';
  onRequired: boolean;
  source: string;
}

/** Nothing failed, nothing inoperative. */
export const noModifiers = (): Modifiers => ({
  frictionFactor: 1,
  antiskidInop: false,
  spoilerFraction: 1,
  reversersInop: 0,
  delayAddS: 0,
  groundDragFactor: 1,
  distanceFactor: 1,
  requiredFactor: 1,
  distanceAddM: 0,
  fieldWeightDecrementKg: 0,
  climbWeightDecrementKg: 0,
  gradientDecrementPercent: 0,
  vrefAddKt: 0,
  brakeEnergyFactor: 1,
  autobrakeInop: false,
  autolandInop: false,
  enginesOut: 0,
  nonNormal: [],
  applied: [],
});

/** Inoperative items of a case, from the profile. */
export const inoperative = (
  profile: AircraftProfile,
  configuration: { mel?: readonly string[] | undefined; cdl?: readonly string[] | undefined },
) =>
  (['mel', 'cdl'] as const).flatMap((kind) =>
    (configuration[kind] ?? []).map((code) => {
      const entry = profile[kind].find(({ value }) => value === code);
      const item = entry ?? refuse('UNKNOWN_ITEM', { kind, item: code });
      return { ...item, name: `${kind.toUpperCase()} ${item.value} ${item.label}` };
    }),
  );

/** Items that affect a case: non-normal conditions in flight, and applicable MEL and CDL items. */
const itemsOf = (
  profile: AircraftProfile,
  { configuration, mode }: LandingCase,
  nonNormal: readonly NonNormalProfile[],
): Item[] => [
  ...nonNormal.map((entry) => ({ ...entry, name: `Non-normal ${entry.label}`, onRequired: false })),
  ...inoperative(profile, configuration).map((item) => {
    const effect = mode === 'dispatch' ? (item.effectDispatch ?? item.effect) : item.effect;
    const applies = item.appliesTo === 'both' || item.appliesTo === mode;
    return {
      ...item,
      name: `${item.name}${applies ? '' : ` (no effect ${mode})`}`,
      effect: applies ? effect : {},
    };
  }),
];

/** Factors multiply; if all carry the asterisk rule, only the highest applies. */
const combineFactors = (factors: { value: number; combine: 'multiply' | 'highest' }[]): number => {
  const active = factors.filter((entry) => entry.value !== 1);
  if (active.length > 1 && active.every((entry) => entry.combine === 'highest')) {
    return Math.max(...active.map((entry) => entry.value));
  }
  return active.reduce((product, entry) => product * entry.value, 1);
};

/** An effect as shown in a result; a part that depends on the condition code is included in the factor. */
export const appliedEffect = (name: string, effect: EffectProfile, source: string): Applied => {
  const parts = Object.entries(effect).flatMap(([key, amount]) =>
    typeof amount === 'object' ? [] : [`${key}=${amount}`],
  );
  const value = parts.join(' ');
  return appliedItem(name, value === '' ? 'no performance penalty' : value, '', source);
};

/** Combines all failures and inoperative items for a runway condition code. */
export const modifiersOf = (
  profile: AircraftProfile,
  landing: LandingCase,
  rwycc: Exclude<RwyccCode, 0>,
): Modifiers => {
  const nonNormal =
    landing.mode === 'inflight'
      ? landing.configuration.nonNormal.map((value) => nonNormalOf(profile, value))
      : [];
  const items = itemsOf(profile, landing, nonNormal);
  const speedbrake = choose(profile.options.groundSpoilers, landing.configuration.speedbrake, 'speedbrake');
  const out: Modifiers = {
    ...noModifiers(),
    spoilerFraction: speedbrake.spoilerFraction,
    delayAddS: speedbrake.delayAddS,
    fieldWeightDecrementKg: speedbrake.fieldWeightDecrementKg,
    autobrakeInop: nonNormal.some((entry) => !entry.autobrakeAllowed),
    autolandInop: nonNormal.length > 0,
    nonNormal,
  };
  if (!speedbrake.isDefault) {
    out.applied.push(appliedItem('Speedbrake', speedbrake.value, '', 'profile options'));
  }
  const actual: { value: number; combine: 'multiply' | 'highest' }[] = [];
  const required: typeof actual = [];
  for (const item of items) {
    const { effect } = item;
    const factor = (effect.distanceFactor ?? 1) * (effect.distanceFactorPerRwycc?.[rwycc] ?? 1);
    // In flight there is no required distance, so its factor applies to the actual one.
    (item.onRequired && landing.mode === 'dispatch' ? required : actual).push({
      value: factor,
      combine: item.combine,
    });
    out.frictionFactor *= effect.frictionFactor ?? 1;
    out.antiskidInop ||= effect.antiskidInop ?? false;
    out.spoilerFraction *= effect.spoilerFraction ?? 1;
    out.reversersInop += effect.reversersInop ?? 0;
    out.delayAddS += effect.delayAddS ?? 0;
    out.groundDragFactor *= effect.groundDragFactor ?? 1;
    out.distanceAddM += effect.distanceAddM ?? 0;
    out.fieldWeightDecrementKg += effect.fieldWeightDecrementKg ?? 0;
    out.climbWeightDecrementKg += effect.climbWeightDecrementKg ?? 0;
    out.gradientDecrementPercent += effect.gradientDecrementPercent ?? 0;
    out.vrefAddKt = Math.max(out.vrefAddKt, effect.vrefAddKt ?? 0);
    out.brakeEnergyFactor *= effect.brakeEnergyFactor ?? 1;
    out.autobrakeInop ||= effect.autobrakeInop ?? false;
    out.autolandInop ||= effect.autolandInop ?? false;
    out.enginesOut = Math.max(out.enginesOut, effect.enginesOut ?? 0);
    const shown = { ...effect, ...(factor === 1 ? {} : { distanceFactor: factor }) };
    out.applied.push(appliedEffect(item.name, shown, item.source));
  }
  out.distanceFactor = combineFactors(actual);
  out.requiredFactor = combineFactors(required);
  return out;
};

const nonNormalOf = (profile: AircraftProfile, value: string): NonNormalProfile =>
  profile.nonNormal.find((entry) => entry.value === value) ??
  refuse('UNKNOWN_NON_NORMAL', { nonNormalCondition: value });
