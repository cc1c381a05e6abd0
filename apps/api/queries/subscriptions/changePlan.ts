import { z } from 'zod';
import { idField, requiredTextField } from '#domain/fields/index.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'changePlan',
  spec: ['4.8'],
  summary: 'Currently unavailable here; the signed action change_plan changes the plan.',
  auth: 'jwt',
  devKey: { subscription: 'FULL' },
  dialect: 'flat',
  errors: {
    CHANGE_PLAN_UNAVAILABLE: {
      status: 422,
      message: 'Changing the plan is currently unavailable on this endpoint.',
    },
  },
  input: z.object({ subscriptionId: idField().optional(), targetPcode: requiredTextField(100).optional() }),
  output: z.never(),
  tx: 'read',
  handler: ({ fail }) => Promise.reject(fail('CHANGE_PLAN_UNAVAILABLE')),
});
