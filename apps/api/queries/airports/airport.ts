import { z } from 'zod';
import { airportAnswer } from '#domain/airports/answer.ts';
import { airportAnswerSchema } from '#domain/airports/schema.ts';
import { icaoField } from '#domain/fields/index.ts';
import { airportUnderNotams, withNotamClosures } from '#domain/notam/airport.ts';
import { airportRepo } from '#data/postgres/airports/airports.ts';
import { notamRepo } from '#data/postgres/notam/notam.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'airport',
  spec: ['G-32'],
  summary:
    'Runways of an airport with declared distances and their sources, exits, intersections and NOTAM variants.',
  auth: 'jwt',
  devKey: null,
  dialect: 'bare',
  errors: { MISSING_FIELD: 400, INVALID_FIELD: 400, AIRPORT_NOT_FOUND: 404 },
  input: z.object({ icao: icaoField() }),
  output: z.strictObject({ airport: airportAnswerSchema }),
  tx: 'read',
  example: { icao: 'KJFK' },
  handler: async ({ input: { icao }, db, now, fail }) => {
    const repo = airportRepo(db);
    const [published, exits, intersections, stored] = await Promise.all([
      repo.findByIcao(icao),
      repo.exits(icao),
      repo.intersections(icao),
      notamRepo(db).forAirports([icao], now),
    ]);
    if (!published) throw fail('AIRPORT_NOT_FOUND');
    const { states, variants } = airportUnderNotams(published, stored, now);
    const airport = { ...published, ends: withNotamClosures(published.ends, states) };
    return { airport: airportAnswer({ airport, exits, intersections, notams: variants }) };
  },
});
