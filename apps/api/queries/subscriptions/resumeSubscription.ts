import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { defineQuery } from '../../define.ts';
import { stateChangeLimit } from '../../limits.ts';
import { changeNow, queryChange, queryChangeSchema } from '../../subscriptions/change.ts';
import { changeErrors } from '../../subscriptions/errors.ts';

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
  tx: 'manual',
  example: { subscriptionId: 1 },
  handler: async (ctx) => {
    const { subscriptionId: id } = ctx.input;
    return queryChange(await changeNow(ctx, { id, verb: 'resume' }));
  },
});
