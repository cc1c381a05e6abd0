import type { OperatorReport } from '#domain/performance/request-parts.ts';

/** Severity of a caution: an exceeded limit or unmet requirement, or an advisory. */
type Severity = 'warning' | 'advisory';

type Nothing = Record<string, never>;

/**
 * The numbers in each landing caution, some of which takeoffs share: SI, knots, degrees and percent. Texts, fields and
 * units of answers are in `libs/perf/wire/caution-words.ts`.
 */
export interface LandingCautionParams {
  OVERWEIGHT: { weightKg: number; limitKg: number };
  CLIMB_WEIGHT: { weightKg: number; limitKg: number };
  FACTORED_ABOVE_LDA: { distanceM: number; ldaM: number };
  UNFACTORED_ABOVE_LDA: { distanceM: number; ldaM: number };
  SMALL_MARGIN: { marginM: number };
  MODES_ABOVE_LDA: { modes: string };
  MODES_CANNOT_STOP: { modes: string };
  GRADIENT_BELOW_REQUESTED: { percent: number; requested: number };
  GRADIENT_BELOW_MINIMUM: { percent: number; minimum: number };
  BALKED_LANDING_WEIGHT: { weightKg: number; limitKg: number };
  TAILWIND_LIMIT: { tailwindKt: number; limitKt: number };
  HEADWIND_LIMIT: { headwindKt: number; limitKt: number };
  CROSSWIND_LIMIT: { crosswindKt: number; limitKt: number };
  CROSSWIND_LIMIT_INCREASED: { crosswindKt: number; limitKt: number; raisedLimitKt: number; rule: string };
  AUTOLAND_UNAVAILABLE: { flap: string };
  REVERSER_CREDIT_NOT_TAKEN: { reversers: number };
  AUTOBRAKE_UNAVAILABLE: { autobrake: string };
  BRAKE_CAUTION: Nothing;
  FUSE_MELT: { modes: string; autobrakes: readonly string[] };
  /** `autobrakes` null: a dispatch landing */
  LDA_UNDER_NOTAM: { distanceM: number; ldaM: number; autobrakes: readonly string[] | null };
  QUICK_TURN_EXCEEDED: { weightKg: number; limitKg: number; waitMinutes: number };
  TIRE_SPEED: { groundSpeedKt: number; ratingKt: number };
  EXTRAPOLATED: { what: string };
  ESTIMATED: { blocks: string };
  NON_NORMAL_UNFACTORED: Nothing;
  VREF_ADD_BY_ITEM: { knots: number };
  CG_NOT_USED: { percent: number };
  ADDITIVE_CAPPED: { askedKt: number; knots: number };
  ADDITIVE_RAISED: { askedKt: number; knots: number };
  NOTAM_SHORTENED: { distanceM: number };
  OFFICIAL_CONDITION_WORSE: OperatorReport & { state: string; rwycc: number };
  RUNWAY_NARROW: { lengthM: number; minimumM: number };
  STEEP_APPROACH: { angleDeg: number; limitDeg: number; consequence: string };
  VFE_MARGIN: { vAppKt: number; vfeKt: number };
  VFE_NEAR: { vAppKt: number; vfeKt: number; marginKt: number };
  AUTOBRAKE_RELIEF: { autobrake: string };
  ASSUMED: { parts: string };
  VARIABLE_WIND: Nothing;
  GUST_BELOW_WIND: Nothing;
  ICING_ANTI_ICE_OFF: Nothing;
  GRADIENT_BELOW_RUNWAY: { percent: number; required: number };
  ADDITIVE_FOR_WIND: { knots: number };
  ADDITIVE_ON_TOP: { knots: number; totalKt: number };
  ADDITIVE_BELOW_WIND: { knots: number; least: number };
  NOTE: { text: string };
}

/**
 * The numbers in each caution that only takeoffs have: SI, knots and degrees. Texts are in
 * `libs/perf/wire/takeoff-words.ts`.
 */
export interface OwnTakeoffParams {
  NO_TAKEOFF_WEIGHT: Nothing;
  WEIGHT_ABOVE_LIMIT: { weightKg: number; limitKg: number; limitedBy: string };
  WEIGHT_UNDER_NOTAM: { weightKg: number; limitKg: number };
  DISTANCE_UNDER_NOTAM: { distanceM: number; availableM: number; declared: 'ASDA' | 'TODA' };
  MINIMUM_CONTROL_SPEED: { weightKg: number; minimumKg: number };
  OBSTACLES_NOT_CONSIDERED: Nothing;
  FULL_THRUST: { why: string };
  ASSUMED_TEMPERATURE_TOO_HIGH: { askedC: number; highestC: number | null };
  ASSUMED_TEMPERATURE_TOO_LOW: { askedC: number; leastC: number };
  IMPROVED_CLIMB: { knots: number };
  TAKEOFF_ESTIMATED: { flap: string };
  SPEEDS_ESTIMATED: { v1Kt: number; vRKt: number; v2Kt: number };
  SCREEN_15_FT: Nothing;
  LINEUP_ESTIMATED: Nothing;
  LINEUP_NOT_KNOWN: Nothing;
  CG_NOT_CREDITED: Nothing;
  NOTAM_SHORTENED_TAKEOFF: { distanceM: number };
  VALIDITY: { qnhHpa: number; temperatureC: number; headwindKt: number };
}

type CautionParams = LandingCautionParams & OwnTakeoffParams;
type CautionCode = keyof CautionParams;

/** A caution with the numbers in its text. */
export type Caution = {
  [C in CautionCode]: { code: C; severity: Severity; params: Readonly<CautionParams[C]> };
}[CautionCode];

/** Warnings with these codes are exceeded limits: they make the verdict `LIMIT_EXCEEDED` or worse. */
const limitCodes: ReadonlySet<CautionCode> = new Set<CautionCode>([
  'OVERWEIGHT',
  'CLIMB_WEIGHT',
  'GRADIENT_BELOW_REQUESTED',
  'GRADIENT_BELOW_MINIMUM',
  'BALKED_LANDING_WEIGHT',
  'TAILWIND_LIMIT',
  'HEADWIND_LIMIT',
  'CROSSWIND_LIMIT',
  'AUTOLAND_UNAVAILABLE',
  'FUSE_MELT',
  'LDA_UNDER_NOTAM',
  'TIRE_SPEED',
  'OFFICIAL_CONDITION_WORSE',
  'RUNWAY_NARROW',
  'STEEP_APPROACH',
  'VFE_MARGIN',
  'NO_TAKEOFF_WEIGHT',
  'WEIGHT_ABOVE_LIMIT',
  'WEIGHT_UNDER_NOTAM',
  'DISTANCE_UNDER_NOTAM',
]);

export const isLimitExceeded = ({ code, severity }: Caution): boolean =>
  severity === 'warning' && limitCodes.has(code);

/** The brake modes that an exceeded limit applies to; null: all. */
export const modesConcerned = (caution: Caution): readonly string[] | null =>
  'autobrakes' in caution.params ? caution.params.autobrakes : null;

/** Whether an exceeded limit applies to a brake mode, or without one to all modes. */
export const exceedsLimit = (cautions: readonly Caution[], autobrake?: string): boolean =>
  cautions.some((caution) => {
    const modes = modesConcerned(caution);
    return (
      isLimitExceeded(caution) && (modes === null || (autobrake !== undefined && modes.includes(autobrake)))
    );
  });

/** Collects cautions, each code once, after those given. */
export const cautionList = (
  before: readonly Caution[] = [],
): {
  list: Caution[];
  add: <C extends CautionCode>(code: C, severity: Severity, params: CautionParams[C]) => void;
} => {
  const list = [...before];
  return {
    list,
    add: (code, severity, params) => {
      if (code === 'NOTE' || !list.some((entry) => entry.code === code))
        list.push({ code, severity, params } as Caution);
    },
  };
};

export type Cautions = ReturnType<typeof cautionList>;
