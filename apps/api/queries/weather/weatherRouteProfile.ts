import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { printWrites } from '#store/postgres/prints/prints.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { drawingFilesOf, profileFilesSchema } from '#domain/prints/files.ts';
import { routeInputShape } from '#domain/weather/route-schema.ts';
import { routeSvg } from '#drawing/svg/route-svg.ts';
import { askedRoute, profileSceneOf, routeErrors } from './common/route.ts';
import { defineQuery } from '../../define.ts';
import { isoSeconds } from '#domain/time.ts';

export default defineQuery({
  name: 'weatherRouteProfile',
  spec: ['2.11', '2.12', '4.7', '7'],
  summary:
    'The vertical profile of a route as a drawing (SVG): wind barbs by level, freezing level, SIGMETs as areas, and the flight path.',
  devKey: 'weather',
  errors: routeErrors,
  input: z.strictObject({
    ...routeInputShape,
    theme: z
      .enum(['auto', 'light', 'dark'], 'INVALID_FIELD')
      .default('auto')
      .describe('`auto` is light, or dark if the viewer prefers it'),
    png: z
      .boolean('INVALID_FIELD')
      .default(false)
      .describe('true: also as PNG, light and dark, at the URLs in `files`'),
  }),
  output: z.strictObject({
    svg: z.string().describe('the drawing, self-contained, without scripts or external references'),
    width: z.int().describe('pixels; the drawing can be scaled'),
    departureTime: z.string().describe('ISO 8601, UTC'),
    source: z.string().nullable().describe('wind forecast model; null without winds'),
    files: profileFilesSchema.nullable().describe('PNG files; null: not requested'),
    ...ignoredField,
  }),
  // Writes only if PNG files are requested.
  tx: 'manual',
  commits: 'nothing',
  example: {
    waypoints: [
      { ident: 'KJFK', latitude: 40.6399, longitude: -73.7787, flightLevel: 0 },
      { ident: 'KBOS', latitude: 42.3643, longitude: -71.0052, flightLevel: 0 },
    ],
    time: '2026-09-16T12:30:00Z',
    theme: 'dark',
  },
  handler: async (ctx) => {
    const { input, caller, winds, config, now, transaction } = ctx;
    const { route } = await askedRoute(ctx, input);
    const profile = await profileSceneOf(ctx, route);
    const id = randomUUID();
    const content = { ofpId: input.ofpId ?? null, document: null, profile };
    if (input.png)
      await transaction((tx) => printWrites(tx).add({ id, userId: caller.userId, content }, now));
    return {
      svg: routeSvg(profile, input.theme),
      width: 800,
      departureTime: isoSeconds(route.points[0]?.timeMs ?? 0),
      source: winds.current()?.header.source ?? null,
      files: input.png ? drawingFilesOf(config.BASE_URL, id, 'profile', now) : null,
    };
  },
});
