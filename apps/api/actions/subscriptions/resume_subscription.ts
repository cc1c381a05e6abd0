import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { defineAction } from '../../define-action.ts';
import { changeNow, signedChange, signedChangeSchema } from '../../queries/subscriptions/common/change.ts';
import { changeErrors } from '../../queries/subscriptions/common/subscriptions.ts';

export default defineAction({
  name: 'resume_subscription',
  spec: ['3', '4.8'],
  summary: 'Ends a pause.',
  changesState: true,
  errors: changeErrors,
  input: z.object({ subscription_id: idField() }),
  output: signedChangeSchema,
  // The gateway is called after the commit.
  tx: 'manual',
  handler: async (ctx) =>
    signedChange(await changeNow(ctx, { id: ctx.input.subscription_id, verb: 'resume' })),
});
