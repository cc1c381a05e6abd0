/** Everything of one flight, each part as the operation of its own answers it. */
import { plannedRoute } from '#domain/ofp/route.ts';
import type { PerformanceContext } from '../../performance/common/context.ts';
import { performanceContext, plannedLanding, plannedTakeoff } from '../../performance/common/planned.ts';
import { routeWeather } from '../../weather/common/route-weather.ts';
import { readPlan, routeOfPlan } from '../../weather/common/route.ts';
import type { AskedRoute, RouteCall } from '../../weather/common/route.ts';
import type { Tools } from '../../../handler-context.ts';
import { briefingAirport } from './briefing-airport.ts';
import { detailOf } from './detail.ts';
import type { BriefingOutput } from './print-briefing.ts';

type BriefingContext = Omit<PerformanceContext, 'fail'> &
  Pick<Tools, 'identities'> &
  Omit<RouteCall, 'userId'> & { input: { ofpId: string; performance: boolean } };

/** Throws OFP_NOT_FOUND. `asked`: the route; null where the plan has no navigation log. */
export const briefingOf = async (
  ctx: BriefingContext,
): Promise<{ answer: Omit<BriefingOutput, 'files'>; asked: AskedRoute | null }> => {
  const { input, caller, caches, now, db, winds } = ctx;
  const call = { caches, winds, db, userId: caller.userId, now };
  const { row, plan } = await readPlan(call, input.ofpId);
  const { ofp, uses } = await detailOf(ctx, row, plan);
  const defaults = { time: null, flightLevel: 0, groundSpeed: 450 };
  const asked = plannedRoute(plan).length === 0 ? null : routeOfPlan(plan, defaults, now);
  const performing = performanceContext(ctx);
  const answer = {
    ofp,
    departure: briefingAirport(uses.departure),
    destination: briefingAirport(uses.arrival),
    alternates: uses.alternates.map(briefingAirport).filter((airport) => airport !== null),
    route: asked && (await routeWeather(call, asked)),
    takeoff: input.performance ? await plannedTakeoff(performing, ofp.performanceDefaults) : null,
    landing: input.performance ? await plannedLanding(performing, ofp.performanceDefaults) : null,
  };
  return { answer, asked };
};
