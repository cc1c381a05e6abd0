import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { cancelMigration } from '#commands/subscriptions/migrations.ts';
import { defineAction } from '../../define-action.ts';

export default defineAction({
  name: 'migration_cancel',
  spec: ['4.8'],
  summary: 'Drops a migration that waits for its purchase.',
  changesState: true,
  errors: {
    INVALID_FIELD: 400,
    MIGRATION_NOT_FOUND: { status: 404, message: 'There is no migration that waits for its purchase.' },
  },
  // The subscription only matters for the confirmation token.
  input: z.object({
    intent_id: z.uuid('INVALID_FIELD').optional(),
    subscription_id: idField().optional(),
  }),
  output: z.strictObject({ intent_id: z.uuid(), state: z.literal('CANCELLED') }),
  tx: 'write',
  handler: async (ctx) => {
    const { userId } = ctx.caller;
    const intentId = await cancelMigration(ctx.db, ctx, { userId, intentId: ctx.input.intent_id });
    return { intent_id: intentId, state: 'CANCELLED' as const };
  },
});
