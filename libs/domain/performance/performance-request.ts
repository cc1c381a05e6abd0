/** `data` of `performance`: one shape for each requestType. */
import { z } from 'zod';
import { landingRequestSchema } from './request.ts';
import { takeoffRequestSchema } from './takeoff-request.ts';

const { landingMode } = landingRequestSchema.shape;
/** Without a mode it is a dispatch, as the contract has it; what the request has for the other mode says whether that was meant. */
const sentLandingSchema = landingRequestSchema
  .extend({ landingMode: landingMode.unwrap().optional().meta({ default: 'dispatch' }) })
  .transform(({ landingMode: sent, ...request }) => ({
    request: { ...request, landingMode: sent ?? ('dispatch' as const) },
    requestType: request.requestType,
    isModeAssumed: sent === undefined,
  }));

export const performanceRequestSchema = z.discriminatedUnion(
  'requestType',
  [sentLandingSchema, takeoffRequestSchema],
  'must be LANDING or TAKEOFF',
);
export type SentLanding = z.output<typeof sentLandingSchema>;
