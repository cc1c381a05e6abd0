import { z } from 'zod';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { routeProfile } from '#domain/weather/profile.ts';
import { timeText } from '#domain/weather/route-answer.ts';
import { routeInputShape } from '#domain/weather/route-schema.ts';
import { sigmetsOnRoute } from '#domain/weather/sigmet-route.ts';
import { routeSvg } from '#perf/graphic/route-svg.ts';
import { profileScene } from './common/profile-scene.ts';
import { askedRoute, routeErrors } from './common/route.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'weatherRouteProfile',
  spec: ['2.11', '2.12', '4.7', '7'],
  summary:
    'The vertical profile of a route as a drawing (SVG): winds as barbs by level, freezing level, SIGMETs as areas, and the flight.',
  auth: 'jwt',
  devKey: 'weather',
  dialect: 'flat',
  errors: routeErrors,
  unknownKeys: 'ignored',
  input: z.object({
    ...routeInputShape,
    theme: z
      .enum(['auto', 'light', 'dark'], 'INVALID_FIELD')
      .default('auto')
      .describe('`auto` is light, and dark where the viewer prefers it'),
  }),
  output: z.object({
    svg: z.string().describe('the drawing, complete in itself: no script, no outside reference'),
    width: z.int().describe('pixels; the drawing can be scaled'),
    departureTime: z.string().describe('ISO 8601, UTC'),
    source: z.string().nullable().describe('model of the winds; null without winds'),
    ...ignoredField,
  }),
  tx: 'read',
  example: {
    waypoints: [
      { ident: 'KJFK', latitude: 40.6399, longitude: -73.7787, flightLevel: 0 },
      { ident: 'KBOS', latitude: 42.3643, longitude: -71.0052, flightLevel: 0 },
    ],
    time: '2026-09-16T12:30:00Z',
    theme: 'dark',
  },
  handler: async ({ input, caller, db, caches, winds, now }) => {
    const call = { caches, winds, db, userId: caller.userId, now };
    const { route } = await askedRoute(call, input);
    const snapshot = winds.current();
    const source = snapshot?.header.source ?? null;
    const profile = routeProfile(route, snapshot, sigmetsOnRoute(await caches.sigmets.get('all'), route));
    return {
      svg: routeSvg(profileScene(profile, source), input.theme),
      width: 800,
      departureTime: timeText(route.points[0]?.timeMs ?? 0),
      source,
    };
  },
});
