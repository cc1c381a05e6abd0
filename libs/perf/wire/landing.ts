import type { LandingAnswer } from '#domain/performance/result.ts';
import { calculateLanding } from '../landing/calculate.ts';
import { withBrakes } from '../landing/profile-lookup.ts';
import { autolandLeastAdditiveKt } from '../landing/speeds.ts';
import { cautionList } from '../landing/caution-codes.ts';
import type { Cautions } from '../landing/caution-codes.ts';
import type { DispatchResult, InflightResult, LandingCase } from '../landing/types.ts';
import { assessmentAnswer } from './assessment.ts';
import { dispatchPerformance, inflightPerformance } from './answer.ts';
import { balkedLanding } from './balked.ts';
import { landingCase } from './case.ts';
import { cautionFields, refusalAnswer, refusalFields } from './caution-answers.ts';
import type { LandingInput, LandingPerformed } from './types.ts';
import { maxAdditiveKt, windAdditiveKt } from './wind.ts';
import { converter } from './units.ts';
import type { Converter } from './units.ts';
import { situationApplied, situationCautions } from './situation.ts';
import { withLandingDefaults, withMaxLandingWeight } from './profile-defaults.ts';
import { refusedBy } from './validate.ts';

type Result = InflightResult | DispatchResult;

const copyright = 'Landing performance by the open landing engine of this service.';
export const disclaimer =
  'For flight simulation only. Not for real-world flight planning or operation. ' +
  'Results come from a physics model fitted to published numbers, not from certified manufacturer data.';

/** Cautions about request values that were changed. */
const additiveCautions = (
  { request, profile }: LandingInput,
  landing: LandingCase,
  convert: Converter,
  { add }: Cautions,
): void => {
  if (request.landingMode === 'dispatch') return;
  const most = Math.min(maxAdditiveKt, profile.landing.vrefAdditiveMax);
  const least = Math.min(most, windAdditiveKt(profile, request, landing.weather, convert));
  const given = request.configuration.vrefAdditive;
  const usual = profile.landing.vrefAdditiveDefault;
  const askedKt = given ?? usual;
  const isRaised =
    landing.configuration.autoland && profile.family === 'B' && askedKt < autolandLeastAdditiveKt;
  if (given === null && least > usual) add('ADDITIVE_FOR_WIND', 'advisory', { knots: least });
  else if (askedKt < least) add('ADDITIVE_BELOW_WIND', 'warning', { knots: askedKt, least });
  else if (askedKt > most) add('ADDITIVE_CAPPED', 'advisory', { askedKt, knots: most });
  else if (isRaised) add('ADDITIVE_RAISED', 'advisory', { askedKt, knots: autolandLeastAdditiveKt });
};

/** Family A computes its own wind additive, so a requested one would count twice. */
const additiveOnTop = ({ speeds: { vAppDetails } }: Result, { add }: Cautions): void => {
  if (!vAppDetails || vAppDetails.vPilotKt === 0) return;
  const { vPilotKt: knots, totalVrefCorrectionKt: totalKt } = vAppDetails;
  add('ADDITIVE_ON_TOP', 'advisory', { knots, totalKt });
};

/**
 * Landing performance of a validated request: checks entitlements and options, calculates, and answers in the units
 * of the request. A case that cannot be calculated answers `calculationPossible: false` and is not charged.
 */
export const performLanding = (given: LandingInput): LandingPerformed => {
  const profile = withMaxLandingWeight(withBrakes(given.profile, undefined), given.request);
  const request = withLandingDefaults(given.request, profile);
  const input = { ...given, profile, request };
  const refusedAs = refusedBy(request, profile, input.entitlements);
  if (refusedAs) return refusedAs;
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
    const answer: LandingAnswer = {
      calculationPossible: false,
      ...frame,
      ...refusalFields(refusalAnswer(outcome, convert)),
      applied: situationApplied(given, input, landing),
    };
    return { kind: 'answer', answer, request, landing, outcome };
  }
  const { result } = outcome;
  const out = cautionList(result.cautions);
  additiveCautions(input, landing, convert, out);
  additiveOnTop(result, out);
  situationCautions(input, out);
  const hasBalked = profile.family === 'A' || result.mode === 'inflight';
  const balked = hasBalked ? balkedLanding(input, landing, result, convert) : null;
  const { massKg: weightKg } = result;
  const limitKg = balked?.maxKg ?? Infinity;
  if (weightKg > limitKg) out.add('BALKED_LANDING_WEIGHT', 'warning', { weightKg, limitKg });
  const performance =
    result.mode === 'inflight'
      ? inflightPerformance(input, landing, result, out.list, convert)
      : dispatchPerformance(input, landing, result, out.list, convert);
  if (balked) performance.balkedLandingProcedure = balked.procedure;
  if (request.assess) performance.assessment = assessmentAnswer(profile, landing, result, limitKg, convert);
  const answer: LandingAnswer = {
    calculationPossible: true,
    ...frame,
    ...cautionFields(out.list, convert),
    performance,
    applied: [...situationApplied(given, input, landing), ...result.applied],
    dataQuality: result.quality,
  };
  return { kind: 'answer', answer, request, landing, outcome };
};
