import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { defineQuery } from '../../define.ts';
import { stateChangeLimit } from '../../limits.ts';
import { changeNow, queryChange, queryChangeSchema } from './common/change.ts';
import { changeErrors } from './common/subscriptions.ts';

export default defineQuery({
  name: 'resumeSubscription',
  spec: ['3', '4.8'],
  summary: 'Ends a pause.',
  auth: 'jwt',
  devKey: { subscription: 'FULL' },
  limits: [stateChangeLimit],
  dialect: 'flat',
  errors: changeErrors,
  input: z.object({ subscriptionId: idField() }),
  output: queryChangeSchema,
  // The gateway is called after the commit.
  tx: 'manual',
  example: { subscriptionId: 1 },
  handler: async (ctx) => {
    const { subscriptionId: id } = ctx.input;
    return queryChange(await changeNow(ctx, { id, verb: 'resume' }));
  },
});
