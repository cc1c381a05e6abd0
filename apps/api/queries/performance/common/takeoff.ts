import type { TakeoffRequest } from '#domain/performance/takeoff-request.ts';
import type { TakeoffRunway } from '#domain/notam/takeoff-runway.ts';
import { ftToM } from '#perf/kernel/units.ts';
import type { TakeoffInput, TakeoffRunwayFacts } from '#perf/wire/types.ts';
import { performTakeoff } from '#perf/wire/takeoff.ts';
import { answeredOr } from './performance.ts';
import type { PerformanceContext, Scene } from './performance.ts';
import { entitlementsOf, inForceAnswer, runwayCautions, runwayFacts } from './landing.ts';
import { withOfficialCondition } from './official-condition.ts';
import type { Stored } from './official-condition.ts';

/** The runway as input for the engine. */
const takeoffFacts = ({ id, end, toraM, todaM, asdaM, inForce }: TakeoffRunway): TakeoffRunwayFacts => ({
  ident: id,
  toraM,
  todaM,
  asdaM,
  inForce,
  elevationM: ftToM(end.thresholdElevationFt ?? 0),
  slopePercent: end.slopePercent,
  trueBearingDeg: end.trueBearingDeg,
  widthM: end.widthM,
  standardEfp: end.efpKind === 'std',
  efpText: end.efpText,
  efpAccelerationAltitudeFt: end.efpAccelerationAltitudeFt,
});

type Situation = Pick<TakeoffRequest, 'runwayCondition' | 'sources' | 'units'>;

/**
 * The same runway end for a return landing. The condition is read for a landing: a report without a depth counts as
 * deep for takeoff, but thin for landing.
 */
const returnOf = (
  { id, end, isClosedForLanding, ldaInForceM }: TakeoffRunway,
  asked: Situation,
  used: Situation,
  stored: Stored,
  at: Date,
): TakeoffInput['landing'] => {
  if (isClosedForLanding) return null;
  const isAssumed = asked.runwayCondition.isAssumed || used.runwayCondition.reportedCode !== undefined;
  const given = { ...asked, runwayCondition: { ...asked.runwayCondition, isAssumed } };
  const conditioned = withOfficialCondition(given, stored, end.ident, at, 'landing');
  if (conditioned.isNil) return null;
  const { runwayCondition } = conditioned.request;
  return { runway: runwayFacts({ id, end, exits: [], ldaInForceM }), runwayCondition };
};

/** A takeoff from an open runway, with its cautions; null if braking action is reported as NIL. */
export const takeoffOn = async (
  ctx: PerformanceContext,
  scene: Scene,
  runway: TakeoffRunway,
  request: TakeoffRequest,
  at: Date,
) => {
  const { profile } = scene.loaded;
  const entitlements = entitlementsOf(ctx.caller.entitlement);
  const conditioned = withOfficialCondition(request, scene, runway.end.ident, at, 'takeoff');
  if (conditioned.isNil) return null;
  const landing = returnOf(runway, request, conditioned.request, scene, at);
  const input = {
    request: conditioned.request,
    profile,
    runway: takeoffFacts(runway),
    landing,
    entitlements,
  };
  return {
    ...(await answeredOr(ctx, performTakeoff(input))),
    cautions: [...runwayCautions(runway, request, 'tora', at), ...conditioned.cautions],
    evidence: conditioned.evidence,
    noticesInForce: inForceAnswer(runway, request, entitlements, 'tora'),
  };
};
