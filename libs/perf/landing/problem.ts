/** The numbers in each refusal: SI, knots, degrees and percent. Texts are in `libs/perf/wire/refusal-words.ts`. */
export interface RefusalParams {
  TEMPERATURE_OUTSIDE_LIMITS: { temperatureC: number; minC: number; maxC: number };
  QNH_OUTSIDE_LIMITS: { qnhHpa: number; minHpa: number; maxHpa: number };
  PRESSURE_ALTITUDE_OUTSIDE_LIMITS: { pressureAltitudeFt: number; minFt: number; maxFt: number };
  SLOPE_OUTSIDE_LIMITS: { slopePercent: number; limitPercent: number };
  NO_LANDING_DISTANCE: { ldaM: number };
  RWYCC_0: { surface: string };
  DEPTH_OUTSIDE_RANGE: { state: string; surface: string; depthMm: number; minMm: number; maxMm: number };
  CANNOT_STOP: { rwycc: number };
  WEIGHT_REQUIRED: Record<string, never>;
  WEIGHT_BELOW_OEW: { weightKg: number; oewKg: number };
  WEIGHT_ABOVE_MTOW: { weightKg: number; mstowKg: number };
  NO_LANDING_WEIGHT: { limitKg: number | null; oewKg: number; limitedBy: string };
  NO_DISPATCH_DATA: { flap: string };
  UNKNOWN_FLAP: { flap: string; offered?: string };
  UNKNOWN_OPTION: { name: string; value: string; offered?: string };
  UNKNOWN_CONDITION: { state: string };
  UNKNOWN_ITEM: { kind: 'mel' | 'cdl'; item: string };
  UNKNOWN_NON_NORMAL: { nonNormalCondition: string };
  TOO_MANY_REVERSERS: { reversers: number; fitted: number };
  PROFILE: { what: string };
}

export type RefusalCode = keyof RefusalParams;

/** A case without an answer: physically impossible, or not covered by the profile. */
export type Impossible = {
  [C in RefusalCode]: { ok: false; code: C; params: Readonly<RefusalParams[C]> };
}[RefusalCode];

export const refusal = <C extends RefusalCode>(code: C, params: RefusalParams[C]): Impossible =>
  ({ ok: false, code, params }) as Impossible;

/** Thrown inside the engine for a case without an answer; `attempt` turns it into an `Impossible`. */
class CalculationError extends Error {
  override name = 'CalculationError';
  readonly outcome: Impossible;
  constructor(outcome: Impossible) {
    super(outcome.code);
    this.outcome = outcome;
  }
}

/** Ends a calculation that has no answer. */
export const refuse: <C extends RefusalCode>(code: C, params: RefusalParams[C]) => never = (code, params) => {
  throw new CalculationError(refusal(code, params));
};

export type Outcome<R> = { ok: true; result: R } | Impossible;

/** The result, or why there is none; any other error is a bug. */
export const attempt = <R>(calculate: () => R): Outcome<R> => {
  try {
    return { ok: true, result: calculate() };
  } catch (error) {
    if (error instanceof CalculationError) return error.outcome;
    throw error;
  }
};
