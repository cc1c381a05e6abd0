import { z } from 'zod';
import { icaoField } from '#domain/fields/index.ts';
import { openOrClosedEnds } from '#domain/notam/airport.ts';
import { officialReports } from '#domain/notam/surface/official.ts';
import { surfaceReportsOf } from '#domain/notam/surface/schema.ts';
import { wantedParts, weatherPartsErrors, weatherPartsInput } from '#domain/weather/parts.ts';
import { weatherOutputSchema } from '#domain/weather/schema.ts';
import { metarResponse, tafResponse } from '#data/weather/metar-response.ts';
import { partsFor, renamedNotice, stationsOf, unknownNotice } from './common/weather.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'weather',
  get: { maxAgeSeconds: 60 },
  spec: ['2.11', '4.7', '7'],
  summary:
    'METAR with one block per runway, TAF, the D-ATIS of both online networks, and runway condition reports.',
  devKey: 'weather',
  dialect: 'weather',
  errors: {
    MISSING_ICAO: { status: 400, message: 'Missing ICAO.' },
    INVALID_ICAO: { status: 400, message: 'Invalid ICAO.' },
    ...weatherPartsErrors,
  },
  input: z.strictObject({
    icao: icaoField({ missing: 'MISSING_ICAO', invalid: 'INVALID_ICAO' }),
    ...weatherPartsInput,
  }),
  output: weatherOutputSchema,
  example: { icao: 'KJFK' },
  handler: async (ctx) => {
    const { input, caches, now } = ctx;
    const { icao } = input;
    const [station] = await stationsOf(caches, [icao], now);
    if (!station) throw new Error('a station is missing');
    const { icaos, known, notams, metar, taf, datis, isUnknown } = station;
    const ends = known ? openOrClosedEnds(known.airport, notams, now) : [];
    const official = officialReports(notams, now, known);
    const isRenamed = [icaos[0], metar?.icao, taf?.icao].some((code) => code !== undefined && code !== icao);
    const parts = await partsFor(ctx, [station], wantedParts(input, now));
    return {
      metar: metar ? metarResponse(metar, ends, now, official, known?.aliases) : null,
      taf: taf ? tafResponse(taf, now) : null,
      networkADAtis: datis.networkA,
      networkBDAtis: datis.networkB,
      runwayReports: surfaceReportsOf(official),
      ...parts(station, ends),
      ...(isUnknown ? { notice: await unknownNotice(caches, icao) } : {}),
      ...(isRenamed && !isUnknown ? { notice: renamedNotice(icao, icaos) } : {}),
    };
  },
});
