import { z } from 'zod';
import { isIcaoCode } from '#domain/airports/ident.ts';
import { listField, textField } from '#domain/fields/index.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { openOrClosedEnds } from '#domain/notam/airport.ts';
import {
  wantedParts,
  weatherPartsErrors,
  weatherPartsInput,
  weatherPartsShape,
} from '#domain/weather/parts.ts';
import { utcText } from '#domain/weather/times.ts';
import { partsFor, stationsOf } from './common/weather.ts';
import type { Station } from './common/weather.ts';
import { iataHint, isIataForm } from '../airports/common/airports.ts';
import { defineQuery } from '../../define.ts';

const maxAirports = 40;
const maxCodeText = 20;

const invalid = { missing: 'INVALID_ICAO', invalid: 'INVALID_ICAO' };

const inputSchema = z.strictObject({
  icao: listField(
    textField(maxCodeText, invalid),
    { min: 1, max: maxAirports },
    { missing: 'MISSING_ICAO', invalid: 'INVALID_ICAO', tooMany: 'TOO_MANY_ICAO' },
  ).describe('ICAO codes; the entry for an invalid or unknown code has an error'),
  ...weatherPartsInput,
});

const reportShape = {
  icao: z.string().describe('reporting station'),
  source: z.string().describe('source of the report'),
  date: z.string().describe('time of the report, UTC, `YYYY-MM-DD HH:MM:SS`'),
  text: z.string().describe('the report as published'),
};

const outputSchema = z.strictObject({
  airports: z
    .array(
      z.strictObject({
        icao: z.string().describe('the requested code in upper case'),
        error: z
          .strictObject({
            code: z.enum(['INVALID_ICAO', 'UNKNOWN_ICAO']).describe('stable error code, for programs'),
            message: z.string().describe('explanation in English, for people'),
          })
          .nullable()
          .describe('why this airport has no weather; null without an error'),
        metar: z.strictObject(reportShape).nullable().describe('the latest METAR; null when there is none'),
        taf: z
          .strictObject({
            ...reportShape,
            validityHasEnded: z.boolean().describe('true when the forecast is no longer valid'),
          })
          .nullable()
          .describe('the latest TAF; null when there is none'),
        ...weatherPartsShape,
      }),
    )
    .describe('one entry per distinct code, in the order of the request'),
  ...ignoredField,
});

type Entry = z.input<typeof outputSchema>['airports'][number];

const failed = (icao: string, code: 'INVALID_ICAO' | 'UNKNOWN_ICAO', message: string): Entry => ({
  icao,
  error: { code, message },
  metar: null,
  taf: null,
});

const reportOf = ({ icao, source, raw }: { icao: string; source: string; raw: string }, at: string) => ({
  icao,
  source,
  date: utcText(at),
  text: raw,
});

export default defineQuery({
  name: 'weatherBatch',
  spec: ['2.11', '4.7'],
  summary: `METAR, TAF and flight category of up to ${maxAirports} airports, with the parts of \`weather\` that \`include\` names.`,
  devKey: 'weather',
  dialect: 'weather',
  errors: {
    MISSING_ICAO: { status: 400, message: 'Missing ICAO.' },
    INVALID_ICAO: { status: 400, message: 'The field "icao" must be a list of ICAO codes.' },
    TOO_MANY_ICAO: { status: 400, message: `At most ${maxAirports} ICAO codes are allowed.` },
    ...weatherPartsErrors,
  },
  input: inputSchema,
  output: outputSchema,
  example: { icao: ['KJFK', 'KBOS'] },
  handler: async (ctx) => {
    const { input, caches, now } = ctx;
    const codes = [...new Set(input.icao.map((icao) => icao.trim().toUpperCase()))];
    const { names, at } = wantedParts(input, now);
    const stations = await stationsOf(caches, codes.filter(isIcaoCode), now);
    const wanted = { names: new Set([...names, 'flightCategory' as const]), at };
    const parts = await partsFor(ctx, stations, wanted);
    const needsEnds = names.has('forecast') || names.has('runwaysInUse');
    const entryOf = (station: Station): Entry => {
      const { icao, known, notams, metar, taf, isUnknown } = station;
      if (isUnknown) return failed(icao, 'UNKNOWN_ICAO', `No airport or station ${icao} is known.`);
      const ends = known && needsEnds ? openOrClosedEnds(known.airport, notams, now) : [];
      const hasEnded = taf?.validTo ? Date.parse(taf.validTo) <= now.getTime() : false;
      return {
        icao,
        error: null,
        metar: metar && reportOf(metar, metar.observedAt),
        taf: taf && { ...reportOf(taf, taf.issuedAt), validityHasEnded: hasEnded },
        ...parts(station, ends),
      };
    };
    const entries = new Map(stations.map((station) => [station.icao, entryOf(station)]));
    const known = codes.some(isIataForm) ? await caches.availableAirports.get('all') : [];
    const refused = (icao: string): Entry => {
      const iata = isIataForm(icao) ? iataHint(icao, known) : null;
      return failed(icao, 'INVALID_ICAO', iata === null ? 'Invalid ICAO.' : `Invalid ICAO: ${iata}.`);
    };
    return { airports: codes.map((icao) => entries.get(icao) ?? refused(icao)) };
  },
});
