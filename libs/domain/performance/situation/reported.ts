/** What a METAR says of a runway, in the form of `performance`. */
import { z } from 'zod';
import type { Report } from '../../weather/report.ts';
import type { RunwayCondition } from '../../weather/runway-condition.ts';
import type { RunwayWind } from '../../weather/runway-wind.ts';
import { conditionFormSchema, depthOf, dispatchForm, enrouteForm, surfaceOf } from './condition.ts';
import { completeSourcesSchema, partSourceOf } from './source.ts';
import { evidenceOfReport, situationWeatherSchema, weatherFrom } from './weather.ts';

export const reportedSituationSchema = z
  .strictObject({
    weather: situationWeatherSchema,
    runwayConditions: z
      .strictObject({
        takeoffDispatch: conditionFormSchema.describe(
          'for a takeoff: the surface, with the depth that hinders it',
        ),
        landingDispatch: conditionFormSchema,
        landingEnroute: conditionFormSchema,
      })
      .describe('`runwayCondition` of each use'),
    rwycc: z.int().min(1).max(6).nullable().describe('runway condition code; null: closed by snow'),
    depth: z.number().nullable().describe('of the deposit as reported, millimetres'),
    coverage: z.int().nullable().describe('percent, as reported'),
    sources: completeSourcesSchema,
  })
  .describe(
    '`weather`, `sources` and a `runwayCondition` as `performance` takes them: knots, degrees C, hPa, millimetres',
  );
export type ReportedSituation = z.output<typeof reportedSituationSchema>;

/** `at`: time of the report, ISO 8601. */
export const reportedSituation = (
  report: Report,
  condition: RunwayCondition,
  { vrefAdd }: Pick<RunwayWind, 'vrefAdd'>,
  at: string,
): ReportedSituation => {
  const { weather, sources } = weatherFrom([
    evidenceOfReport(report, { source: 'reported', at, name: 'METAR' }),
  ]);
  const surface = surfaceOf(condition);
  const isSilent = report.nil && condition.evidence === null;
  const evidence = condition.evidence ?? 'nothing that wets a runway';
  const isDepthAssumed = surface !== null && depthOf(surface, 'landing').isAssumed;
  const text = `METAR: ${evidence}${isDepthAssumed ? ', depth not reported and assumed' : ''}`;
  return {
    weather: vrefAdd === null ? weather : { ...weather, vrefAdd },
    runwayConditions: {
      takeoffDispatch: dispatchForm(surface, 'takeoff'),
      landingDispatch: dispatchForm(surface, 'landing'),
      landingEnroute: enrouteForm(surface),
    },
    rwycc: condition.code,
    depth: condition.depthMm,
    coverage: condition.coveragePercent,
    sources: {
      ...sources,
      runwayCondition: isSilent ? partSourceOf('assumed', null, 'dry') : partSourceOf('reported', at, text),
    },
  };
};
