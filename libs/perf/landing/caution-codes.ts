/** Severity of a caution: a limit that is exceeded, or an advisory. */
export type Severity = 'warning' | 'advisory';

/** One caution with the numbers for its text. Texts live in `libs/perf/wire/messages.ts`. */
export interface Caution {
  code: CautionCode;
  severity: Severity;
  params: Readonly<Record<string, string | number>>;
}

export type CautionCode =
  | 'OVERWEIGHT'
  | 'FACTORED_ABOVE_LDA'
  | 'UNFACTORED_ABOVE_LDA'
  | 'SMALL_MARGIN'
  | 'MODES_ABOVE_LDA'
  | 'MODES_CANNOT_STOP'
  | 'GRADIENT_BELOW_REQUESTED'
  | 'GRADIENT_BELOW_MINIMUM'
  | 'BALKED_LANDING_WEIGHT'
  | 'NO_LANDING_POSSIBLE'
  | 'TAILWIND_LIMIT'
  | 'HEADWIND_LIMIT'
  | 'CROSSWIND_LIMIT'
  | 'CROSSWIND_LIMIT_INCREASED'
  | 'AUTOLAND_UNAVAILABLE'
  | 'REVERSER_CREDIT_NOT_TAKEN'
  | 'AUTOBRAKE_UNAVAILABLE'
  | 'BRAKE_CAUTION'
  | 'FUSE_MELT'
  | 'QUICK_TURN_EXCEEDED'
  | 'TIRE_SPEED'
  | 'EXTRAPOLATED'
  | 'ESTIMATED'
  | 'NON_NORMAL_UNFACTORED'
  | 'VREF_ADD_BY_ITEM'
  | 'ADDITIVE_CAPPED'
  | 'ADDITIVE_RAISED'
  | 'NOTAM_SHORTENED'
  | 'RUNWAY_NARROW'
  | 'STEEP_APPROACH'
  | 'VFE_MARGIN'
  | 'VFE_NEAR'
  | 'AUTOBRAKE_RELIEF'
  | 'ASSUMED'
  | 'VARIABLE_WIND'
  | 'GRADIENT_BELOW_RUNWAY'
  | 'ADDITIVE_FOR_WIND'
  | 'ADDITIVE_BELOW_WIND'
  | 'NOTE';
