/** What a landing and a takeoff do alike with the answer of the engine: its cautions, the charge and the drawings. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { CautionAnswer } from '#domain/performance/caution.ts';
import type { DrawingFacts, TakeoffDrawingFacts } from '#domain/performance/graphic.ts';
import type { LandingAnswer } from '#domain/performance/result.ts';
import type { TakeoffAnswer } from '#domain/performance/takeoff-result.ts';
import { aircraftApplied } from './aircraft-applied.ts';
import { calculationRepo } from '#data/postgres/performance/calculations.ts';
import { allowanceRepo } from '#data/postgres/subscriptions/allowances.ts';
import type { landingCallSchema, takeoffCallSchema } from './answer-schema.ts';
import { chargeCalculation } from './charge.ts';
import { allowanceLeft, countersOf, refuse } from './context.ts';
import type { PerformanceContext, Scene } from './context.ts';
import { airportCautions } from './landing.ts';
import { withPictures } from './pictures.ts';

type Answer = LandingAnswer | TakeoffAnswer;
type Kind = 'takeoff' | 'landingDispatch' | 'landingEnroute';
type Notices<A extends Answer> = NonNullable<A['performance']>['noticesInForce'];

/** The answer of a stored calculation, with the allowance as it is now; null when its contents are gone. */
export const storedAnswer = async (
  { db, caller, config, now }: Pick<PerformanceContext, 'db' | 'caller' | 'config' | 'now'>,
  calculationId: string,
) => {
  const found = await calculationRepo(db).get(caller.userId, calculationId);
  if (!found) return null;
  const counters = countersOf(await allowanceRepo(db).of(caller, now), 0);
  const answer: Record<string, unknown> = { ...found.result, calculationId, ...counters };
  // Checked as any answer.
  return (found.isDrawn ? withPictures(answer, config.BASE_URL, found) : answer) as unknown as
    | z.input<typeof landingCallSchema>
    | z.input<typeof takeoffCallSchema>;
};

interface Performed<A extends Answer, K extends Kind> {
  kind: K;
  answer: A;
  request: { airport: string };
  /** false: there is no result to pay for */
  charge: boolean;
  /** on the runway and its airport data */
  cautions: readonly CautionAnswer[];
  isNotam: boolean;
  noticesInForce: Notices<A>;
  drawing: DrawingFacts | TakeoffDrawingFacts | null;
}

/** The answer with all cautions; a possible calculation is charged, stored and has drawings. */
export const chargedAnswer = async <A extends Answer, K extends Kind>(
  ctx: PerformanceContext,
  { icao: airport, loaded }: Scene,
  performed: Performed<A, K>,
) => {
  const { caller, config, now, logId, fail } = ctx;
  const { kind, request, drawing, charge } = performed;
  const { performance } = performed.answer;
  const cautions = [
    ...performed.answer.cautions,
    ...airportCautions(request.airport, airport),
    ...performed.cautions,
  ];
  const answer = {
    ...performed.answer,
    applied: [...aircraftApplied(loaded), ...performed.answer.applied],
    caution: cautions.map(({ text }) => text),
    cautions,
    ...(performance
      ? {
          performance: {
            ...performance,
            isNOTAM: performance.isNOTAM || performed.isNotam,
            noticesInForce: performed.noticesInForce,
          },
        }
      : {}),
  };
  if (!charge) return { ...answer, ...countersOf(await allowanceLeft(ctx), 0), calculationId: null };

  const calculationId = randomUUID();
  const allowance = await chargeCalculation(ctx, caller, {
    publicId: calculationId,
    logId,
    kind,
    profile: loaded.file,
    airport,
    request,
    result: answer,
    drawing,
    createdAt: now,
  });
  if (!allowance) return refuse(ctx, fail('CALCULATION_LIMIT_REACHED', { extra: { availableAt: null } }));
  const counted = { ...answer, calculationId, ...countersOf(allowance, 1) };
  return drawing ? withPictures(counted, config.BASE_URL, { calculationId, kind }) : counted;
};
