import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { defineAction } from '../../define-action.ts';
import {
  changeNow,
  resumeTimeOf,
  resumeTimeSchema,
  signedChange,
  signedChangeSchema,
} from '../../queries/subscriptions/common/change.ts';
import { changeErrors } from '../../queries/subscriptions/common/subscriptions.ts';

export default defineAction({
  name: 'pause_subscription',
  spec: ['3', '4.8'],
  summary: 'Pauses the renewal; access remains until the paid end. Charging resumes at `resume_date`.',
  changesState: true,
  errors: changeErrors,
  input: z.object({ subscription_id: idField(), resume_date: resumeTimeSchema.optional() }),
  output: signedChangeSchema,
  // The gateway is called after the commit.
  tx: 'manual',
  handler: async (ctx) => {
    const { subscription_id: id, resume_date: given } = ctx.input;
    const resumeAt = resumeTimeOf(given, ctx.now);
    if (resumeAt === null) throw ctx.fail('INVALID_FIELD', { field: 'resume_date' });
    return signedChange(await changeNow(ctx, { id, verb: 'pause', resumeAt }));
  },
});
