import type { CautionParams, Severity } from '../landing/caution-codes.ts';

type Nothing = Record<string, never>;

/** Cautions that a takeoff has like a landing, with the same words. */
export const sharedCodes = [
  'TAILWIND_LIMIT',
  'HEADWIND_LIMIT',
  'CROSSWIND_LIMIT',
  'CROSSWIND_LIMIT_INCREASED',
  'OFFICIAL_CONDITION_WORSE',
  'RUNWAY_NARROW',
  'ASSUMED',
  'VARIABLE_WIND',
  'ICING_ANTI_ICE_OFF',
] as const satisfies (keyof CautionParams)[];

/** The numbers of each caution that only a takeoff has: SI, knots and degrees. Texts are in `libs/perf/wire/takeoff-words.ts`. */
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

export type OwnTakeoffCode = keyof OwnTakeoffParams;
export type TakeoffCautionParams = OwnTakeoffParams & Pick<CautionParams, (typeof sharedCodes)[number]>;
export type TakeoffCautionCode = keyof TakeoffCautionParams;

/** One caution with the numbers of its text. */
export type TakeoffCaution = {
  [C in TakeoffCautionCode]: { code: C; severity: Severity; params: Readonly<TakeoffCautionParams[C]> };
}[TakeoffCautionCode];

/** Warnings with these codes are limits that are exceeded. */
export const takeoffLimitCodes: ReadonlySet<TakeoffCautionCode> = new Set<TakeoffCautionCode>([
  'NO_TAKEOFF_WEIGHT',
  'WEIGHT_ABOVE_LIMIT',
  'WEIGHT_UNDER_NOTAM',
  'DISTANCE_UNDER_NOTAM',
  'TAILWIND_LIMIT',
  'HEADWIND_LIMIT',
  'CROSSWIND_LIMIT',
  'OFFICIAL_CONDITION_WORSE',
  'RUNWAY_NARROW',
]);

export const isTakeoffLimitExceeded = ({ code, severity }: TakeoffCaution): boolean =>
  severity === 'warning' && takeoffLimitCodes.has(code);
