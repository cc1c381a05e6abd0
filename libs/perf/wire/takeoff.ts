import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffAnswer } from '#domain/performance/takeoff-result.ts';
import { cautionList } from '../landing/caution-codes.ts';
import type { Caution } from '../landing/caution-codes.ts';
import { calculateTakeoff } from '../takeoff/calculate.ts';
import type { TakeoffCase, TakeoffColumn, TakeoffResult } from '../takeoff/types.ts';
import { cautionFields, refusalAnswer, refusalFields } from './caution-answers.ts';
import { disclaimer } from './landing.ts';
import { flexRating, withTakeoffDefaults } from './profile-defaults.ts';
import { weatherApplied, weatherCautions } from './situation.ts';
import { takeoffPerformanceOf, usedColumn } from './takeoff-answer.ts';
import { takeoffAssessment } from './takeoff-assessment.ts';
import { runwayUsed, takeoffCaseOf } from './takeoff-case.ts';
import { takeoffRefusalWords } from './takeoff-words.ts';
import type { TakeoffInput, TakeoffPerformed, TakeoffRunwayFacts } from './types.ts';
import { converter } from './units.ts';
import type { Converter } from './units.ts';
import { refusedBy } from './validate.ts';

const copyright = 'Takeoff performance by the open takeoff engine of this service.';

/** Checks a takeoff against distances left by NOTAM that its figures ignore; `used`: the column flown, null without a weight. */
const underNotam = (
  profile: AircraftProfile,
  takeoff: TakeoffCase,
  { limitKg: limitPlainKg }: Pick<TakeoffResult, 'limitKg'>,
  used: TakeoffColumn | null,
  { inForce }: Pick<TakeoffRunwayFacts, 'inForce'>,
): Caution[] => {
  const { runway } = takeoff;
  const isShorter = (['toraM', 'todaM', 'asdaM'] as const).some(
    (name) => inForce && inForce[name] < runway[name] - 0.05,
  );
  if (!inForce || !isShorter) return [];
  const shortened = calculateTakeoff(profile, { ...takeoff, runway: { ...runway, ...inForce } });
  const result = shortened.ok ? shortened.result : null;
  const limitKg = result?.limitKg ?? 0;
  const weightKg = takeoff.massKg ?? limitPlainKg ?? 0;
  if (!result || weightKg > limitKg)
    return [{ code: 'WEIGHT_UNDER_NOTAM', severity: 'warning', params: { weightKg, limitKg } }];
  if (!used) return [];
  const { asdM, todM, todAllEnginesM } = used.speeds.required;
  const { asdaM, todaM } = result.declared;
  const needed = [
    { declared: 'ASDA' as const, distanceM: asdM, availableM: asdaM },
    { declared: 'TODA' as const, distanceM: Math.max(todM, todAllEnginesM), availableM: todaM },
  ];
  const params = needed.find(({ distanceM, availableM }) => distanceM > availableM);
  return params ? [{ code: 'DISTANCE_UNDER_NOTAM', severity: 'warning', params }] : [];
};

/** Cautions about request values that were changed or not credited. */
const requestCautions = (input: TakeoffInput, convert: Converter): Caution[] => {
  const { weight } = input.request;
  const { shortenedM: distanceM } = runwayUsed(input, convert);
  const { list, add } = cautionList();
  weatherCautions(input.request, add);
  if (weight.cg !== null || weight.cgPosition !== null) add('CG_NOT_CREDITED', 'advisory', {});
  if (distanceM > 0) add('NOTAM_SHORTENED_TAKEOFF', 'advisory', { distanceM });
  return list;
};

/**
 * Takeoff performance of a validated request: checks entitlements and options, calculates, and answers in the units of
 * the request. A case that cannot be calculated answers `calculationPossible: false` and is not charged.
 */
export const performTakeoff = (given: TakeoffInput): TakeoffPerformed => {
  const { profile } = given;
  const request = withTakeoffDefaults(given.request, profile);
  const input = { ...given, request };
  const refusedAs = refusedBy(request, profile, input.entitlements);
  if (refusedAs) return refusedAs;
  const convert = converter(request.units);
  const takeoff = takeoffCaseOf(input, convert);
  const outcome = calculateTakeoff(profile, takeoff);
  const situation = weatherApplied(request);
  const frame = { subCalculation: 'TAKEOFF' as const, units: request.units, copyright, disclaimer };
  if (!outcome.ok) {
    const answer = {
      calculationPossible: false,
      ...frame,
      ...refusalFields(refusalAnswer(outcome, convert, takeoffRefusalWords)),
      applied: situation,
    };
    return { kind: 'answer', answer, request, takeoff, result: null };
  }
  // Family A selects full thrust by rating; others by requesting no assumed temperature.
  const isFull =
    profile.takeoff.ratings.some(({ value }) => value === flexRating) &&
    request.configuration.rating !== flexRating;
  const plain = outcome.result;
  const inForce = underNotam(profile, takeoff, plain, usedColumn(plain, isFull), runwayUsed(input, convert));
  const result = { ...plain, cautions: [...plain.cautions, ...inForce] };
  const performance = takeoffPerformanceOf(input, takeoff, result, isFull, convert);
  if (request.assess) performance.assessment = takeoffAssessment(profile, takeoff, result, isFull, convert);
  const answer: TakeoffAnswer = {
    calculationPossible: true,
    ...frame,
    ...cautionFields([...result.cautions, ...requestCautions(input, convert)], convert),
    performance,
    applied: [...situation, ...result.applied],
    dataQuality: result.quality,
  };
  return { kind: 'answer', answer, request, takeoff, result };
};
