/** An aerodrome of a flight at the time it is used: reports, runway surfaces and NOTAM, the planned runway first. */
import { z } from 'zod';
import { isIcaoCode, normaliseRunwayIdent } from '#domain/airports/ident.ts';
import { officialReports } from '#domain/notam/surface/official.ts';
import { surfaceReportsOf, surfaceReportsSchema } from '#domain/notam/surface/schema.ts';
import type { RunwayEffect } from '#domain/notam/types.ts';
import { isValidAt } from '#domain/notam/validity.ts';
import { isoTime } from '#domain/ofp/summary.ts';
import { situationTime } from '#domain/performance/situation/time.ts';
import { flightCategories, flightCategory } from '#domain/weather/category.ts';
import { routeReportSchema } from '#domain/weather/route-schema.ts';
import { utcText } from '#domain/weather/times.ts';
import type { Caches } from '../../../services/caches.ts';
import { airportWithNotams, ofIcaos } from '../../airports/common/icaos.ts';

const concerns = ['plannedRunway', 'aerodrome', 'otherRunway', 'other'] as const;
type Concern = (typeof concerns)[number];

export const briefingAirportSchema = z.object({
  icao: z.string(),
  runway: z.string().nullable().describe('planned runway; null: the plan names none'),
  at: z.string().describe('time of use for which NOTAM and reports hold, ISO 8601; never before now'),
  category: z.enum(flightCategories).nullable().describe('flight category of the METAR'),
  metar: routeReportSchema.nullable(),
  taf: routeReportSchema.nullable(),
  runwayReports: surfaceReportsSchema,
  notams: z
    .array(
      z.object({
        number: z.string().describe('number, such as A0123/26'),
        concerns: z
          .enum(concerns)
          .describe(
            'what it changes: the planned runway, the aerodrome as a whole, another runway, or no runway',
          ),
        from: z.string().describe('ISO 8601'),
        to: z.string().nullable().describe('ISO 8601; null: permanent'),
        text: z.string().describe('the NOTAM in its original words'),
      }),
    )
    .describe('valid at that time, those on the planned runway first'),
});

/** Of one effect; a shortening of one direction concerns the other one, too. */
const concernOf = (effect: RunwayEffect, runway: string | null): Concern => {
  if (effect.kind === 'allRunwaysClosed' || effect.kind === 'aerodromeClosed') return 'aerodrome';
  const named = effect.kind === 'exitClosed' ? effect.runways : [effect.runway];
  return runway !== null && named.includes(runway) ? 'plannedRunway' : 'otherRunway';
};

const worst = (effects: readonly RunwayEffect[], runway: string | null): Concern =>
  concerns[Math.min(3, ...effects.map((effect) => concerns.indexOf(concernOf(effect, runway))))] ?? 'other';

/** The latest of the reports under all codes of an airport. */
const latest = <T>(list: readonly T[], timeOf: (item: T) => string): T | null =>
  list.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a)))[0] ?? null;

export const briefingAirport = async (
  caches: Caches,
  { icao, runway }: { icao: string | null; runway: string | null },
  time: string | null,
  now: Date,
): Promise<z.input<typeof briefingAirportSchema> | null> => {
  if (icao === null || !isIcaoCode(icao)) return null;
  const at = situationTime(time, now);
  const { icaos, notams } = await airportWithNotams(caches, icao);
  const [metars, tafs] = await Promise.all([ofIcaos(caches.metars, icaos), ofIcaos(caches.tafs, icaos)]);
  const metar = latest(metars, ({ observedAt }) => observedAt);
  const taf = latest(tafs, ({ issuedAt }) => issuedAt);
  const planned = runway === null ? null : normaliseRunwayIdent(runway);
  return {
    icao,
    runway: planned,
    at: isoTime(at),
    category: metar && flightCategory(metar.raw),
    metar: metar && { date: utcText(metar.observedAt), text: metar.raw },
    taf: taf && { date: utcText(taf.issuedAt), text: taf.raw },
    runwayReports: surfaceReportsOf(officialReports(notams, at)),
    notams: notams
      .filter((notam) => isValidAt(notam, at))
      .map(({ number, effects, fromUtc, toUtc, raw }) => ({
        number,
        concerns: worst(effects, planned),
        from: isoTime(new Date(fromUtc)),
        to: toUtc === null ? null : isoTime(new Date(toUtc)),
        text: raw,
      }))
      .toSorted((a, b) => concerns.indexOf(a.concerns) - concerns.indexOf(b.concerns)),
  };
};
