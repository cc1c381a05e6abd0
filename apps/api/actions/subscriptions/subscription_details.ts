import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { subscriptionDetailsSchema } from '#domain/subscriptions/details.ts';
import { defineAction } from '../../define-action.ts';
import {
  detailsOf,
  inputErrors,
  ownOf,
  subscriptionNotFound,
} from '../../queries/subscriptions/common/subscriptions.ts';

export default defineAction({
  name: 'subscription_details',
  spec: ['4.8'],
  summary: 'One subscription, with its live status at the gateway.',
  changesState: false,
  errors: { ...inputErrors, SUBSCRIPTION_NOT_FOUND: subscriptionNotFound },
  input: z.object({ subscription_id: idField() }),
  output: z.strictObject({
    subscription: subscriptionDetailsSchema,
    /** In the gateway's words; the stored one when the gateway does not answer. */
    gateway_status: z.enum(['Running', 'paused', 'Cancelled', 'Expired']),
    is_live: z.boolean(),
    gateway_warning: z.string().optional(),
  }),
  tx: 'read',
  handler: async (ctx) => {
    const found = await ownOf(ctx, ctx.input.subscription_id);
    const answer = ctx.liveSubscriptions.now(found);
    const { live, warning } = await answer;
    return {
      subscription: await detailsOf(ctx, found, answer),
      gateway_status: live?.status ?? found.gatewayStatus,
      is_live: live !== null,
      ...(warning === null ? {} : { gateway_warning: warning }),
    };
  },
});
