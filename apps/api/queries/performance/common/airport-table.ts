import type { CautionAnswer } from '#domain/performance/caution.ts';
import type { AirportTableRequest } from '#domain/performance/airport-table.ts';
import { landingRequestSchema } from '#domain/performance/request.ts';
import { takeoffRequestSchema } from '#domain/performance/takeoff-request.ts';
import { situationTime } from '#domain/performance/situation/time.ts';
import type { ServedRunwayEnd } from '#domain/airports/served.ts';
import { idInForce } from '#domain/notam/asked-runway.ts';
import { landingRunway } from '#domain/notam/landing-runway.ts';
import { takeoffRunway } from '#domain/notam/takeoff-runway.ts';
import { bestLandings, bestTakeoffs, landingRow, takeoffRow } from '#perf/wire/airport-table.ts';
import { converter } from '#perf/wire/units.ts';
import { weatherOnRunway } from '#perf/wire/wind.ts';
import type { PerformanceContext, Scene } from './performance.ts';
import { airportCautions, landingOn } from './landing.ts';
import { takeoffOn } from './takeoff.ts';

/** What is said beside the figures of a runway. */
interface Beside {
  answer: { cautions: CautionAnswer[] };
  evidence: string | null;
  cautions: CautionAnswer[];
}

/** Both phases on every direction of an airport that is open. */
export const airportTable = async (
  ctx: PerformanceContext,
  scene: Scene,
  ends: readonly ServedRunwayEnd[],
  request: AirportTableRequest,
) => {
  const { isNotam } = ctx.caller.entitlement.product;
  const { icao, known, notams } = scene;
  const { weight, configuration, ...shared } = request;
  const time = situationTime(request.at, ctx.now);
  const defaults = { aircraft: request.aircraft, airport: request.airport, runway: '-' };
  const { takeoffWeight, landingWeight } = weight;
  const takeoffAsked = takeoffRequestSchema.parse({ requestType: 'TAKEOFF', ...defaults });
  const takeoffOf = {
    ...takeoffAsked,
    ...shared,
    configuration: configuration.takeoff,
    weight: { ...takeoffAsked.weight, takeoffWeight },
  };
  const landingAsked = landingRequestSchema.parse({ requestType: 'LANDING', ...defaults });
  const landingOf = {
    ...landingAsked,
    ...shared,
    landingMode: landingWeight === null ? ('dispatch' as const) : ('inflight' as const),
    configuration: configuration.landing,
    weight: { ...landingAsked.weight, landingWeight },
  };
  const takeoffs = [];
  const landings = [];
  const closed = new Set<string>();

  const former = airportCautions(request.airport, icao);
  const besides = ({ answer, evidence, cautions }: Beside) => ({
    reportedCondition: evidence,
    cautions: [...answer.cautions, ...former, ...cautions],
  });
  const convert = converter(shared.units);
  for (const { ident, trueBearingDeg } of ends) {
    const weather = weatherOnRunway(shared.weather, trueBearingDeg, convert);
    const inForce = (use: 'landing' | 'takeoff') =>
      isNotam ? idInForce(known, notams, ident, use, time) : ident;
    const start = takeoffRunway(known, notams, inForce('takeoff'), null, time);
    const takeoff =
      typeof start === 'object' &&
      (await takeoffOn(ctx, scene, start, { ...takeoffOf, weather, runway: start.id }, time));
    if (takeoff) {
      const { answer, noticesInForce } = takeoff;
      takeoffs.push({ ...takeoffRow(start.id, answer), ...besides(takeoff), noticesInForce });
    } else closed.add(ident);
    const end = landingRunway(known, notams, inForce('landing'), time);
    const landing =
      typeof end === 'object' &&
      (await landingOn(
        ctx,
        scene,
        end,
        { request: { ...landingOf, weather, runway: end.id }, isModeAssumed: false },
        time,
      ));
    if (landing) {
      const { answer, noticesInForce } = landing;
      landings.push({ ...landingRow(end.id, answer), ...besides(landing), noticesInForce });
    } else closed.add(ident);
  }
  return { takeoff: bestTakeoffs(takeoffs), landing: bestLandings(landings), closed: [...closed] };
};
