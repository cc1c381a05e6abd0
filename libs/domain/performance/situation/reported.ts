/** A METAR's information about a runway, in the form of `performance`. */
import { z } from 'zod';
import type { Report } from '../../weather/report.ts';
import { conditionFormSchema, dispatchForm, enrouteForm, surfaceOf } from './condition.ts';
import type { RunwaySurface } from './runway-surface.ts';
import { completeSourcesSchema } from './source.ts';
import { evidenceOfReport, situationWeatherSchema, weatherFrom, windsOf } from './weather.ts';
import { worstWind } from './worst-wind.ts';

export const reportedSituationSchema = z
  .strictObject({
    weather: situationWeatherSchema,
    runwayConditions: z
      .strictObject({
        takeoffDispatch: conditionFormSchema.describe(
          'for takeoff: the surface, with the depth that slows the takeoff roll',
        ),
        landingDispatch: conditionFormSchema,
        landingEnroute: conditionFormSchema,
      })
      .describe('`runwayCondition` for each use'),
    rwycc: z
      .int()
      .min(1)
      .max(6)
      .nullable()
      .describe('runway condition code; null: closed by snow, or NIL braking action'),
    depth: z.number().nullable().describe('reported depth of the deposit, millimetres'),
    coverage: z.int().nullable().describe('reported coverage, percent'),
    sources: completeSourcesSchema,
  })
  .describe(
    '`weather`, `sources` and a `runwayCondition` as `performance` takes them: knots, degrees C, hPa, millimetres',
  );
type ReportedSituation = z.output<typeof reportedSituationSchema>;

/** `at`: time of the report, ISO 8601. */
export const reportedSituation = (
  report: Report,
  { condition, source }: RunwaySurface,
  trueBearingDeg: number,
  at: string,
): ReportedSituation => {
  const evidence = [evidenceOfReport({ report, source: 'reported', at, name: 'METAR' })];
  const { weather, sources } = weatherFrom(worstWind(windsOf(evidence), trueBearingDeg, 'arrival'), evidence);
  const surface = surfaceOf(condition);
  return {
    weather,
    runwayConditions: {
      takeoffDispatch: dispatchForm(surface, 'takeoff'),
      landingDispatch: dispatchForm(surface, 'landing'),
      landingEnroute: enrouteForm(surface),
    },
    rwycc: condition.code,
    depth: condition.depthMm,
    coverage: condition.coveragePercent,
    sources: { ...sources, runwayCondition: source },
  };
};
