/** `performance` with requestType LANDING. */
import type { SentLanding } from '#domain/performance/performance-request.ts';
import { situationTime } from '#domain/performance/situation/time.ts';
import { landingRunway } from '#domain/notam/landing-runway.ts';
import { performLanding } from '#perf/wire/landing.ts';
import { drawingFacts } from '#drawing/scenes/landing.ts';
import { chargedAnswer } from './charged-answer.ts';
import { answeredOr, openRunway, refuseFeature, sceneOf } from './context.ts';
import type { PerformanceContext } from './context.ts';
import { entitlementsOf, inForceAnswer, runwayCautions, runwayFacts } from './landing.ts';
import { aboutMode, modeCautions } from './landing-mode.ts';
import { measured } from './measured.ts';
import { refuseNil, withOfficialCondition } from './official-condition.ts';

export const answerLanding = async (ctx: PerformanceContext, { request, isModeAssumed }: SentLanding) => {
  const { entitlement } = ctx.caller;
  const scene = await sceneOf(ctx, request);
  const { known, notams, loaded } = scene;
  const { profile } = loaded;
  const { airport, runway: named } = request;
  const at = situationTime(request.at, ctx.now);
  const found = landingRunway(known, notams, named, at);
  const runway = await openRunway(ctx, scene, { airport, runway: named, at }, found);
  if (runway.id !== runway.end.ident && !entitlement.product.isNotam)
    return refuseFeature(ctx, 'notam', 'runway');
  const conditioned = withOfficialCondition(
    request,
    scene,
    runway.end.ident,
    at,
    request.landingMode === 'inflight' ? 'arrival' : 'landing',
  );
  if (conditioned.isNil) return refuseNil(ctx);
  const input = {
    request: conditioned.request,
    profile,
    runway: runwayFacts(runway),
    entitlements: entitlementsOf(entitlement),
  };
  const outcome = measured(profile, request.landingMode, () => performLanding(input));
  const performed = await answeredOr(ctx, isModeAssumed ? aboutMode(outcome, input) : outcome);
  return chargedAnswer(ctx, scene, {
    ...performed,
    kind: request.landingMode === 'dispatch' ? 'landingDispatch' : 'landingEnroute',
    cautions: [
      ...(isModeAssumed ? modeCautions(request) : []),
      ...runwayCautions(runway, request, 'lda', at),
      ...conditioned.cautions,
    ],
    isNotam: runway.isNotam,
    noticesInForce: inForceAnswer(runway, request, input.entitlements),
    drawing: drawingFacts(profile, performed.request, performed.outcome, {
      displacedM: runway.geometry.landingStartM,
      lengthM: runway.geometry.lengthM,
      closed: runway.geometry.closed,
    }),
  });
};
