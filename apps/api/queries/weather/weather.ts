import { z } from 'zod';
import { icaoField } from '#domain/fields/index.ts';
import { weatherOutputSchema } from '#domain/weather/schema.ts';
import { airportRepo } from '#data/postgres/airports/airports.ts';
import { datisRepo } from '#data/postgres/weather/datis.ts';
import { tafRepo } from '#data/postgres/weather/tafs.ts';
import { metarRepo } from '#data/postgres/weather/metars.ts';
import { metarResponse } from '#data/weather/metar-response.ts';
import { tafResponse } from '#data/weather/taf-response.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'weather',
  spec: ['2.11', '4.7', '7'],
  summary: 'METAR with a block per runway, TAF and the D-ATIS of both online networks.',
  auth: 'jwt',
  devKey: 'weather',
  dialect: 'weather',
  errors: {
    MISSING_ICAO: { status: 400, message: 'Missing ICAO.' },
    INVALID_ICAO: { status: 400, message: 'Invalid ICAO.' },
  },
  unknownKeys: 'ignored',
  input: z.object({
    icao: icaoField({ missing: 'MISSING_ICAO', invalid: 'INVALID_ICAO' }),
  }),
  output: weatherOutputSchema,
  tx: 'read',
  example: { icao: 'KJFK' },
  handler: async ({ input: { icao }, db, now }) => {
    const [metar, taf, datis, runways] = await Promise.all([
      metarRepo(db).ofStation(icao),
      tafRepo(db).ofStation(icao),
      datisRepo(db).ofAirport(icao, now),
      airportRepo(db).runwayEnds(icao),
    ]);
    const ends = runways.map((end) => ({ id: end.ident, trueBearingDeg: end.trueBearingDeg }));
    return {
      metar: metar && metarResponse(metar, ends, now),
      taf: taf && tafResponse(taf),
      networkADAtis: datis.networkA,
      networkBDAtis: datis.networkB,
    };
  },
});
