import { z } from 'zod';
import { defineQuery } from '../../define.ts';
import { inputErrors } from './common/subscriptions.ts';
import { historyFields, historyIdField, historyOf, historySchema } from './common/payments.ts';

export default defineQuery({
  name: 'getPaymentHistory',
  spec: ['2.10', '4.8'],
  summary: 'Payments and refunds of the user, newest first; of card subscriptions with their live orders.',
  auth: 'jwt',
  devKey: { subscription: 'READ' },
  dialect: 'flat',
  errors: { INVALID_FIELD: inputErrors.INVALID_FIELD },
  input: z.object({ ...historyFields, subscriptionId: historyIdField }),
  output: historySchema,
  tx: 'read',
  example: { limit: 10 },
  handler: (ctx) => historyOf({ ...ctx, userId: ctx.caller.userId }, ctx.input),
});
