/** Errors that operations on subscriptions share. */
import { z } from 'zod';

export const notSupported = {
  status: 422,
  message: 'The payment provider of this subscription does not offer this here. Use its own page.',
  /** The provider's page; null for a subscription without provider. */
  extra: z.strictObject({ manage_url: z.url().nullable() }),
} as const;

export const subscriptionNotFound = {
  status: 404,
  message: 'There is no such subscription.',
} as const;

export const inputErrors = { MISSING_FIELD: 400, INVALID_FIELD: 400 } as const;

/** Of every change of one subscription. */
export const changeErrors = {
  ...inputErrors,
  SUBSCRIPTION_NOT_FOUND: subscriptionNotFound,
  OPERATION_NOT_SUPPORTED: notSupported,
  INVALID_STATE: { status: 409, message: 'The state of the subscription does not allow this.' },
} as const;
