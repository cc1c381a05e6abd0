import { z } from 'zod';
import { subscriptionDetailsSchema } from '#domain/subscriptions/details.ts';
import { defineQuery } from '../../define.ts';
import { listOf } from './common/subscriptions.ts';

export default defineQuery({
  name: 'getSubscriptions',
  spec: ['2.10', '4.8'],
  summary: 'Lists the subscriptions of the user: active, paused, cancelled, and expired within 30 days.',
  auth: 'jwt',
  devKey: { subscription: 'READ' },
  dialect: 'flat',
  errors: {},
  input: z.object({}),
  output: z.strictObject({ subscriptions: z.array(subscriptionDetailsSchema), totalCount: z.int() }),
  tx: 'read',
  handler: async (ctx) => {
    const subscriptions = await listOf(ctx, ctx.caller.userId);
    return { subscriptions, totalCount: subscriptions.length };
  },
});
