import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { subscriptionDetailsSchema } from '#domain/subscriptions/details.ts';
import { defineQuery } from '../../define.ts';
import { detailsOf, inputErrors, ownOf, subscriptionNotFound } from './common/subscriptions.ts';

export default defineQuery({
  name: 'getSubscriptionDetails',
  spec: ['2.10', '4.8'],
  summary: 'One subscription, as in the list.',
  auth: 'jwt',
  devKey: { subscription: 'READ' },
  dialect: 'flat',
  errors: { ...inputErrors, SUBSCRIPTION_NOT_FOUND: subscriptionNotFound },
  input: z.object({ subscriptionId: idField() }),
  output: z.strictObject({ subscription: subscriptionDetailsSchema }),
  tx: 'read',
  example: { subscriptionId: 1 },
  handler: async (ctx) => ({
    subscription: await detailsOf(ctx, await ownOf(ctx, ctx.input.subscriptionId)),
  }),
});
