/** `data` of `performance`, one shape per requestType. */
import { z } from 'zod';
import { clientIdField } from '../fields/client-id.ts';
import { landingRequestSchema } from './request.ts';
import { takeoffRequestSchema } from './takeoff-request.ts';

const { landingMode } = landingRequestSchema.shape;
/** Without landingMode it is a dispatch, as the contract says; in-flight values show if that was not intended. */
const sentLandingSchema = landingRequestSchema
  .extend({
    landingMode: landingMode.unwrap().optional().meta({ default: 'dispatch' }),
    clientId: clientIdField(),
  })
  .transform(({ landingMode: sent, clientId, ...request }) => ({
    clientId,
    request: { ...request, landingMode: sent ?? ('dispatch' as const) },
    requestType: request.requestType,
    isModeAssumed: sent === undefined,
  }));

const sentTakeoffSchema = takeoffRequestSchema
  .extend({ clientId: clientIdField() })
  .transform(({ clientId, ...request }) => ({ clientId, request, requestType: request.requestType }));

export const performanceRequestSchema = z.discriminatedUnion(
  'requestType',
  [sentLandingSchema, sentTakeoffSchema],
  'must be LANDING or TAKEOFF',
);
export type SentLanding = z.output<typeof sentLandingSchema>;
