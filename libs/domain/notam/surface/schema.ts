/** Runway surface reports in the answer of `weather`. */
import { z } from 'zod';
import { contaminants } from './contaminants.ts';
import type { OfficialReports } from './official.ts';

const thirdSchema = z.strictObject({
  rwycc: z.int().min(0).max(6).describe('runway condition code of this third'),
  isReported: z
    .boolean()
    .describe('false: the report has no code, this one follows from the deposits by the assessment matrix'),
  deposits: z
    .array(
      z.strictObject({
        contaminant: z
          .enum(contaminants)
          .describe('what covers the surface, as runwayCondition of performance names it'),
        coverage: z.number().nullable().describe('percent of this third; null: not reported'),
        depth: z.number().nullable().describe('millimetres; null: not reported'),
      }),
    )
    .describe('empty: none is reported, or its words were not understood'),
});

export const surfaceReportsSchema = z
  .array(
    z.strictObject({
      format: z.enum(['FICON', 'RSC', 'SNOWTAM']).describe('kind of the report'),
      notam: z.string().describe('number of the NOTAM'),
      runways: z
        .array(z.string())
        .describe('both runway ends; thirds are counted from the threshold of the first'),
      observedAt: z.string().describe('time of the observation, ISO 8601'),
      ageMinutes: z.int().describe('minutes since the observation'),
      isExpired: z
        .boolean()
        .describe(
          'true: a SNOWTAM older than 8 hours, or a FICON or RSC after its end; the last that is known, which counts for a day where it is worse than the weather',
        ),
      thirds: z.array(thirdSchema).describe('touchdown, middle, end'),
      text: z.string(),
    }),
  )
  .describe('official reports of runway surfaces (FICON, RSC, SNOWTAM), the latest observation first');

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
