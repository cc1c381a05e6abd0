/** `performance` with requestType TAKEOFF. */
import type { KnownAirport } from '#domain/airports/known.ts';
import { situationTime } from '#domain/performance/situation/time.ts';
import type { TakeoffRequest } from '#domain/performance/takeoff-request.ts';
import { takeoffRunway } from '#domain/notam/takeoff-runway.ts';
import { takeoffDrawingFacts } from '#drawing/scenes/takeoff-facts.ts';
import { chargedAnswer } from './charged-answer.ts';
import { openRunway, refuse, refuseFeature, sceneOf } from './context.ts';
import type { PerformanceContext } from './context.ts';
import { refuseNil } from './official-condition.ts';
import { takeoffOn } from './takeoff.ts';

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
