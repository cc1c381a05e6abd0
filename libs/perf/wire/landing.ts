import type { BalkedLanding, LandingAnswer } from '#domain/performance/result.ts';
import { calculateLanding } from '../landing/calculate.ts';
import { withBrakes } from '../landing/profile-lookup.ts';
import { autolandLeastAdditiveKt } from '../landing/speeds.ts';
import type { Caution } from '../landing/caution-codes.ts';
import type { DispatchResult, InflightResult, LandingCase } from '../landing/types.ts';
import { assessmentAnswer } from './assessment.ts';
import { dispatchPerformance, inflightPerformance } from './answer.ts';
import { balkedLanding } from './balked.ts';
import { landingCase } from './case.ts';
import { cautionAnswers, refusalAnswer } from './caution-answers.ts';
import type { LandingInput, LandingPerformed } from './types.ts';
import { maxAdditiveKt, windAdditiveKt } from './wind.ts';
import { converter } from './units.ts';
import type { Converter } from './units.ts';
import { situationApplied, situationCautions } from './situation.ts';
import { withMaxLandingWeight, withProfileDefaults } from './profile-defaults.ts';
import { missingFeature, optionProblems } from './validate.ts';

export const copyright = 'Landing performance by the open landing engine of this service.';
export const disclaimer =
  'For flight simulation only. Not for real-world flight planning or operation. ' +
  'Results come from a physics model fitted to published numbers, not from certified manufacturer data.';

/** Cautions about values that the request layer changed. */
const additiveCautions = (input: LandingInput, landing: LandingCase, convert: Converter): Caution[] => {
  const { request, profile } = input;
  if (request.landingMode === 'dispatch') return [];
  const most = Math.min(maxAdditiveKt, profile.landing.vrefAdditiveMax);
  const least = Math.min(most, windAdditiveKt(profile, request, landing.weather, convert));
  const given = request.configuration.vrefAdditive;
  const usual = profile.landing.vrefAdditiveDefault;
  if (given === null && least > usual)
    return [{ code: 'ADDITIVE_FOR_WIND', severity: 'advisory', params: { knots: least } }];
  const asked = given ?? usual;
  if (asked < least)
    return [{ code: 'ADDITIVE_BELOW_WIND', severity: 'warning', params: { knots: asked, least } }];
  if (asked > most)
    return [{ code: 'ADDITIVE_CAPPED', severity: 'advisory', params: { askedKt: asked, knots: most } }];
  if (landing.configuration.autoland && profile.family === 'B' && asked < autolandLeastAdditiveKt) {
    const params = { askedKt: asked, knots: autolandLeastAdditiveKt };
    return [{ code: 'ADDITIVE_RAISED', severity: 'advisory', params }];
  }
  return [];
};

/** Family A computes what the wind needs: an additive for the wind would count twice. */
const additiveOnTop = ({ speeds: { vAppDetails } }: InflightResult | DispatchResult): Caution[] => {
  const knots = vAppDetails?.vPilotKt ?? 0;
  if (knots === 0 || !vAppDetails) return [];
  const params = { knots, totalKt: vAppDetails.totalVrefCorrectionKt };
  return [{ code: 'ADDITIVE_ON_TOP', severity: 'advisory', params }];
};

/**
 * Landing performance of a validated request: checks entitlements and options, calculates, and answers in the units
 * of the request. A case that cannot be calculated answers `calculationPossible: false` and is not charged.
 */
export const performLanding = (given: LandingInput): LandingPerformed => {
  const profile = withMaxLandingWeight(withBrakes(given.profile, undefined), given.request);
  const request = withProfileDefaults(given.request, profile);
  const input = { ...given, profile, request };
  const { runway, entitlements } = input;
  const missing = missingFeature(request, entitlements);
  if (missing) return { kind: 'notEntitled', ...missing };
  const details = optionProblems(request, profile);
  if (details.length > 0) return { kind: 'invalid', details };
  const convert = converter(request.units);
  const landing = landingCase(input, convert);
  const outcome = calculateLanding(profile, landing);
  const frame = {
    subCalculation:
      request.landingMode === 'dispatch' ? ('LANDING_DISPATCH' as const) : ('LANDING_INFLIGHT' as const),
    units: request.units,
    copyright,
    disclaimer,
  };
  if (!outcome.ok) {
    const refused = refusalAnswer(outcome, convert);
    const answer: LandingAnswer = {
      calculationPossible: false,
      ...frame,
      caution: [],
      cautions: [],
      error: [refused.text],
      errors: [refused],
      applied: situationApplied(given, input, landing),
    };
    return { kind: 'answer', answer, charge: false, request, landing, outcome };
  }
  const { result } = outcome;
  const cautions = [
    ...result.cautions,
    ...additiveCautions(input, landing, convert),
    ...additiveOnTop(result),
    ...situationCautions(input),
  ];
  let balkedLandingProcedure: BalkedLanding | undefined;
  let balkedMaxKg = Infinity;
  if (profile.family === 'A' || result.mode === 'inflight') {
    const weightKg = result.mode === 'inflight' ? result.massKg : result.landingMassKg;
    const { balked, maxKg } = balkedLanding(
      profile,
      landing,
      runway,
      entitlements,
      result.flap,
      weightKg,
      convert,
    );
    balkedLandingProcedure = balked;
    balkedMaxKg = maxKg ?? Infinity;
    if (weightKg > balkedMaxKg) {
      const params = { weightKg, limitKg: balkedMaxKg };
      cautions.push({ code: 'BALKED_LANDING_WEIGHT', severity: 'warning', params });
    }
  }
  const performance =
    result.mode === 'inflight'
      ? inflightPerformance(input, landing, result, cautions, convert)
      : dispatchPerformance(input, landing, result, cautions, convert);
  if (balkedLandingProcedure) performance.balkedLandingProcedure = balkedLandingProcedure;
  if (request.assess)
    performance.assessment = assessmentAnswer(profile, landing, result, balkedMaxKg, convert);
  const answered = cautionAnswers(cautions, convert);
  const answer: LandingAnswer = {
    calculationPossible: true,
    ...frame,
    caution: answered.map(({ text }) => text),
    cautions: answered,
    performance,
    applied: [...situationApplied(given, input, landing), ...result.applied],
    dataQuality: result.quality,
  };
  return { kind: 'answer', answer, charge: true, request, landing, outcome };
};
