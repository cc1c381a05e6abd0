/** NOTAM in force that a result does not account for. */
import { z } from 'zod';
import { missingFeatureSchema } from '../airports/schema.ts';

const noticeShape = {
  runway: z
    .string()
    .nullable()
    .describe('runway id of a calculation with it; null when `missingFeature` is not'),
  missingFeature: missingFeatureSchema,
  notam: z.string().describe('number of the NOTAM, of several separated by commas'),
  text: z.string().describe('text of the NOTAM, of several on separate lines'),
};

export const noticesInForceSchema = z
  .array(
    z.strictObject({
      ...noticeShape,
      lda: z.int().describe('landing distance available with it, in the distance unit'),
      difference: z.int().describe('lda with it less lda, in the distance unit'),
    }),
  )
  .describe('NOTAM in force that change the landing distance and are not in these figures');

export const takeoffNoticesInForceSchema = z
  .array(
    z.strictObject({
      ...noticeShape,
      tora: z.int().describe('takeoff run available with it, in the distance unit'),
      difference: z.int().describe('tora with it less tora, in the distance unit'),
    }),
  )
  .describe('NOTAM in force that change the takeoff run and are not in these figures');
