import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { ServedRunwayEnd } from '#domain/airports/served.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { idInForce } from '#domain/notam/asked-runway.ts';
import { landingRunway } from '#domain/notam/landing-runway.ts';
import { takeoffRunway } from '#domain/notam/takeoff-runway.ts';
import { airportTableRequestSchema, airportTableSchema } from '#domain/performance/airport-table.ts';
import type { AirportTableRequest } from '#domain/performance/airport-table.ts';
import type { CautionAnswer } from '#domain/performance/caution.ts';
import { landingRequestSchema } from '#domain/performance/request.ts';
import { situationTime } from '#domain/performance/situation/time.ts';
import { takeoffRequestSchema } from '#domain/performance/takeoff-request.ts';
import { bestLandings, bestTakeoffs, landingRow, takeoffRow } from '#perf/wire/airport-table.ts';
import { converter } from '#perf/wire/units.ts';
import { weatherOnRunway } from '#perf/wire/wind.ts';
import { defineQuery } from '../../define.ts';
import { chargeCalculation } from './common/answer.ts';
import { airportCautions, landingOn } from './common/landing.ts';
import { calculationErrors, countersOf, refuse, refuseAirport, sceneOf } from './common/performance.ts';
import type { PerformanceContext, Scene } from './common/performance.ts';
import { takeoffOn } from './common/takeoff.ts';

/** Cautions of a runway, next to its figures. */
interface Beside {
  answer: { cautions: CautionAnswer[] };
  evidence: string | null;
  cautions: CautionAnswer[];
}

/** Takeoff and landing on every open runway end of an airport. */
const airportTable = async (
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

export default defineQuery({
  name: 'performanceAirport',
  spec: ['G-07'],
  summary: 'Takeoff and landing performance of one aircraft on every runway of an airport, best first.',
  dialect: 'bare',
  errors: calculationErrors,
  input: airportTableRequestSchema,
  output: airportTableSchema.extend({
    calculationId: z.uuid(),
    remainingCalculations: z.int(),
    extraCalculations: z.int(),
    ...ignoredField,
  }),
  // Calculations run outside the transactions that charge and store them.
  tx: 'manual',
  isCalculation: true,
  example: {
    units: { distance: 'meter' },
    aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
    airport: 'KJFK',
    weather: { windDirection: 20, windSpeed: 12, temperature: 15, qnh: 1013 },
    weight: { takeoffWeight: 70000, landingWeight: 60000 },
  },
  handler: async (ctx) => {
    const { input: request, caller, now, logId, fail } = ctx;
    const scene = await sceneOf(ctx, request);
    if (!scene.known) return refuseAirport(ctx, request.airport);
    const table = await airportTable(ctx, scene, scene.known.airport.ends, request);
    const result = { airport: scene.icao, units: request.units, ...table };
    const publicId = randomUUID();
    const allowance = await chargeCalculation(ctx, caller, {
      publicId,
      logId,
      kind: 'other',
      profile: scene.loaded.file,
      airport: scene.icao,
      request,
      result,
      drawing: null,
      createdAt: now,
    });
    if (!allowance) return refuse(ctx, fail('CALCULATION_LIMIT_REACHED', { extra: { availableAt: null } }));
    return { ...result, calculationId: publicId, ...countersOf(allowance, 1) };
  },
});
