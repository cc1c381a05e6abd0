/** Thrust setting and trim in a takeoff answer. */
import { z } from 'zod';

const settingBand = (field: string) =>
  z
    .tuple([z.number(), z.number()])
    .nullable()
    .describe(`${field} minus and plus the RMS error of its law against published values`);

export const takeoffSettingsShape = {
  n1: z
    .number()
    .nullable()
    .describe('takeoff thrust setting, percent; null without a weight, or see `notKnown`'),
  n1Band: settingBand('n1'),
  trim: z
    .number()
    .nullable()
    .describe('stabilizer trim, units; null without a weight and `weight.cg`, or see `notKnown`'),
  trimBand: settingBand('trim'),
  maxAssumedTemperature: z
    .int()
    .nullable()
    .describe('highest assumed temperature allowed with the rating, degrees C; null: see `notKnown`'),
  maxAssumedTemperatureBand: settingBand('maxAssumedTemperature'),
};
