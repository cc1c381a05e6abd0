/** Names of runway conditions, by surface and by runway condition code. */

/** Condition names for dispatch calculations. */
export type DispatchCondition =
  | 'DRY'
  | 'WET'
  | 'SLIPPERY_WET'
  | 'STANDING_WATER'
  | 'SLUSH'
  | 'DRY_SNOW'
  | 'WET_SNOW'
  | 'COMPACTED_SNOW'
  | 'ICE';

/** Condition names for the landing distance at time of arrival, by runway condition code 6 to 1. */
export const enrouteByCode = {
  6: 'DRY',
  5: 'GOOD',
  4: 'GOOD_TO_MEDIUM',
  3: 'MEDIUM',
  2: 'MEDIUM_TO_POOR',
  1: 'POOR',
} as const;
export type Code = keyof typeof enrouteByCode;
type EnrouteCondition = (typeof enrouteByCode)[Code];

/** Null for a closed runway or one with braking nil. */
export const enrouteOf = (code: Code | null): EnrouteCondition | null =>
  code === null ? null : enrouteByCode[code];

/** The bare-surface condition no better than the code, for dispatch and takeoff. */
export const surfaceByCode: Readonly<Record<Code, DispatchCondition>> = {
  6: 'DRY',
  5: 'WET',
  4: 'COMPACTED_SNOW',
  3: 'SLIPPERY_WET',
  2: 'ICE',
  1: 'ICE',
};
