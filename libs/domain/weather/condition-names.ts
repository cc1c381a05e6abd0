/** Runway conditions and their names, by surface and by runway condition code. */

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

export interface RunwayCondition {
  /** Null when the runway is closed by snow. */
  dispatch: DispatchCondition | null;
  /** Runway condition code of the RCAM; null when the runway is closed by snow. */
  code: Code | null;
  /** The code was reported by the aerodrome or as a braking action, so it may be worse than the surface suggests. */
  isCodeReported: boolean;
  /** Reported for this runway, not derived from the weather. */
  isOfRunway: boolean;
  /** Depth of the deposit as reported; null without one. */
  depthMm: number | null;
  /** Highest percentage for the reported coverage digit; null when not reported. */
  coveragePercent: number | null;
  /** The decisive word in the report; null when the weather is dry. */
  evidence: string | null;
  /** Dry is assumed: the report has no present weather, or a state group without a deposit. */
  isAssumed: boolean;
}

/** The condition of a runway that is not closed. */
export type KnownCondition = RunwayCondition & { dispatch: DispatchCondition; code: Code };

/** No weather that wets a runway. */
export const dry: KnownCondition = {
  dispatch: 'DRY',
  code: 6,
  isCodeReported: false,
  isOfRunway: false,
  depthMm: null,
  coveragePercent: null,
  evidence: null,
  isAssumed: false,
};
