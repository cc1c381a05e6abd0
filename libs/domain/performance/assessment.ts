import { z } from 'zod';
import { verdictSchema } from './verdict.ts';

const distanceSchema = z.int().nullable().describe('in the distance unit; null: see the verdict');
const rwyccSchema = z.int().min(1).max(6);

const modeSchema = z.strictObject({ autobrakeValue: z.string(), label: z.string() });

/** Landing assessment with `assess: true`. Each number comes from an engine run. */
export const assessmentSchema = z
  .strictObject({
    landingWeight: z.int().describe('in the weight unit; at dispatch the computed maximum'),
    lda: z.int().describe('in the distance unit'),
    codes: z
      .array(
        z.strictObject({
          rwycc: rwyccSchema,
          modes: z.array(
            modeSchema.extend({
              landingDistance: distanceSchema,
              factoredDistance: distanceSchema,
              unfactoredDistance: distanceSchema,
              margin: distanceSchema.describe('`lda` minus `factoredDistance`'),
              verdict: verdictSchema,
            }),
          ),
        }),
      )
      .describe(
        'results for each runway condition code from 6 to 1, brake modes in the order of the profile; with an air phase of 7 s (AC 25-32)',
      ),
    worstCodes: z
      .array(
        modeSchema.extend({
          rwycc: rwyccSchema.nullable().describe('worst code with the verdict FITS'),
          unfactoredRwycc: rwyccSchema
            .nullable()
            .describe(
              'worst code whose unfactoredDistance is within the LDA, even if other limits are exceeded',
            ),
        }),
      )
      .describe('for each brake mode; null: none, not even code 6'),
    sensitivity: z
      .array(
        z.strictObject({
          change: z.enum([
            'SPEED_PLUS_5_KT',
            'TAILWIND_PLUS_5_KT',
            'ONE_CODE_WORSE',
            'ONE_REVERSER_LOST',
            'WEIGHT_PLUS_1_T',
            'AIR_TIME_7_S',
          ]),
          label: z.string(),
          reason: z.string().nullable().describe('why the change does not apply; null: it does'),
          modes: z.array(
            modeSchema.extend({
              landingDistance: distanceSchema,
              delta: distanceSchema.describe('change in landingDistance'),
              verdict: verdictSchema,
            }),
          ),
        }),
      )
      .describe('the landing with a single change, for each of several changes'),
  })
  .describe('arrival assessment and what-if, when `assess` was true');

export type Assessment = z.output<typeof assessmentSchema>;
