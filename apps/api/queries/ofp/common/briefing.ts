/** Everything of one flight, each part as the operation of its own answers it. */
import { runwayOf } from '#domain/ofp/performance-defaults.ts';
import { plannedRoute } from '#domain/ofp/route.ts';
import type { NormalizedOfp } from '#domain/ofp/schema.ts';
import type { PerformanceContext } from '../../performance/common/context.ts';
import { performanceContext, plannedLanding, plannedTakeoff } from '../../performance/common/planned.ts';
import { routeWeather } from '../../weather/common/route-weather.ts';
import { readPlan, routeOfPlan } from '../../weather/common/route.ts';
import type { AskedRoute, RouteCall } from '../../weather/common/route.ts';
import { briefingAirport, usesOf } from './briefing-airport.ts';
import { detailOf } from './detail.ts';
import { preferencesOf } from './document.ts';
import type { BriefingOutput } from './print-briefing.ts';
import { profileOf } from './profile.ts';

type BriefingContext = Omit<PerformanceContext, 'fail'> &
  Omit<RouteCall, 'userId'> & { input: { ofpId: string; performance: boolean } };

/** Departure, destination and alternates; these at the time of arrival. */
const aerodromesOf = (
  { origin, destination, alternates, takeoff, landing }: NormalizedOfp,
  { estimatedOff, estimatedOn }: { estimatedOff: string | null; estimatedOn: string | null },
) => [
  { icao: origin.icao, runway: runwayOf(origin, takeoff), at: estimatedOff },
  { icao: destination.icao, runway: runwayOf(destination, landing), at: estimatedOn },
  ...alternates.map(({ icao, runway }) => ({ icao, runway, at: estimatedOn })),
];

/** Throws OFP_NOT_FOUND. `asked`: the route; null where the plan has no navigation log. */
export const briefingOf = async (
  ctx: BriefingContext,
): Promise<{ answer: Omit<BriefingOutput, 'files'>; asked: AskedRoute | null }> => {
  const { input, caller, caches, now, db, winds, aircraft } = ctx;
  const call = { caches, winds, db, userId: caller.userId, now };
  const { row, plan } = await readPlan(call, input.ofpId);
  const matched = await profileOf(plan, { aircraft, caches, caller });
  const uses = await usesOf(caches, aerodromesOf(plan, row.facts), now);
  const current = { departure: uses[0]?.weather ?? null, arrival: uses[1]?.weather ?? null };
  const preferences = await preferencesOf({ caches, caller });
  const ofp = await detailOf(row, plan, matched, caches, preferences, now, current);
  const [departure = null, destination = null, ...alternates] = uses.map(briefingAirport);
  const defaults = { time: null, flightLevel: 0, groundSpeed: 450 };
  const asked = plannedRoute(plan).length === 0 ? null : routeOfPlan(plan, defaults, now);
  const performing = performanceContext(ctx);
  const answer = {
    ofp,
    departure,
    destination,
    alternates: alternates.filter((airport) => airport !== null),
    route: asked && (await routeWeather(call, asked)),
    takeoff: input.performance ? await plannedTakeoff(performing, ofp.performanceDefaults) : null,
    landing: input.performance ? await plannedLanding(performing, ofp.performanceDefaults) : null,
  };
  return { answer, asked };
};
