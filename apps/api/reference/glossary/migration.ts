/** The change from the wallet gateway to the card gateway. */
export const migration = {
  eligible: 'true when the subscription can be moved.',
  'migration_preview.reason': 'Why the subscription cannot be moved; null when it can.',
  intentId: 'UUID of the started change.',
  intent_id: 'UUID of the started change.',
  remainingDays: 'Paid days that are carried to the new subscription, converted at its daily price.',
  remaining_days: 'Paid days that are carried to the new subscription, converted at its daily price.',
  'migration_preview.response.remaining_days': 'Paid days left of the present subscription.',
  'target_products.remaining_days':
    'Paid days that would be carried to this product, converted at its daily price.',
  bonusDays: 'Days added as a bonus for the change.',
  bonus_days: 'Days added as a bonus for the change.',
  target_products: 'Products the subscription can be moved to.',
  pcode: 'Code of the product.',
  'target_products.title': 'Display name of the product.',
  price: 'Price of a period in `currency`.',
  'walletToCardMigration.expiresAt': 'When the started change expires, UTC, `YYYY-MM-DD HH:MM:SS`.',
  expires_at: 'When the started change expires, UTC, `YYYY-MM-DD HH:MM:SS`.',
  ended_at: 'When it was completed, cancelled or expired, UTC; null while pending.',
  'migration_cancel.state': 'State after the call.',
  'migration_status.state': '`PENDING`: the purchase is awaited; else how it ended.',
  new_subscription_id: 'Id of the new subscription; null until the purchase is completed.',
} as const;
