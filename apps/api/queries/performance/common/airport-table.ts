import type { AirportTableRequest } from '#domain/performance/airport-table.ts';
import { landingRequestSchema } from '#domain/performance/request.ts';
import { takeoffRequestSchema } from '#domain/performance/takeoff-request.ts';
import { situationTime } from '#domain/performance/situation/time.ts';
import type { ServedRunwayEnd } from '#domain/airports/served.ts';
import { idInForce } from '#domain/notam/asked-runway.ts';
import { landingRunway } from '#domain/notam/landing-runway.ts';
import { takeoffRunway } from '#domain/notam/takeoff-runway.ts';
import { bestLandings, bestTakeoffs, landingRow, takeoffRow } from '#perf/wire/airport-table.ts';
import { performLanding } from '#perf/wire/landing.ts';
import { converter } from '#perf/wire/units.ts';
import { weatherOnRunway } from '#perf/wire/wind.ts';
import { performTakeoff } from '#perf/wire/takeoff.ts';
import { windComponents } from '#perf/wire/wind.ts';
import { answeredOr } from './context.ts';
import type { PerformanceContext, Scene } from './context.ts';
import { airportCautions, entitlementsOf, inForceAnswer, runwayCautions, runwayFacts } from './landing.ts';
import { measured } from './measured.ts';
import { withOfficialCondition } from './official-condition.ts';
import type { ConditionUse } from '#domain/performance/situation/condition.ts';
import { returnOf, takeoffFacts, takeoffInForce } from './takeoff.ts';

/** A component along one runway that comes with a wind counts on the others where that of the wind is not worse. */
const weatherOn = (
  { trueBearingDeg }: ServedRunwayEnd,
  weather: AirportTableRequest['weather'],
): AirportTableRequest['weather'] => {
  const { headwind, windDirection, windSpeed } = weather;
  if (headwind === null || windSpeed === 0) return weather;
  const own =
    windDirection === null
      ? -windSpeed
      : windComponents(windDirection, windSpeed, trueBearingDeg).headwindMps;
  return { ...weather, headwind: Math.min(headwind, own) };
};

/** Both phases on every direction of an airport that is open. */
export const airportTable = async (
  ctx: PerformanceContext,
  scene: Scene,
  ends: readonly ServedRunwayEnd[],
  request: AirportTableRequest,
) => {
  const { entitlement } = ctx.caller;
  const {
    icao,
    known,
    notams,
    loaded: { profile },
  } = scene;
  const { weight, configuration, ...shared } = request;
  const time = situationTime(request.at, ctx.now);
  const landingMode = weight.landingWeight === null ? ('dispatch' as const) : ('inflight' as const);
  const defaults = { aircraft: request.aircraft, airport: request.airport, runway: '-' };
  const takeoffOf = {
    ...takeoffRequestSchema.parse({ requestType: 'TAKEOFF', ...defaults }),
    ...shared,
    configuration: configuration.takeoff,
  };
  const landingOf = {
    ...landingRequestSchema.parse({ requestType: 'LANDING', ...defaults }),
    ...shared,
    configuration: configuration.landing,
  };
  const takeoffs = [];
  const landings = [];
  const closed = new Set<string>();

  for (const served of ends) {
    const { ident } = served;
    const onRunway = { ...shared, weather: weatherOn(served, shared.weather) };
    const conditionFor = (use: ConditionUse) => withOfficialCondition(onRunway, scene, ident, time, use);
    const official = {
      takeoff: conditionFor('takeoff'),
      landing: conditionFor(landingMode === 'inflight' ? 'arrival' : 'landing'),
    };
    const { evidence } = official.takeoff;
    const former = airportCautions(request.airport, icao);
    const inForce = (use: 'landing' | 'takeoff') =>
      entitlement.product.isNotam ? idInForce(known, notams, ident, use, time) : ident;
    const start = takeoffRunway(known, notams, inForce('takeoff'), null, time);
    if (typeof start === 'object' && !official.takeoff.isNil) {
      const asked = {
        ...takeoffOf,
        ...official.takeoff.request,
        runway: start.id,
        weight: { ...takeoffOf.weight, takeoffWeight: weight.takeoffWeight },
      };
      const landing = returnOf(start, shared, asked, scene, time);
      const input = { request: asked, profile, runway: takeoffFacts(start), landing };
      const entitlements = entitlementsOf(entitlement);
      const performed = measured(profile, 'takeoff', () => performTakeoff({ ...input, entitlements }));
      const { answer } = await answeredOr(ctx, performed);
      takeoffs.push({
        ...takeoffRow(start.id, answer),
        reportedCondition: evidence,
        cautions: [
          ...answer.cautions,
          ...former,
          ...runwayCautions(start, shared, 'tora', time),
          ...official.takeoff.cautions,
        ],
        noticesInForce: takeoffInForce(start, shared, entitlements),
      });
    } else closed.add(ident);
    const end = landingRunway(known, notams, inForce('landing'), time);
    if (typeof end === 'object' && !official.landing.isNil) {
      const asked = {
        ...landingOf,
        ...official.landing.request,
        weather: weatherOnRunway(
          official.landing.request.weather,
          end.end.trueBearingDeg,
          converter(shared.units),
        ),
        landingMode,
        runway: end.id,
        weight: { ...landingOf.weight, landingWeight: weight.landingWeight },
      };
      const input = { request: asked, profile, runway: runwayFacts(end) };
      const entitlements = entitlementsOf(entitlement);
      const performed = measured(profile, landingMode, () => performLanding({ ...input, entitlements }));
      const { answer } = await answeredOr(ctx, performed);
      landings.push({
        ...landingRow(end.id, answer),
        reportedCondition: evidence,
        cautions: [
          ...answer.cautions,
          ...former,
          ...runwayCautions(end, shared, 'lda', time),
          ...official.landing.cautions,
        ],
        noticesInForce: inForceAnswer(end, shared, entitlements),
      });
    } else closed.add(ident);
  }
  return { takeoff: bestTakeoffs(takeoffs), landing: bestLandings(landings), closed: [...closed] };
};
