import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ofpIdField } from '#domain/ofp/id.ts';
import { drawingFilesOf, profileFilesSchema } from '#domain/prints/files.ts';
import { flightOf } from '#domain/ofp/flight.ts';
import { printWrites } from '#store/postgres/prints/prints.ts';
import { mapSvg } from '#drawing/svg/map-svg.ts';
import { distanceNm, vectorOf } from '#domain/geography/sphere.ts';
import type { MapScene } from '#domain/prints/content.ts';
import { mapOf } from '#domain/prints/map.ts';
import type { Flight } from '#domain/ofp/flight.ts';
import { flightErrors } from './common/ofp.ts';
import { readPlan } from '../weather/common/route.ts';
import { defineQuery } from '../../define.ts';
import { landRings } from '../../services/land.ts';

/** The map of a flight with its texts, and the route length. */
const routeMap = async ({
  origin,
  destination,
  waypoints,
}: Pick<Flight, 'origin' | 'destination' | 'waypoints'>): Promise<{ scene: MapScene; miles: number }> => {
  const ends = [origin, destination].map((end) => ({ ...end, ident: end.icao }));
  const points = [...ends.slice(0, 1), ...waypoints, ...ends.slice(1)];
  const places = points.map(({ latitude, longitude }) => vectorOf(latitude, longitude));
  const miles = places.slice(1).reduce((sum, place, i) => sum + distanceNm(places[i] ?? place, place), 0);
  const scene = {
    title: `${origin.icao} – ${destination.icao}`,
    facts: [
      { name: 'Route', value: `${Math.round(miles)} NM, ${waypoints.length} points between the airports` },
    ],
    ...mapOf(points, await landRings()),
    notes: ['Great circles between the points. Land: Natural Earth, 1:110 million; not for navigation.'],
  };
  return { scene, miles };
};

export default defineQuery({
  name: 'ofpMap',
  spec: ['4.2'],
  summary: 'A map of the route of a stored flight plan (SVG, on request PNG).',
  errors: flightErrors,
  input: z.strictObject({
    ofpId: ofpIdField(),
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
    ofpId: z.string(),
    revision: z.int(),
    svg: z.string().describe('the drawing, self-contained, without scripts or external references'),
    width: z.int().describe('pixels; the drawing can be scaled'),
    distanceNm: z.int(),
    files: profileFilesSchema.nullable().describe('PNG files; null: not requested'),
  }),
  // Only PNG writes.
  tx: 'manual',
  commits: 'nothing',
  example: { ofpId: 'OFP-abcdefghijklmnopqrst', theme: 'dark' },
  handler: async (ctx) => {
    const { input, caller, config, now, transaction } = ctx;
    const { ofpId, theme, png } = input;
    const { row, plan } = await readPlan(ctx, ofpId);
    const { scene, miles } = await routeMap(flightOf(plan));
    const id = randomUUID();
    const content = { ofpId, document: null, profile: null, map: scene };
    if (png) await transaction((tx) => printWrites(tx).add({ id, userId: caller.userId, content }, now));
    return {
      ofpId,
      revision: row.revision,
      svg: mapSvg(scene, theme),
      width: 800,
      distanceNm: Math.round(miles),
      files: png ? drawingFilesOf(config.BASE_URL, id, 'map', now) : null,
    };
  },
});
