/** Applies the runway condition report in force to a calculation for that runway and time. */
import type { KnownAirport } from '#domain/airports/served.ts';
import { plainCaution } from '#domain/performance/caution.ts';
import type { CautionAnswer, PlainCaution } from '#domain/performance/caution.ts';
import { noCondition } from '#domain/performance/request-parts.ts';
import type { OperatorReport } from '#domain/performance/request-parts.ts';
import type { LandingRequest } from '#domain/performance/request.ts';
import {
  dispatchForm,
  enrouteForm,
  missingDepthMm,
  surfaceOf,
} from '#domain/performance/situation/condition.ts';
import type { ConditionUse } from '#domain/performance/situation/condition.ts';
import {
  changeSince,
  officialSource,
  slipperyCode,
  whenSlippery,
} from '#domain/performance/situation/runway-surface.ts';
import { conditionIn, depthMmIn } from '#domain/performance/situation/units.ts';
import type { NumberedNotam } from '#domain/notam/apply.ts';
import {
  conditionOfReport,
  officialFor,
  officialReports,
  slipperyWhenWet,
} from '#domain/notam/surface/official.ts';
import type { OfficialReport, SlipperyWhenWet } from '#domain/notam/surface/official.ts';
import { readReport } from '#domain/weather/report.ts';
import type { MetarRecord } from '#domain/weather/types.ts';
import { refuse } from './performance.ts';
import type { PerformanceContext } from './performance.ts';

type Conditioned = Pick<LandingRequest, 'runwayCondition' | 'sources' | 'units'>;

/** Stored data of the airport. */
export interface Stored {
  known: KnownAirport | null;
  notams: readonly NumberedNotam[];
  metar: MetarRecord | null;
}

interface Said {
  cautions: CautionAnswer[];
  evidence: string | null;
}
/** NIL: calculation is not possible. */
type OfficialCondition<R> = ({ request: R; isNil: false } | { isNil: true }) & Said;

export const refuseNil = (ctx: PerformanceContext): Promise<never> =>
  refuse(ctx, ctx.fail('INVALID_INPUT', { details: [`runwayCondition: ${noCondition.brakingNil}`] }));

const aboutRunway = (code: PlainCaution, text: string): CautionAnswer => plainCaution(code, text, 'runway');

const cautionsOf = (official: OfficialReport, evidence: string | null, metar: MetarRecord | null) => {
  const change = metar && changeSince(official, readReport(metar.raw, 'METAR'), metar.observedAt);
  const over = `The last runway condition report has expired, ask for a new one: ${evidence}.`;
  const changed = `The surface may have changed since the operator reported ${evidence}: ${change}.`;
  return [
    ...(official.isExpired ? [aboutRunway('SURFACE_REPORT_EXPIRED', over)] : []),
    ...(change === null ? [] : [aboutRunway('SURFACE_MAY_HAVE_CHANGED', changed)]),
  ];
};

/** Without a depth, a deposit gets the depth assumed for reports without one. */
const withDepth = <R extends Conditioned>(
  request: R,
  use: ConditionUse,
): { request: R; cautions: CautionAnswer[] } => {
  const { runwayCondition, units } = request;
  const { state } = runwayCondition;
  const missing = missingDepthMm(state, depthMmIn(runwayCondition.depth, units), use);
  if (missing === null) return { request, cautions: [] };
  const { depth } = conditionIn({ state, depth: missing }, units);
  const text = `The request has ${state} without a depth; ${missing} mm were assumed.`;
  return {
    request: { ...request, runwayCondition: { ...runwayCondition, depth } },
    cautions: [plainCaution('DEPTH_ASSUMED', text, 'runwayCondition.depth')],
  };
};

/** Surfaces no worse than wet, at dispatch and in flight, if their layer is thin. */
const wet = /^(?:WET|GOOD|STANDING_WATER|SLUSH|WET_SNOW|DRY_SNOW)$/;

/** A wet runway that NOTAM report as slippery when wet. */
const asSlippery = <R extends Conditioned>(request: R, slippery: SlipperyWhenWet | null): R => {
  const { runwayCondition } = request;
  if (!slippery || !wet.test(runwayCondition.state) || (runwayCondition.operator?.code ?? 6) <= slipperyCode)
    return request;
  return {
    ...request,
    runwayCondition: { ...runwayCondition, operator: { code: slipperyCode, ...slippery } },
  };
};

/**
 * A request without a condition gets the reported one. If it has another condition, the report still bounds the
 * verdict. With braking reported as NIL, no calculation is possible whatever the request says. `evidence` is the report
 * in a few words.
 */
export const withOfficialCondition = <R extends Conditioned>(
  asked: R,
  { known, notams, metar }: Stored,
  ident: string,
  at: Date,
  use: ConditionUse,
): OfficialCondition<R> => {
  const reports = officialReports(notams, at, known);
  const unread = reports.unread.map(({ notam, text }) =>
    aboutRunway('SURFACE_REPORT_NOT_READ', `Read NOTAM ${notam} on the runway surface: ${text}.`),
  );
  const official = officialFor(reports, ident);
  const slippery = slipperyWhenWet(reports, ident);
  const asAsked = (said: Said, operator?: OperatorReport): OfficialCondition<R> => {
    const { request, cautions } = withDepth(asked, use);
    const runwayCondition = { ...request.runwayCondition, ...(operator && { operator }) };
    const conditioned = asSlippery({ ...request, runwayCondition }, slippery);
    return { ...said, request: conditioned, isNil: false, cautions: [...said.cautions, ...cautions] };
  };
  if (!official) return asAsked({ evidence: null, cautions: unread });
  const condition = whenSlippery(conditionOfReport(official), slippery);
  const { evidence, code } = condition;
  const said = { evidence, cautions: [...unread, ...cautionsOf(official, evidence, metar)] };
  const { state, depth, isAssumed } = asked.runwayCondition;
  const isCertain = !official.isExpired && !official.isOfUnknownRunway;
  if (code === null && (isAssumed || isCertain)) return { isNil: true, ...said };
  const surface = surfaceOf(condition);
  const form = conditionIn(
    use === 'arrival' ? enrouteForm(surface) : dispatchForm(surface, use),
    asked.units,
  );
  // `weather` and plan defaults return the condition in this form, which has no field for the code.
  const isOfReport = state === form.state && depth === form.depth;
  if (!isAssumed && !isOfReport)
    return asAsked(said, { code: code ?? 0, evidence: evidence ?? '', ageMinutes: official.ageMinutes });
  const runwayCondition = {
    state: form.state ?? state,
    depth: form.depth,
    isAssumed: false,
    ...(condition.isCodeReported && code !== null ? { reportedCode: code } : {}),
  };
  const sources = isAssumed
    ? { ...asked.sources, runwayCondition: officialSource(official, condition) }
    : asked.sources;
  return { ...said, request: { ...asked, runwayCondition, sources }, isNil: false };
};
