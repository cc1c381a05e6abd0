import { z } from 'zod';

export const planErrors = {
  SAME_PLAN: { status: 400, message: 'The subscription has this plan already.' },
  PLAN_NOT_AVAILABLE: { status: 400, message: 'This product is not part of the plans that can be changed.' },
  PLAN_CHANGE_REFUSED: {
    status: 422,
    message: 'The payment gateway refused the change; nothing was changed.',
    extra: z.strictObject({ reason: z.string() }),
  },
} as const;
