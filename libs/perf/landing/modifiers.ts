import type {
  AircraftProfile,
  EffectProfile,
  NonNormalProfile,
  RwyccCode,
} from '#domain/aircraft/profile.ts';
import { choose } from './profile-lookup.ts';
import { refuse } from './problem.ts';
import type { Applied, LandingCase } from './types.ts';
import { appliedItem } from './types.ts';

interface Item {
  name: string;
  effect: EffectProfile;
  combine: 'multiply' | 'highest';
  onRequired: boolean;
  source: string;
}

/** Names of the effects that are values of this type. */
type Named<T> = {
  [K in keyof EffectProfile]-?: NonNullable<EffectProfile[K]> extends T ? K : never;
}[keyof EffectProfile];

/** Several effects as one, without their factors of distances. */
export const combined = (effects: readonly EffectProfile[]) => {
  const product = (name: Named<number>): number => effects.reduce((all, one) => all * (one[name] ?? 1), 1);
  const sum = (name: Named<number>): number => effects.reduce((all, one) => all + (one[name] ?? 0), 0);
  const most = (name: Named<number>): number => Math.max(0, ...effects.map((one) => one[name] ?? 0));
  const any = (name: Named<boolean>): boolean => effects.some((one) => one[name] === true);
  return {
    frictionFactor: product('frictionFactor'),
    antiskidInop: any('antiskidInop'),
    spoilerFraction: product('spoilerFraction'),
    reversersInop: sum('reversersInop'),
    delayAddS: sum('delayAddS'),
    groundDragFactor: product('groundDragFactor'),
    distanceAddM: sum('distanceAddM'),
    fieldWeightDecrementKg: sum('fieldWeightDecrementKg'),
    climbWeightDecrementKg: sum('climbWeightDecrementKg'),
    gradientDecrementPercent: sum('gradientDecrementPercent'),
    vrefAddKt: most('vrefAddKt'),
    brakeEnergyFactor: product('brakeEnergyFactor'),
    autobrakeInop: any('autobrakeInop'),
    autolandInop: any('autolandInop'),
    enginesOut: most('enginesOut'),
  };
};

/** Combined effect of failures, inoperative items and speedbrakes on one calculation. */
export interface Modifiers extends ReturnType<typeof combined> {
  /** factor of the actual distance */
  distanceFactor: number;
  /** factor of the required distance, applied after the operational factor */
  requiredFactor: number;
  nonNormal: readonly NonNormalProfile[];
  applied: readonly Applied[];
}

/** Nothing failed, nothing inoperative. */
export const noModifiers: Modifiers = {
  ...combined([]),
  distanceFactor: 1,
  requiredFactor: 1,
  nonNormal: [],
  applied: [],
};

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
const combineFactors = (factors: readonly (Pick<Item, 'combine'> & { value: number })[]): number => {
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
  const { spoilerFraction, delayAddS, fieldWeightDecrementKg } = speedbrake;
  const all = combined([
    { spoilerFraction, delayAddS, fieldWeightDecrementKg },
    ...items.map(({ effect }) => effect),
  ]);
  const factored = items.map((item) => {
    const { distanceFactor = 1, distanceFactorPerRwycc } = item.effect;
    return { ...item, value: distanceFactor * (distanceFactorPerRwycc?.[rwycc] ?? 1) };
  });
  // In flight there is no required distance, so its factor applies to the actual one.
  const isRequired = ({ onRequired }: Item): boolean => onRequired && landing.mode === 'dispatch';
  return {
    ...all,
    autobrakeInop: all.autobrakeInop || nonNormal.some((entry) => !entry.autobrakeAllowed),
    autolandInop: all.autolandInop || nonNormal.length > 0,
    distanceFactor: combineFactors(factored.filter((item) => !isRequired(item))),
    requiredFactor: combineFactors(factored.filter(isRequired)),
    nonNormal,
    applied: [
      ...(speedbrake.isDefault ? [] : [appliedItem('Speedbrake', speedbrake.value, '', 'profile options')]),
      ...factored.map(({ name, effect, source, value }) =>
        appliedEffect(name, value === 1 ? effect : { ...effect, distanceFactor: value }, source),
      ),
    ],
  };
};

const nonNormalOf = (profile: AircraftProfile, value: string): NonNormalProfile =>
  profile.nonNormal.find((entry) => entry.value === value) ??
  refuse('UNKNOWN_NON_NORMAL', { nonNormalCondition: value });
