import { openOrClosedEnds } from '#domain/notam/airport.ts';
import {
  batchCodes,
  maxBatchAirports,
  weatherBatchInputSchema,
  weatherBatchOutputSchema,
} from '#domain/weather/batch.ts';
import type { BatchEntry } from '#domain/weather/batch.ts';
import { wantedParts, weatherPartsErrors } from '#domain/weather/parts.ts';
import { utcText } from '#domain/weather/times.ts';
import { partsFor, stationsOf } from './common/weather.ts';
import type { Station } from './common/weather.ts';
import { iataHint, isIataForm } from '../airports/common/airports.ts';
import { defineQuery } from '../../define.ts';

const failed = (icao: string, code: 'INVALID_ICAO' | 'UNKNOWN_ICAO', message: string): BatchEntry => ({
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
  summary: `METAR, TAF and flight category of up to ${maxBatchAirports} airports, with the parts of \`weather\` that \`include\` names.`,
  devKey: 'weather',
  dialect: 'weather',
  errors: {
    MISSING_ICAO: { status: 400, message: 'Missing ICAO.' },
    INVALID_ICAO: { status: 400, message: 'The field "icao" must be a list of ICAO codes.' },
    TOO_MANY_ICAO: { status: 400, message: `At most ${maxBatchAirports} ICAO codes are allowed.` },
    ...weatherPartsErrors,
  },
  input: weatherBatchInputSchema,
  output: weatherBatchOutputSchema,
  example: { icao: ['KJFK', 'KBOS'] },
  handler: async (ctx) => {
    const { input, caches, now } = ctx;
    const { codes, valid } = batchCodes(input.icao);
    const { names, at } = wantedParts(input, now);
    const stations = await stationsOf(caches, valid, now);
    const wanted = { names: new Set([...names, 'flightCategory' as const]), at };
    const parts = await partsFor(ctx, stations, wanted);
    const needsEnds = names.has('forecast') || names.has('runwaysInUse');
    const entryOf = (station: Station): BatchEntry => {
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
    const invalid = (icao: string): BatchEntry => {
      const iata = isIataForm(icao) ? iataHint(icao, known) : null;
      return failed(icao, 'INVALID_ICAO', iata === null ? 'Invalid ICAO.' : `Invalid ICAO: ${iata}.`);
    };
    return { airports: codes.map((icao) => entries.get(icao) ?? invalid(icao)) };
  },
});
