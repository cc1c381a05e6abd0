import { z } from 'zod';
import { defineAction } from '../../define-action.ts';
import { inputErrors } from '../../queries/subscriptions/common/subscriptions.ts';
import {
  historyFields,
  historyIdField,
  historyOf,
  historySchema,
} from '../../queries/subscriptions/common/payments.ts';

export default defineAction({
  name: 'payment_history',
  spec: ['2.10', '4.8'],
  summary: 'Payments and refunds of the user, newest first; of card subscriptions with their live orders.',
  changesState: false,
  errors: { INVALID_FIELD: inputErrors.INVALID_FIELD },
  input: z.object({ ...historyFields, subscription_id: historyIdField }),
  output: historySchema,
  tx: 'read',
  handler: async (ctx) => {
    const { subscription_id: subscriptionId, ...others } = ctx.input;
    return historyOf({ ...ctx, userId: ctx.caller.userId }, { ...others, subscriptionId });
  },
});
