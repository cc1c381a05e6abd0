import { z } from 'zod';

export const planErrors = {
  SAME_PLAN: { status: 400, message: 'The subscription has this plan already.' },
  RENEWAL_OFF: {
    status: 409,
    message:
      'The payment gateway changes the plan only of a subscription that renews. Switch the renewal on first.',
  },
  PLAN_NOT_AVAILABLE: { status: 400, message: 'This product is not part of the plans that can be changed.' },
  PLAN_CHANGE_REFUSED: {
    status: 422,
    message: 'The payment gateway refused the change; nothing was changed.',
    extra: z.strictObject({ reason: z.string() }),
  },
} as const;
