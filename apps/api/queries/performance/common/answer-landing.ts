/** `performance` with requestType LANDING. */
import type { SentLanding } from '#domain/performance/performance-request.ts';
import { situationTime } from '#domain/performance/situation/time.ts';
import { landingRunway } from '#domain/notam/landing-runway.ts';
import { drawingFacts } from '#drawing/scenes/landing.ts';
import { chargedAnswer } from './charged-answer.ts';
import { openRunway, refuseFeature, sceneOf } from './context.ts';
import type { PerformanceContext } from './context.ts';
import { landingOn } from './landing.ts';
import { refuseNil } from './official-condition.ts';

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
