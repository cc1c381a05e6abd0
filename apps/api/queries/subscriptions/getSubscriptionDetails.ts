import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { subscriptionDetailsSchema } from '#domain/subscriptions/details.ts';
import { defineAction } from '../../define-action.ts';
import { defineQuery } from '../../define.ts';
import {
  detailsOf,
  gatewayStatusSchema,
  inputErrors,
  ownOf,
  subscriptionNotFound,
} from './common/subscriptions.ts';

const errors = { ...inputErrors, SUBSCRIPTION_NOT_FOUND: subscriptionNotFound };

export default defineQuery({
  name: 'getSubscriptionDetails',
  spec: ['2.10', '4.8'],
  summary: 'One subscription, as in the list.',
  devKey: { subscription: 'READ' },
  errors,
  input: z.strictObject({ subscriptionId: idField() }),
  output: z.strictObject({ subscription: subscriptionDetailsSchema }),
  example: { subscriptionId: 1 },
  handler: async (ctx) => ({
    subscription: await detailsOf(ctx, await ownOf(ctx, ctx.input.subscriptionId)),
  }),
});

export const action = defineAction({
  name: 'subscription_details',
  spec: ['4.8'],
  summary: 'One subscription, with its live status at the gateway.',
  changesState: false,
  errors,
  input: z.strictObject({ subscription_id: idField() }),
  output: z.strictObject({
    subscription: subscriptionDetailsSchema,
    /** The gateway's word; the stored one if it does not answer. */
    gateway_status: gatewayStatusSchema,
    is_live: z.boolean(),
    gateway_warning: z.string().optional(),
  }),
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
