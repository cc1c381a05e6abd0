/** NOTAM in force that a result does not account for. */
import { z } from 'zod';
import { missingFeatureSchema } from '../airports/schema.ts';

const noticeShape = {
  runway: z
    .string()
    .nullable()
    .describe('runway id for a calculation with it; null when `missingFeature` is set'),
  missingFeature: missingFeatureSchema,
  notam: z.string().describe('NOTAM number; several are separated by commas'),
  text: z.string().describe('NOTAM text; several are on separate lines'),
};

export const noticesInForceSchema = z
  .array(
    z.strictObject({
      ...noticeShape,
      lda: z.int().describe('landing distance available with it, in the distance unit'),
      difference: z.int().describe('change of `lda` under it, in the distance unit'),
    }),
  )
  .describe('NOTAM in force that change the landing distance and are not in these figures');

export const takeoffNoticesInForceSchema = z
  .array(
    z.strictObject({
      ...noticeShape,
      tora: z.int().describe('takeoff run available with it, in the distance unit'),
      difference: z.int().describe('change of `tora` under it, in the distance unit'),
    }),
  )
  .describe('NOTAM in force that change the takeoff run and are not in these figures');
