import { z } from 'zod';
import { wireTime, wireTimeOrNull } from '#domain/time.ts';
import { migrationIntentRepo } from '#store/postgres/subscriptions/migrations.ts';
import { defineAction } from '../../define-action.ts';

export default defineAction({
  name: 'migration_status',
  spec: ['4.8'],
  summary: 'The state of a migration, or of the latest one without `intent_id`.',
  changesState: false,
  errors: {
    INVALID_FIELD: 400,
    MIGRATION_NOT_FOUND: { status: 404, message: 'There is no such migration.' },
  },
  input: z.strictObject({ intent_id: z.uuid('INVALID_FIELD').optional() }),
  output: z.strictObject({
    intent_id: z.uuid(),
    state: z.enum(['PENDING', 'COMPLETED', 'CANCELLED', 'EXPIRED']),
    subscription_id: z.int(),
    target_pcode: z.string(),
    new_subscription_id: z.int().nullable(),
    remaining_days: z.int(),
    bonus_days: z.int(),
    expires_at: z.string(),
    ended_at: z.string().nullable(),
  }),
  handler: async ({ db, input, caller, now, fail }) => {
    const repo = migrationIntentRepo(db);
    const { intent_id: id } = input;
    const intent = await (id === undefined ? repo.latest(caller.userId, now) : repo.byId(id, now));
    if (intent?.userId !== caller.userId) throw fail('MIGRATION_NOT_FOUND');
    return {
      intent_id: intent.id,
      state: intent.state,
      subscription_id: intent.subscriptionId,
      target_pcode: intent.targetCode,
      new_subscription_id: intent.newSubscriptionId,
      remaining_days: intent.remainingDays,
      bonus_days: intent.bonusDays,
      expires_at: wireTime(intent.expiresAt),
      ended_at: wireTimeOrNull(intent.endedAt),
    };
  },
});
