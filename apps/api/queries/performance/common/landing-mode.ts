/** A landing whose request does not say whether it is a dispatch or in flight. */
import { plainCaution } from '#domain/performance/caution.ts';
import type { CautionAnswer } from '#domain/performance/caution.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import type { LandingInput, LandingPerformed } from '#perf/wire/types.ts';
import { withLandingDefaults } from '#perf/wire/profile-defaults.ts';
import { landingProblems } from '#perf/wire/validate.ts';

/** Values of a request that are used only in flight. */
const inflightFields = ({ weight, configuration }: LandingRequest): string[] =>
  Object.entries({
    'weight.landingWeight': weight.landingWeight,
    'configuration.autobrake': configuration.autobrake,
    'configuration.nonNormalCondition': configuration.nonNormalCondition,
    'configuration.vrefAdditive': configuration.vrefAdditive,
  }).flatMap(([field, value]) => (value === null ? [] : [field]));

/** A dispatch that was assumed and does not fit: the missing mode comes first, and alone where the request fits in flight. */
export const aboutMode = (
  outcome: LandingPerformed,
  { request, profile }: LandingInput,
): LandingPerformed => {
  if (outcome.kind !== 'invalid') return outcome;
  const inflight = withLandingDefaults({ ...request, landingMode: 'inflight' }, profile);
  const isInflight = landingProblems(inflight, profile).length === 0;
  const field = 'landingMode';
  const message = isInflight
    ? `is required: ${outcome.details.map((problem) => problem.field).join(', ')} fits "inflight", not "dispatch"`
    : 'is missing; "dispatch" was assumed';
  return { kind: 'invalid', details: [{ field, message }, ...(isInflight ? [] : outcome.details)] };
};

/** Says that a dispatch was assumed where the request has values that it ignores. */
export const modeCautions = (request: LandingRequest): CautionAnswer[] => {
  const ignored = inflightFields(request);
  if (ignored.length === 0) return [];
  const text = `landingMode is missing, so "dispatch" was assumed; ${ignored.join(', ')} counts only with "inflight".`;
  return [plainCaution('LANDING_MODE_ASSUMED', text, 'landingMode')];
};
