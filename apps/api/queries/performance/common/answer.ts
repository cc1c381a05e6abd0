import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { alreadyField } from '#domain/fields/client-id.ts';
import { landingAnswerSchema, picturesSchema } from '#domain/performance/result.ts';
import { takeoffAnswerSchema, takeoffPicturesSchema } from '#domain/performance/takeoff-result.ts';
import { graphicUrl, scenesOfKind } from '#domain/performance/graphic.ts';
import type { DrawingFacts, GraphicFormat, TakeoffDrawingFacts } from '#domain/performance/graphic.ts';
import type { CalculationKind } from '#domain/performance/history.ts';
import type { Allowance } from '#domain/subscriptions/allowance.ts';
import type { Caller } from '#domain/users/types.ts';
import { calculationRepo, calculationWrites } from '#store/postgres/performance/calculations.ts';
import type { NewCalculation } from '#store/postgres/performance/calculations.ts';
import { allowanceRepo, allowanceWrites } from '#store/postgres/subscriptions/allowances.ts';
import type { CautionAnswer } from '#domain/performance/caution.ts';
import type { LandingAnswer } from '#domain/performance/result.ts';
import type { TakeoffAnswer } from '#domain/performance/takeoff-result.ts';
import type { SentLanding } from '#domain/performance/performance-request.ts';
import { situationTime } from '#domain/performance/situation/time.ts';
import { landingRunway } from '#domain/notam/landing-runway.ts';
import { drawingFacts } from '#drawing/scenes/landing.ts';
import type { KnownAirport } from '#domain/airports/served.ts';
import type { TakeoffRequest } from '#domain/performance/takeoff-request.ts';
import { takeoffRunway } from '#domain/notam/takeoff-runway.ts';
import { takeoffDrawingFacts } from '#drawing/scenes/takeoff-facts.ts';
import { DomainError } from '#domain/errors.ts';
import type { PerformanceDefaults } from '#domain/ofp/performance-defaults.ts';
import { performanceRequestSchema } from '#domain/performance/performance-request.ts';
import { noCondition } from '#domain/performance/request-parts.ts';
import type { Needs } from '../../../handler-context.ts';
import {
  aircraftApplied,
  allowanceLeft,
  countersOf,
  openRunway,
  performanceErrors,
  refuse,
  refuseFeature,
  sceneOf,
} from './performance.ts';
import type { PerformanceContext, Scene } from './performance.ts';
import { airportCautions, landingOn } from './landing.ts';
import { refuseNil } from './official-condition.ts';
import { takeoffOn } from './takeoff.ts';
import { ApiError, declaredError } from '../../../errors.ts';
import type { ErrorOptions } from '../../../errors.ts';

// The answer of `performance`, alone or in a briefing.

const countersShape = {
  calculationId: z.uuid().nullable(),
  remainingCalculations: z.int(),
  extraCalculations: z.int(),
  ...alreadyField,
};
const darkText = 'drawings of `performance.graphic` in dark colours';

export const landingCallSchema = landingAnswerSchema.extend({
  graphicDark: picturesSchema.optional().describe(darkText),
  ...countersShape,
});
export const takeoffCallSchema = takeoffAnswerSchema.extend({
  graphicDark: takeoffPicturesSchema.optional().describe(darkText),
  ...countersShape,
});

/** URLs of one drawing. */
interface Picture {
  svg: string;
  png: string;
  jpg: string;
}

/** URLs of the drawings of a kind of calculation, by name; the suffix of a name means its colours. */
type Pictures<K extends CalculationKind> = Record<(typeof scenesOfKind)[K][number], Picture>;

const picturesOf = <K extends CalculationKind>(
  baseUrl: string,
  publicId: string,
  kind: K,
  ending: '' | '-dark',
): Pictures<K> => {
  const url = (name: string, format: GraphicFormat): string =>
    graphicUrl(baseUrl, publicId, `${name}${ending}`, format);
  const names: readonly string[] = scenesOfKind[kind];
  const entries = names.map((name): [string, Picture] => [
    name,
    { svg: url(name, 'svg'), png: url(name, 'png'), jpg: url(name, 'jpg') },
  ]);
  return Object.fromEntries(entries) as Pictures<K>;
};

/** Adds the URLs of the drawings, which are rendered from the stored answer on request. */
export const withPictures = <A extends { performance?: unknown }, K extends CalculationKind>(
  answer: A,
  baseUrl: string,
  { calculationId, kind }: { calculationId: string; kind: K },
) => ({
  ...answer,
  performance: {
    ...(answer.performance as NonNullable<A['performance']> & object),
    graphic: picturesOf(baseUrl, calculationId, kind, ''),
  },
  graphicDark: picturesOf(baseUrl, calculationId, kind, '-dark'),
});

/** Stores a calculation and counts it. Returns the allowance before it, or null if it was used up. */
export const chargeCalculation = (
  { transaction, created }: Needs<'transaction' | 'created'>,
  caller: Caller,
  calculation: Omit<NewCalculation, 'userId'>,
): Promise<Allowance | null> =>
  transaction(async (tx) => {
    const { userId } = caller;
    await allowanceWrites(tx).lock(userId);
    const left = await allowanceRepo(tx).of(caller, calculation.createdAt);
    if (left.remaining <= 0) return null;
    await calculationWrites(tx).insert({ ...calculation, userId });
    await created?.(tx, calculation.publicId);
    return left;
  });

// What landings and takeoffs share after the engine's answer: cautions, charge and drawings.

type Answer = LandingAnswer | TakeoffAnswer;
type Kind = 'takeoff' | 'landingDispatch' | 'landingEnroute';
type Notices<A extends Answer> = NonNullable<A['performance']>['noticesInForce'];

/** The answer of a stored calculation, with the current allowance; null if its contents have expired. */
export const storedAnswer = async (
  { db, caller, config, now }: Needs<'db' | 'caller' | 'config' | 'now'>,
  calculationId: string,
) => {
  const found = await calculationRepo(db).get(caller.userId, calculationId);
  if (!found) return null;
  const counters = countersOf(await allowanceRepo(db).of(caller, now), 0);
  const answer: Record<string, unknown> = { ...found.result, calculationId, ...counters };
  // Validated like any answer.
  return (found.isDrawn ? withPictures(answer, config.BASE_URL, found) : answer) as unknown as
    | z.input<typeof landingCallSchema>
    | z.input<typeof takeoffCallSchema>;
};

interface Performed<A extends Answer, K extends Kind> {
  kind: K;
  answer: A;
  request: { airport: string };
  /** about the runway and its airport data */
  cautions: readonly CautionAnswer[];
  isNotam: boolean;
  noticesInForce: Notices<A>;
  drawing: DrawingFacts | TakeoffDrawingFacts | null;
}

/** The answer with all cautions; a possible calculation is charged, stored and drawn. */
const chargedAnswer = async <A extends Answer, K extends Kind>(
  ctx: PerformanceContext,
  { icao: airport, loaded }: Scene,
  performed: Performed<A, K>,
) => {
  const { caller, config, now, logId, fail } = ctx;
  const { kind, request, drawing } = performed;
  const { performance, calculationPossible } = performed.answer;
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
  if (!calculationPossible)
    return { ...answer, ...countersOf(await allowanceLeft(ctx), 0), calculationId: null };

  const calculationId = randomUUID();
  const charged = await chargeCalculation(ctx, caller, {
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
  if (!charged) return refuse(ctx, fail('CALCULATION_LIMIT_REACHED', { extra: { availableAt: null } }));
  const counted = { ...answer, calculationId, ...countersOf(charged, 1) };
  return drawing ? withPictures(counted, config.BASE_URL, { calculationId, kind }) : counted;
};

// `performance` with requestType LANDING.

export const answerLanding = async (ctx: PerformanceContext, sent: SentLanding) => {
  const { request } = sent;
  const scene = await sceneOf(ctx, request);
  const { known, notams, loaded } = scene;
  const { airport, runway: named, landingMode } = request;
  const at = situationTime(request.at, ctx.now);
  const found = landingRunway(known, notams, named, at);
  const runway = await openRunway(ctx, scene, { airport, runway: named, at }, found);
  if (runway.id !== runway.end.ident && !ctx.caller.entitlement.product.isNotam)
    return refuseFeature(ctx, 'notam', 'runway');
  const performed = await landingOn(ctx, scene, runway, sent, at);
  if (!performed) return refuseNil(ctx);
  return chargedAnswer(ctx, scene, {
    ...performed,
    kind: landingMode === 'dispatch' ? 'landingDispatch' : 'landingEnroute',
    isNotam: runway.isNotam,
    drawing: drawingFacts(loaded.profile, performed.request, performed.outcome, {
      displacedM: runway.geometry.landingStartM,
      lengthM: runway.geometry.lengthM,
      closed: runway.geometry.closed,
    }),
  });
};

// `performance` with requestType TAKEOFF.

const unknownIntersection = (known: KnownAirport | null, runway: string, intersection: string | null) => {
  const [ident, beside = ''] = runway.toUpperCase().split('/');
  const names = (known?.intersections ?? []).filter((each) => each.ident === ident).map(({ name }) => name);
  const offered = names.length === 0 ? 'none is known' : names.join(', ');
  const message = `"${intersection ?? runway}" is not an intersection of this runway: ${offered}`;
  const isEnd = intersection === null && known?.airport.ends.some((end) => end.ident === beside);
  const isLength = intersection !== null && /^[\d.]+$/.test(intersection);
  const hint = isEnd
    ? `send one end, ${ident} or ${beside}`
    : isLength
      ? 'the length that starting there loses is a number; send it without quotes'
      : null;
  return { details: [`intersection: ${message}`], hint };
};

export const answerTakeoff = async (ctx: PerformanceContext, request: TakeoffRequest) => {
  const { now, fail } = ctx;
  const { entitlement } = ctx.caller;
  const scene = await sceneOf(ctx, request);
  const { known, notams } = scene;
  const asked = typeof request.runway === 'string' ? request.runway : request.runway.ident;
  const intersection = typeof request.intersection === 'string' ? request.intersection : null;
  const at = situationTime(request.at, now);
  const found = takeoffRunway(known, notams, asked, intersection, at);
  if (found === 'INTERSECTION_NOT_FOUND') {
    return refuse(ctx, fail('INVALID_INPUT', unknownIntersection(known, asked, intersection)));
  }
  const runway = await openRunway(ctx, scene, { airport: request.airport, runway: asked, at }, found);
  if (asked.includes('.') && !entitlement.product.isNotam) return refuseFeature(ctx, 'notam', 'runway');
  const performed = await takeoffOn(ctx, scene, runway, request, at);
  if (!performed) return refuseNil(ctx);
  return chargedAnswer(ctx, scene, {
    ...performed,
    kind: 'takeoff',
    isNotam: runway.isNotam,
    drawing:
      performed.result &&
      takeoffDrawingFacts(scene.loaded.profile, performed.request, performed.takeoff, performed.result, {
        lengthM: runway.end.lengthM,
        startM: runway.startM,
        displacedM: runway.end.displacedThresholdM,
        closed: runway.closed,
      }),
  });
};

// Takeoff and landing of a plan as `performance` calculates them, for use inside another answer.

interface Part<A> {
  answer: A | null;
  /** Why there is no result. */
  error: { code: string; message: string } | null;
}

const without = (code: string, message: string): Part<never> => ({ answer: null, error: { code, message } });

/** Turns a refusal into a part of the answer. */
const partOf = async <A>(work: () => Promise<A>): Promise<Part<A>> => {
  try {
    return { answer: await work(), error: null };
  } catch (error) {
    if (error instanceof ApiError || error instanceof DomainError) return without(error.code, error.message);
    throw error;
  }
};

/** Context for an operation that does not declare the errors of a calculation. */
export const performanceContext = (ctx: Omit<PerformanceContext, 'fail'>): PerformanceContext => ({
  ...ctx,
  fail: ((code: string, options?: ErrorOptions) =>
    declaredError(performanceErrors, code, options)) as PerformanceContext['fail'],
});

/** Why the plan's defaults do not make a request. */
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
