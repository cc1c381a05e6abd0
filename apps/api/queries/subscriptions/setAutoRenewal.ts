import { z } from 'zod';
import { missingOrInvalid } from '#domain/fields/codes.ts';
import { idField } from '#domain/fields/index.ts';
import { defineQuery } from '../../define.ts';
import { stateChangeLimit } from '../../limits.ts';
import { changeErrors, changeNow, queryChange, queryChangeSchema } from './common/subscriptions.ts';

export default defineQuery({
  name: 'setAutoRenewal',
  spec: ['3', '4.8'],
  summary: 'Switches the automatic renewal of a card subscription on or off.',
  devKey: { subscription: 'FULL' },
  limits: [stateChangeLimit],
  errors: changeErrors,
  input: z.strictObject({ subscriptionId: idField(), enabled: z.boolean({ error: missingOrInvalid({}) }) }),
  output: queryChangeSchema,
  // The gateway is called after the commit.
  tx: 'manual',
  example: { subscriptionId: 1, enabled: false },
  handler: async (ctx) => {
    const { subscriptionId: id, enabled } = ctx.input;
    return queryChange(await changeNow(ctx, { id, verb: enabled ? 'renewalOn' : 'renewalOff' }));
  },
});
