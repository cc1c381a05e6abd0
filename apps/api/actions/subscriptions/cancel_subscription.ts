import { z } from 'zod';
import { idField, optionalTextField } from '#domain/fields/index.ts';
import { defineAction } from '../../define-action.ts';
import { changeNow, signedChange, signedChangeSchema } from '../../queries/subscriptions/common/change.ts';
import { changeErrors } from '../../queries/subscriptions/common/subscriptions.ts';

export default defineAction({
  name: 'cancel_subscription',
  spec: ['3', '4.8'],
  summary: 'Ends the renewal for good; access remains until the paid end.',
  changesState: true,
  errors: changeErrors,
  input: z.object({ subscription_id: idField(), reason: optionalTextField(500) }),
  output: signedChangeSchema,
  // The gateway is called after the commit.
  tx: 'manual',
  handler: async (ctx) => {
    const { subscription_id: id, reason } = ctx.input;
    return signedChange(await changeNow(ctx, { id, verb: 'cancel', reason: reason ?? undefined }));
  },
});
