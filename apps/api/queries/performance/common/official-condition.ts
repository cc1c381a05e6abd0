/** What the operator of an airport reports of a runway, where a calculation is for that runway and time. */
import { plainCaution } from '#domain/performance/caution.ts';
import type { CautionAnswer } from '#domain/performance/caution.ts';
import { noCondition } from '#domain/performance/request-parts.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import {
  codeOfState,
  dispatchForm,
  enrouteForm,
  surfaceOf,
} from '#domain/performance/situation/condition.ts';
import type { ConditionUse } from '#domain/performance/situation/condition.ts';
import { officialSource } from '#domain/performance/situation/runway-surface.ts';
import { conditionIn, depthMmIn } from '#domain/performance/situation/units.ts';
import type { NumberedNotam } from '#domain/notam/airport.ts';
import { conditionOfReport, officialFor, officialReports } from '#domain/notam/surface/official.ts';
import type { OfficialReport } from '#domain/notam/surface/official.ts';
import type { RunwayCondition } from '#domain/weather/runway-condition.ts';
import { refuse } from './context.ts';
import type { PerformanceContext } from './context.ts';

type Conditioned = Pick<LandingRequest, 'runwayCondition' | 'sources' | 'units'>;

/** A request that leaves the condition to the report of a runway on which braking is nil. */
export const refuseNil = (ctx: PerformanceContext): Promise<never> =>
  refuse(ctx, ctx.fail('INVALID_INPUT', { details: [`runwayCondition: ${noCondition.brakingNil}`] }));

/** A request with a better condition than the operator reports is calculated as requested. */
const worseCautions = (
  { runwayCondition: { state, depth }, units }: Conditioned,
  { evidence, code: reported }: RunwayCondition,
  { ageMinutes }: OfficialReport,
  use: ConditionUse,
): CautionAnswer[] => {
  const value = codeOfState(state, depthMmIn(depth, units), use);
  const limit = reported ?? 0;
  if (value === null || value <= limit) return [];
  const text = `The operator reports ${evidence}, observed ${ageMinutes} min before; the request has ${state}.`;
  const plain = plainCaution('OFFICIAL_CONDITION_WORSE', text, 'runwayCondition.state');
  return [{ ...plain, severity: 'warning', value, limit, unit: '' }];
};

/**
 * A request that does not say a condition gets the one that the operator reports; one that says a better one gets a caution. A braking action of nil has no condition: `isNil`. `evidence` is the report in a few words.
 */
export const withOfficialCondition = <R extends Conditioned>(
  request: R,
  notams: readonly NumberedNotam[],
  ident: string,
  at: Date,
  use: ConditionUse,
): { request: R; cautions: CautionAnswer[]; isNil: boolean; evidence: string | null } => {
  const reports = officialReports(notams, at);
  const cautions = reports.unread.map(({ notam, text }) =>
    plainCaution('SURFACE_REPORT_NOT_READ', `Read NOTAM ${notam} on the runway surface: ${text}.`, 'runway'),
  );
  const official = officialFor(reports, ident);
  if (!official) return { request, cautions, isNil: false, evidence: null };
  const condition = conditionOfReport(official);
  const { evidence } = condition;
  const surface = surfaceOf(condition);
  const form = conditionIn(
    use === 'arrival' ? enrouteForm(surface) : dispatchForm(surface, use),
    request.units,
  );
  const { state, depth, isAssumed } = request.runwayCondition;
  // `weather` and the defaults of a plan hand out the form of this report, which has no place for the code.
  const isOfReport = state === form.state && depth === form.depth;
  if (!isAssumed && !isOfReport) {
    cautions.push(...worseCautions(request, condition, official, use));
    return { request, cautions, isNil: false, evidence };
  }
  if (form.state === null) return { request, cautions, isNil: true, evidence };
  const runwayCondition = {
    state: form.state,
    depth: form.depth,
    isAssumed: false,
    ...(condition.isCodeReported && condition.code !== null ? { reportedCode: condition.code } : {}),
  };
  const sources = isAssumed
    ? { ...request.sources, runwayCondition: officialSource(official, condition) }
    : request.sources;
  return { request: { ...request, runwayCondition, sources }, cautions, isNil: false, evidence };
};
