/** Runway surface reports in the answer of `weather`. */
import { z } from 'zod';
import { contaminants } from './contaminants.ts';
import type { OfficialReports } from './official.ts';

const thirdSchema = z.strictObject({
  rwycc: z.int().min(0).max(6).describe('runway condition code (RWYCC) of this third'),
  isReported: z
    .boolean()
    .describe(
      'false: the report gives no code; this one was derived from the deposits with the runway condition assessment matrix',
    ),
  deposits: z
    .array(
      z.strictObject({
        contaminant: z
          .enum(contaminants)
          .describe('contaminant on the surface, as named in `runwayCondition` of `performance`'),
        coverage: z.number().nullable().describe('percent of this third covered; null: not reported'),
        depth: z.number().nullable().describe('millimetres; null: not reported'),
      }),
    )
    .describe('contaminants; empty: none reported, or not understood'),
});

export const surfaceReportsSchema = z
  .array(
    z.strictObject({
      format: z.enum(['FICON', 'RSC', 'SNOWTAM']).describe('format of the report'),
      notam: z.string().describe('NOTAM number'),
      runways: z
        .array(z.string())
        .describe('both runway ends; thirds are counted from the threshold of the first'),
      observedAt: z.string().describe('time of the observation, ISO 8601'),
      ageMinutes: z.int().describe('minutes since the observation'),
      isExpired: z
        .boolean()
        .describe(
          'true: a SNOWTAM older than 8 hours, or a FICON or RSC after its end time. Still used for a day as the last known report, where it is worse than the weather indicates',
        ),
      thirds: z.array(thirdSchema).describe('touchdown, midpoint and rollout'),
      text: z.string(),
    }),
  )
  .describe('official runway condition reports (FICON, RSC, SNOWTAM), latest observation first');

export const surfaceReportsOf = ({ reports }: OfficialReports): z.output<typeof surfaceReportsSchema> =>
  reports.map(({ format, notam, runways, observedAt, ageMinutes, isExpired, thirds, text }) => ({
    format,
    notam,
    runways: [...runways],
    observedAt,
    ageMinutes,
    isExpired,
    thirds: thirds.map(({ code, isCodeReported, deposits }) => ({
      rwycc: code,
      isReported: isCodeReported,
      deposits: deposits.map(({ contaminant, coveragePercent, depthMm }) => ({
        contaminant,
        coverage: coveragePercent,
        depth: depthMm,
      })),
    })),
    text,
  }));
