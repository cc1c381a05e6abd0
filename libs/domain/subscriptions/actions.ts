/** Actions of the signed endpoint (M-4.8). */
const readActions = [
  'user_subscriptions',
  'subscription_details',
  'payment_history',
  'migration_preview',
  'migration_status',
] as const;

export const changeActions = [
  'pause_subscription',
  'resume_subscription',
  'cancel_subscription',
  'change_plan',
  'change_payment_method',
  'request_refund',
  'migration_start',
  'migration_cancel',
] as const;

export const signedActions = [...readActions, ...changeActions] as const;
