/** Takeoff and landing of a plan as `performance` calculates them, in an answer that has more than them. */
import { DomainError } from '#domain/errors.ts';
import type { PerformanceDefaults } from '#domain/ofp/performance-defaults.ts';
import { performanceRequestSchema } from '#domain/performance/performance-request.ts';
import { noCondition } from '#domain/performance/request-parts.ts';
import { ApiError, declaredError } from '../../../errors.ts';
import type { ErrorOptions } from '../../../errors.ts';
import { answerLanding } from './answer-landing.ts';
import { answerTakeoff } from './answer-takeoff.ts';
import type { PerformanceContext } from './context.ts';
import { performanceErrors } from './errors.ts';

interface Part<A> {
  answer: A | null;
  /** Why there is none. */
  error: { code: string; message: string } | null;
}

const without = (code: string, message: string): Part<never> => ({ answer: null, error: { code, message } });

/** What would be refused alone is said in place of the answer. */
const partOf = async <A>(work: () => Promise<A>): Promise<Part<A>> => {
  try {
    return { answer: await work(), error: null };
  } catch (error) {
    if (error instanceof ApiError || error instanceof DomainError) return without(error.code, error.message);
    throw error;
  }
};

/** The context of a call of another operation, which does not declare the errors of a calculation. */
export const performanceContext = (ctx: Omit<PerformanceContext, 'fail'>): PerformanceContext => ({
  ...ctx,
  fail: ((code: string, options?: ErrorOptions) =>
    declaredError(performanceErrors, code, options)) as PerformanceContext['fail'],
});

/** Why the defaults of a plan are no request. */
const refused = ({ runwayCondition, sources }: PerformanceDefaults['landing' | 'takeoff']) => {
  const { source } = sources.runwayCondition;
  const message =
    runwayCondition.state === null
      ? `No figures: ${source === 'operator' ? noCondition.brakingNil : noCondition.closedBySnow}.`
      : 'The plan names no aircraft of a known profile, no airport, no runway or no weight.';
  return without('INVALID_INPUT', message);
};

export const plannedTakeoff = async (ctx: PerformanceContext, { takeoff }: PerformanceDefaults) => {
  const request = performanceRequestSchema.safeParse(takeoff).data;
  return request?.requestType === 'TAKEOFF'
    ? partOf(() => answerTakeoff(ctx, request.request))
    : refused(takeoff);
};

export const plannedLanding = async (ctx: PerformanceContext, { landing }: PerformanceDefaults) => {
  const request = performanceRequestSchema.safeParse(landing).data;
  return request?.requestType === 'LANDING' ? partOf(() => answerLanding(ctx, request)) : refused(landing);
};
