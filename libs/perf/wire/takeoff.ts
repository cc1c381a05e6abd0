import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { TakeoffAnswer } from '#domain/performance/takeoff-result.ts';
import type { TakeoffRequest } from '#domain/performance/takeoff-request.ts';
import type { Caution } from '../landing/caution-codes.ts';
import { calculateTakeoff } from '../takeoff/calculate.ts';
import { defaultRating, flexRating } from './aircraft.ts';
import { cautionAnswers, refusalAnswer } from './caution-answers.ts';
import { disclaimer } from './landing.ts';
import { defaultOf } from './profile-defaults.ts';
import { weatherApplied, weatherCautions } from './situation.ts';
import { takeoffPerformanceOf, usedColumn } from './takeoff-answer.ts';
import { takeoffAssessment } from './takeoff-assessment.ts';
import { runwayUsed, takeoffCaseOf } from './takeoff-case.ts';
import { underNotam } from './takeoff-in-force.ts';
import type { TakeoffEntitlements, TakeoffInput, TakeoffPerformed } from './takeoff-types.ts';
import { takeoffRefusalWords } from './takeoff-words.ts';
import type { FieldProblem } from './types.ts';
import { converter } from './units.ts';
import type { Converter } from './units.ts';
import { offeredBy } from './validate.ts';

const copyright = 'Takeoff performance by the open takeoff engine of this service.';

/** First feature that a request uses and the subscription lacks. */
const missingFeature = (
  { inopItems, notam, intersection, runway, assess }: TakeoffRequest,
  entitlements: TakeoffEntitlements,
): { feature: keyof TakeoffEntitlements; field: string } | null => {
  const ident = typeof runway === 'string' ? runway : runway.ident;
  const uses: [keyof TakeoffEntitlements, string, boolean][] = [
    ['mel', 'inopItems.mel', inopItems.mel.length > 0],
    ['cdl', 'inopItems.cdl', inopItems.cdl.length > 0],
    ['notam', 'notam', notam !== null],
    ['intersections', 'intersection', intersection !== null],
    ['intersections', 'runway', ident.includes('/')],
    ['nnc', 'assess', assess],
  ];
  const found = uses.find(([feature, , isUsed]) => isUsed && !entitlements[feature]);
  return found ? { feature: found[0], field: found[1] } : null;
};

/** Every value of a request that is not an option of the aircraft, by field. Empty when all are. */
const optionProblems = (
  { configuration, weight, inopItems, runwayCondition }: TakeoffRequest,
  { takeoff, conditions, options, mel, cdl }: AircraftProfile,
): FieldProblem[] => {
  const problems: FieldProblem[] = [];
  const among = offeredBy(problems);
  const flaps = ['OPTIMUM', ...takeoff.flaps].map((value) => ({ value }));
  among('configuration.flap', configuration.flap, flaps);
  among('configuration.rating', configuration.rating, takeoff.ratings);
  among('configuration.antiIce', configuration.antiIce, options.antiIce);
  among('configuration.acBleed', configuration.acBleed, options.acBleed);
  if (!takeoff.improved)
    among('configuration.improvedClimb', configuration.improvedClimb, [{ value: 'OFF' }]);
  among('weight.cgPosition', weight.cgPosition, options.cgPosition);
  among('runwayCondition.state', runwayCondition.state, conditions.dispatch);
  for (const code of inopItems.mel) among('inopItems.mel', code, mel);
  for (const code of inopItems.cdl) among('inopItems.cdl', code, cdl);
  return problems;
};

/** The request with the options of its profile where it has none. */
const withDefaults = (request: TakeoffRequest, profile: AircraftProfile): TakeoffRequest => {
  const { configuration, runwayCondition } = request;
  const { options, conditions } = profile;
  return {
    ...request,
    configuration: {
      ...configuration,
      rating: configuration.rating ?? defaultRating(profile),
      antiIce: configuration.antiIce ?? defaultOf(options.antiIce),
      acBleed: configuration.acBleed ?? defaultOf(options.acBleed),
    },
    runwayCondition: runwayCondition.isAssumed
      ? { ...runwayCondition, state: defaultOf(conditions.dispatch) ?? runwayCondition.state }
      : runwayCondition,
  };
};

/** Cautions about values that the request layer changed or does not credit. */
const requestCautions = (input: TakeoffInput, convert: Converter): Caution[] => {
  const { weight } = input.request;
  const { shortenedM: distanceM } = runwayUsed(input, convert);
  return [
    ...weatherCautions(input.request),
    ...(weight.cg === null && weight.cgPosition === null
      ? []
      : [{ code: 'CG_NOT_CREDITED' as const, severity: 'advisory' as const, params: {} }]),
    ...(distanceM > 0
      ? [
          {
            code: 'NOTAM_SHORTENED_TAKEOFF' as const,
            severity: 'advisory' as const,
            params: { distanceM },
          },
        ]
      : []),
  ];
};

/**
 * Takeoff performance of a validated request: checks entitlements and options, calculates, and answers in the units of
 * the request. A case that cannot be calculated answers `calculationPossible: false` and is not charged.
 */
export const performTakeoff = (given: TakeoffInput): TakeoffPerformed => {
  const { profile } = given;
  const request = withDefaults(given.request, profile);
  const input = { ...given, request };
  const missing = missingFeature(request, input.entitlements);
  if (missing) return { kind: 'notEntitled', ...missing };
  const details = optionProblems(request, profile);
  if (details.length > 0) return { kind: 'invalid', details };
  const convert = converter(request.units);
  const takeoff = takeoffCaseOf(input, convert);
  const outcome = calculateTakeoff(profile, takeoff);
  const situation = weatherApplied(request);
  const frame = { subCalculation: 'TAKEOFF' as const, units: request.units, copyright, disclaimer };
  if (!outcome.ok) {
    const refused = refusalAnswer(outcome, convert, takeoffRefusalWords);
    const errors = { error: [refused.text], errors: [refused] };
    const answer = {
      calculationPossible: false,
      ...frame,
      caution: [],
      cautions: [],
      ...errors,
      applied: situation,
    };
    return { kind: 'answer', answer, charge: false, request, takeoff, result: null };
  }
  // Full thrust of family A is chosen by its rating; of the others by requesting no assumed temperature.
  const isFull =
    profile.takeoff.ratings.some(({ value }) => value === flexRating) &&
    request.configuration.rating !== flexRating;
  const plain = outcome.result;
  const inForce = underNotam(profile, takeoff, plain, usedColumn(plain, isFull), runwayUsed(input, convert));
  const result = { ...plain, cautions: [...plain.cautions, ...inForce] };
  const cautions = cautionAnswers([...result.cautions, ...requestCautions(input, convert)], convert);
  const performance = takeoffPerformanceOf(input, takeoff, result, isFull, convert);
  if (request.assess) performance.assessment = takeoffAssessment(profile, takeoff, result, isFull, convert);
  const answer: TakeoffAnswer = {
    calculationPossible: true,
    ...frame,
    caution: cautions.map(({ text }) => text),
    cautions,
    performance,
    applied: [...situation, ...result.applied],
    dataQuality: result.quality,
  };
  return { kind: 'answer', answer, charge: true, request, takeoff, result };
};
