import { z } from 'zod';
import { airportAnswer } from '#domain/airports/answer.ts';
import { airportAnswerSchema } from '#domain/airports/schema.ts';
import { icaoField } from '#domain/fields/index.ts';
import { situationTime, situationTimeField } from '#domain/performance/situation/time.ts';
import { airportUnderNotams, openExits, withNotamClosures } from '#domain/notam/airport.ts';
import { airportErrors, airportWithNotams, unknownAirport } from './common/airports.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'airport',
  get: { maxAgeSeconds: 60 },
  spec: ['G-32'],
  summary:
    'Runways of an airport with declared distances and their sources, exits, intersections and NOTAM variants.',
  dialect: 'bare',
  errors: { MISSING_FIELD: 400, INVALID_FIELD: 400, ...airportErrors },
  input: z.strictObject({ icao: icaoField(), at: situationTimeField('INVALID_FIELD') }),
  output: z.strictObject({ airport: airportAnswerSchema }),
  example: { icao: 'KJFK' },
  handler: async ({ input, caller, caches, now, fail }) => {
    const hasNotams = caller.entitlement.product.isNotam;
    const at = situationTime(input.at, now);
    const { known, notams } = await airportWithNotams(caches, input.icao);
    if (!known) throw fail('AIRPORT_NOT_FOUND', { extra: await unknownAirport(caches, input.icao) });
    const { airport: published, exits, intersections } = known;
    const states = airportUnderNotams(published, notams, at);
    const airport = { ...published, ends: withNotamClosures(published.ends, states) };
    return {
      airport: airportAnswer({
        airport,
        exits: openExits(exits, states),
        intersections,
        notams: states,
        hasNotams,
        now,
      }),
    };
  },
});
