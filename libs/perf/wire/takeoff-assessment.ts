import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffAssessment } from '#domain/performance/takeoff-result.ts';
import { assessTakeoff } from '../takeoff/assess.ts';
import type { ChangeName } from '../takeoff/assess.ts';
import type { TakeoffCase, TakeoffResult } from '../takeoff/types.ts';
import { refusalAnswer } from './caution-answers.ts';
import { usedColumn, usedSpeeds, verdictOf } from './takeoff-answer.ts';
import { takeoffRefusalWords } from './takeoff-words.ts';
import type { Converter } from './units.ts';

const labels: Record<ChangeName, string> = {
  WEIGHT_PLUS_1_T: '+1 t',
  TEMPERATURE_PLUS_5_C: '+5 °C',
  QNH_MINUS_10_HPA: '-10 hPa',
  TAILWIND_PLUS_5_KT: '+5 kt tailwind',
  ONE_CODE_WORSE: 'one code worse',
  RUNWAY_MINUS_100_M: '100 m less runway',
};

const none = { assumedTemperature: null, v1: null, vR: null, v2: null };

/** Every flap and rating, and the takeoff with one change each, in the user's units. */
export const takeoffAssessment = (
  profile: AircraftProfile,
  takeoff: TakeoffCase,
  base: TakeoffResult,
  isFull: boolean,
  convert: Converter,
): TakeoffAssessment => {
  const weight = (kg: number | null): number | null => (kg === null ? null : convert.weightDown(kg));
  const option = (result: TakeoffResult) => ({
    maxTakeoffWeight: weight(result.limitKg),
    limitedBy: result.limitedBy,
    ...usedSpeeds(result, usedColumn(result, isFull)),
  });
  const assessed = assessTakeoff(profile, takeoff, base.flap);
  const labelOf = (rating: string): string =>
    profile.takeoff.ratings.find(({ value }) => value === rating)?.label ?? rating;
  const change = ({ change: name, outcome }: (typeof assessed.sensitivity)[number]) => {
    const shared = { change: name, label: labels[name] };
    if (!('ok' in outcome) || !outcome.ok) {
      const reason =
        'ok' in outcome ? refusalAnswer(outcome, convert, takeoffRefusalWords).text : outcome.reason;
      const nothing = { maxTakeoffWeight: null, delta: null, limitedBy: null, verdict: null };
      return { ...shared, reason, ...nothing, ...none };
    }
    const { result } = outcome;
    const massKg = takeoff.massKg && takeoff.massKg + (name === 'WEIGHT_PLUS_1_T' ? 1_000 : 0);
    return {
      ...shared,
      reason: null,
      ...option(result),
      delta:
        result.limitKg === null || base.limitKg === null
          ? null
          : convert.weightDown(result.limitKg) - convert.weightDown(base.limitKg),
      verdict: verdictOf(result, massKg),
    };
  };
  return {
    flaps: assessed.flaps.map(({ flap, result }) => ({ flap, ...option(result) })),
    ratings: assessed.ratings.map(({ rating, result }) => ({
      rating,
      label: labelOf(rating),
      ...option(result),
    })),
    sensitivity: assessed.sensitivity.map(change),
  };
};
