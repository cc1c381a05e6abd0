import type { z } from 'zod';
import type { conditionProfileSchema } from './profile-parts.ts';

type ConditionProfile = z.output<typeof conditionProfileSchema>;

/** Densities of contaminants in kg/m3, from AMC 25.1591. */
const water = 1000;
const slush = 850;

/** Up to 3 mm of water, slush or snow brakes like a wet runway (RCAM, code 5). */
const layer = (maxDepthMm: number): Partial<ConditionProfile> => ({
  requiresDepth: true,
  minDepthMm: 0.1,
  maxDepthMm,
  thin: { upToMm: 3, rwycc: 5, group: 'wet' },
});

const row = (
  value: string,
  label: string,
  order: number,
  group: ConditionProfile['group'],
  rwycc: ConditionProfile['rwycc'],
  rest: Partial<ConditionProfile> = {},
): ConditionProfile => ({
  value,
  label,
  order,
  isDefault: value === 'DRY',
  group,
  rwycc,
  isSlippery: rwycc < 6,
  requiresDepth: false,
  minDepthMm: 0,
  maxDepthMm: 0,
  ...rest,
});

const surfaces = (from: number, certified: boolean): ConditionProfile[] => [
  row('COMPACTED_SNOW', 'Compacted snow', from, 'contaminated', 4, {
    ...(certified ? {} : { warmer: { thanC: -15, rwycc: 3 as const } }),
    contaminant: { fluid: 'compactedSnow', densityKgM3: 0 },
  }),
  row('DRY_SNOW', 'Dry snow', from + 1, 'contaminated', 3, {
    ...layer(130),
    contaminant: { fluid: 'drySnow', densityKgM3: 0 },
  }),
  row('WET_SNOW', 'Wet snow', from + 2, 'contaminated', 3, {
    ...layer(30),
    contaminant: { fluid: 'wetSnow', densityKgM3: 0 },
  }),
  row('SLUSH', 'Slush', from + 3, 'contaminated', 2, {
    ...layer(13),
    contaminant: { fluid: 'slush', densityKgM3: slush },
  }),
  row('STANDING_WATER', 'Standing water', from + 4, 'contaminated', 2, {
    ...layer(13),
    contaminant: { fluid: 'water', densityKgM3: water },
  }),
  row('ICE', 'Ice', from + 5, 'contaminated', 1, { contaminant: { fluid: 'ice', densityKgM3: 0 } }),
  row('WET_ICE', 'Wet ice', from + 6, 'contaminated', 0, { contaminant: { fluid: 'ice', densityKgM3: 0 } }),
];

/**
 * Runway conditions for dispatch: contaminants with their RCAM codes. Compacted snow keeps code 4 at any temperature,
 * as in the certified data of AMC 25.1591 (friction 0.20); in flight its limit is -15 C.
 */
export const standardDispatchConditions = (): ConditionProfile[] => [
  row('DRY', 'Dry', 0, 'dry', 6),
  row('WET', 'Wet (up to 3 mm)', 1, 'wet', 5),
  row('SLIPPERY_WET', 'Slippery when wet', 2, 'contaminated', 3),
  ...surfaces(3, true),
];

/** Runway conditions in flight: by reported braking action, then by contaminant. */
export const standardEnrouteConditions = (): ConditionProfile[] => [
  row('DRY', 'Dry (6)', 0, 'dry', 6, { shortDisplay: '6' }),
  row('GOOD', 'Good (5)', 1, 'wet', 5, { shortDisplay: '5' }),
  row('GOOD_TO_MEDIUM', 'Good to medium (4)', 2, 'contaminated', 4, { shortDisplay: '4' }),
  row('MEDIUM', 'Medium (3)', 3, 'contaminated', 3, { shortDisplay: '3' }),
  row('MEDIUM_TO_POOR', 'Medium to poor (2)', 4, 'contaminated', 2, { shortDisplay: '2' }),
  row('POOR', 'Poor (1)', 5, 'contaminated', 1, { shortDisplay: '1' }),
  row('WET', 'Wet (up to 3 mm)', 6, 'wet', 5),
  row('SLIPPERY_WET', 'Slippery when wet', 7, 'contaminated', 3),
  ...surfaces(8, false),
];

/** The code of a contaminant up to a depth in mm, above the temperature limit of its row; null for others. */
export const codeIn = (
  conditions: readonly ConditionProfile[],
  state: string,
  depthMm: number,
): ConditionProfile['rwycc'] | null => {
  const found = conditions.find(({ value }) => value === state);
  if (!found) return null;
  const { thin, warmer, rwycc } = found;
  return thin && depthMm <= thin.upToMm ? thin.rwycc : (warmer?.rwycc ?? rwycc);
};
