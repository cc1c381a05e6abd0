import { z } from 'zod';
import { subscriptionDetailsSchema } from '#domain/subscriptions/details.ts';
import { defineAction } from '../../define-action.ts';
import { listOf } from '../../queries/subscriptions/common/subscriptions.ts';

export default defineAction({
  name: 'user_subscriptions',
  spec: ['4.8'],
  summary: 'Lists the subscriptions of the user.',
  changesState: false,
  errors: {},
  input: z.object({}),
  output: z.strictObject({ subscriptions: z.array(subscriptionDetailsSchema), totalCount: z.int() }),
  tx: 'read',
  handler: async (ctx) => {
    const subscriptions = await listOf(ctx, ctx.caller.userId);
    return { subscriptions, totalCount: subscriptions.length };
  },
});
