import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { defineQuery } from '../../define.ts';
import { stateChangeLimit } from '../../limits.ts';
import { changeNow, queryChange, queryChangeSchema, resumeDayOf, resumeDaySchema } from './common/change.ts';
import { changeErrors } from './common/subscriptions.ts';

export default defineQuery({
  name: 'pauseSubscription',
  spec: ['3', '4.8'],
  summary: 'Pauses the renewal until a day; access remains until the paid end.',
  auth: 'jwt',
  devKey: { subscription: 'FULL' },
  limits: [stateChangeLimit],
  dialect: 'flat',
  errors: changeErrors,
  input: z.object({ subscriptionId: idField(), resumeDate: resumeDaySchema }),
  output: queryChangeSchema,
  // The gateway is called after the commit.
  tx: 'manual',
  example: { subscriptionId: 1, resumeDate: '2030-01-31' },
  handler: async (ctx) => {
    const { subscriptionId: id, resumeDate } = ctx.input;
    const resumeAt = resumeDayOf(resumeDate, ctx.now);
    if (resumeAt === null) throw ctx.fail('INVALID_FIELD', { field: 'resumeDate' });
    return queryChange(await changeNow(ctx, { id, verb: 'pause', resumeAt }));
  },
});
