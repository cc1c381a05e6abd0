import { z } from 'zod';
import { ofpIdField } from '#domain/ofp/id.ts';
import { plannedRoute } from '#domain/ofp/route.ts';
import { performanceContext, plannedLanding, plannedTakeoff } from '../performance/common/planned.ts';
import { routeWeather } from '../weather/common/route-weather.ts';
import { readPlan, routeOfPlan } from '../weather/common/route.ts';
import { briefingAirport } from './common/briefing-airport.ts';
import { briefingOutputSchema } from './common/briefing-schema.ts';
import { detailOf } from './common/detail.ts';
import { preferencesOf } from './common/document.ts';
import { ofpErrors } from './common/errors.ts';
import { profileOf } from './common/profile.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'briefing',
  spec: ['2.9', '2.11', '2.12', '4.2', 'G-06'],
  summary:
    'One flight in one answer: weather, runway surfaces and NOTAM at the times of use, winds and SIGMETs on the way, takeoff and landing.',
  auth: 'jwt',
  devKey: 'weather',
  dialect: 'flat',
  errors: { ...ofpErrors, INVALID_FIELD: 400 },
  unknownKeys: 'ignored',
  input: z.object({
    ofpId: ofpIdField(),
    performance: z
      .boolean('INVALID_FIELD')
      .default(true)
      .describe('false: without takeoff and landing, which count as calculations'),
  }),
  output: briefingOutputSchema,
  // The calculations run outside of the transactions that charge and store them.
  tx: 'manual',
  isCalculation: true,
  example: { ofpId: 'OFP-abcdefghijklmnopqrst' },
  handler: async (ctx) => {
    const { input, caller, caches, now, db, winds, aircraft } = ctx;
    const call = { caches, winds, db, userId: caller.userId, now };
    const { row, plan } = await readPlan(call, input.ofpId);
    const matched = await profileOf(plan, { aircraft, caches, caller });
    const ofp = await detailOf(row, plan, matched, caches, await preferencesOf({ caches, caller }), now);
    const { takeoff, landing } = ofp.performanceDefaults;
    const airportAt = (at: string | null) => (airport: { icao: string | null; runway: string | null }) =>
      briefingAirport(caches, airport, at, now);
    const alternates = await Promise.all(plan.alternates.map(airportAt(landing.at)));
    const defaults = { time: null, flightLevel: 0, groundSpeed: 450 };
    const performing = performanceContext(ctx);
    return {
      ofp,
      departure: await airportAt(takeoff.at)({ icao: plan.origin.icao, runway: takeoff.runway }),
      destination: await airportAt(landing.at)({ icao: plan.destination.icao, runway: landing.runway }),
      alternates: alternates.filter((airport) => airport !== null),
      route:
        plannedRoute(plan).length === 0 ? null : await routeWeather(call, routeOfPlan(plan, defaults, now)),
      takeoff: input.performance ? await plannedTakeoff(performing, ofp.performanceDefaults) : null,
      landing: input.performance ? await plannedLanding(performing, ofp.performanceDefaults) : null,
    };
  },
});
