/** What `performance` answers, alone and in a briefing. */
import { z } from 'zod';
import { alreadyField } from '#domain/fields/client-id.ts';
import { landingAnswerSchema, picturesSchema } from '#domain/performance/result.ts';
import { takeoffAnswerSchema, takeoffPicturesSchema } from '#domain/performance/takeoff-result.ts';

const countersShape = {
  calculationId: z.uuid().nullable(),
  remainingCalculations: z.int(),
  extraCalculations: z.int(),
  ...alreadyField,
};
const darkText = 'the drawings of `performance.graphic` in dark colours';

export const landingCallSchema = landingAnswerSchema.extend({
  graphicDark: picturesSchema.optional().describe(darkText),
  ...countersShape,
});
export const takeoffCallSchema = takeoffAnswerSchema.extend({
  graphicDark: takeoffPicturesSchema.optional().describe(darkText),
  ...countersShape,
});
