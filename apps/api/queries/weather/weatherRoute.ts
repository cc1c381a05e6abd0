import { routeInputSchema, routeOutputSchema } from '#domain/weather/route-schema.ts';
import { askedRoute, assumedOf, routeErrors, routeWeather } from './common/route.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'weatherRoute',
  spec: ['2.11', '2.12', '4.7', '7'],
  summary:
    'Weather along a route: reports within 50 NM, winds by point and level, freezing level, and SIGMETs with the place and time of crossing.',
  devKey: 'weather',
  errors: routeErrors,
  input: routeInputSchema,
  output: routeOutputSchema,
  example: {
    waypoints: [
      { ident: 'KJFK', latitude: 40.6399, longitude: -73.7787, flightLevel: 0 },
      { ident: 'MERIT', latitude: 41.3819, longitude: -73.1374, flightLevel: 180 },
      { ident: 'KBOS', latitude: 42.3643, longitude: -71.0052, flightLevel: 0 },
    ],
    time: '2026-09-16T12:30:00Z',
  },
  handler: async (ctx) => {
    const asked = await askedRoute(ctx, ctx.input);
    return { ...(await routeWeather(ctx, asked)), assumed: assumedOf(ctx.input) };
  },
});
