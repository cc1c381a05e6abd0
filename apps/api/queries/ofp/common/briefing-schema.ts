/** What `briefing` answers. */
import { z } from 'zod';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { briefingFilesSchema } from '#domain/prints/files.ts';
import { routeOutputShape } from '#domain/weather/route-schema.ts';
import { landingCallSchema, takeoffCallSchema } from '../../performance/common/answer-schema.ts';
import { briefingAirportSchema } from './briefing-airport.ts';
import { ofpDetailSchema } from './detail.ts';

const errorSchema = z
  .strictObject({ code: z.string().describe('of `performance`'), message: z.string() })
  .nullable()
  .describe('why there is no calculation');

export const briefingOutputSchema = z.strictObject({
  ofp: ofpDetailSchema.describe('the plan; `performanceDefaults` has the weather at the planned times'),
  departure: briefingAirportSchema.nullable().describe('null: the plan names no airport'),
  destination: briefingAirportSchema.nullable().describe('null: the plan names no airport'),
  alternates: z.array(briefingAirportSchema).describe('at the time of arrival at the destination'),
  route: z
    .strictObject(routeOutputShape)
    .nullable()
    .describe('as `weatherRoute` answers it; null: the plan has no navigation log'),
  takeoff: z
    .strictObject({
      answer: takeoffCallSchema.nullable().describe('as `performance` answers it'),
      error: errorSchema,
    })
    .nullable()
    .describe('on the planned runway with the planned weight; null: not asked for'),
  landing: z
    .strictObject({
      answer: landingCallSchema.nullable().describe('as `performance` answers it'),
      error: errorSchema,
    })
    .nullable()
    .describe('in flight, on the planned runway with the planned weight; null: not asked for'),
  files: briefingFilesSchema.nullable().describe('null: not asked for'),
  ...ignoredField,
});
