import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { defineAction } from '../../define-action.ts';
import { defineQuery } from '../../define.ts';
import { stateChangeLimit } from '../../limits.ts';
import {
  changeErrors,
  changeNow,
  queryChange,
  queryChangeSchema,
  signedChange,
  signedChangeSchema,
} from './common/subscriptions.ts';

const resumption = {
  spec: ['3', '4.8'],
  summary: 'Ends a pause.',
  errors: changeErrors,
  // The gateway is called after the commit.
  tx: 'manual',
} as const;

export default defineQuery({
  name: 'resumeSubscription',
  ...resumption,
  devKey: { subscription: 'FULL' },
  limits: [stateChangeLimit],
  input: z.strictObject({ subscriptionId: idField() }),
  output: queryChangeSchema,
  example: { subscriptionId: 1 },
  handler: async (ctx) => queryChange(await changeNow(ctx, { id: ctx.input.subscriptionId, verb: 'resume' })),
});

export const action = defineAction({
  name: 'resume_subscription',
  ...resumption,
  changesState: true,
  input: z.strictObject({ subscription_id: idField() }),
  output: signedChangeSchema,
  handler: async (ctx) =>
    signedChange(await changeNow(ctx, { id: ctx.input.subscription_id, verb: 'resume' })),
});
