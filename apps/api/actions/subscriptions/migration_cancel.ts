import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { migrationIntentRepo, migrationIntentWrites } from '#store/postgres/subscriptions/migrations.ts';
import { defineAction } from '../../define-action.ts';

export default defineAction({
  name: 'migration_cancel',
  spec: ['4.8'],
  summary: 'Cancels a pending migration.',
  changesState: true,
  errors: {
    INVALID_FIELD: 400,
    MIGRATION_NOT_FOUND: { status: 404, message: 'There is no pending migration.' },
  },
  // `subscription_id` is only compared with that of the confirmation token.
  input: z.strictObject({
    intent_id: z.uuid('INVALID_FIELD').optional(),
    subscription_id: idField().optional(),
  }),
  output: z.strictObject({ intent_id: z.uuid(), state: z.literal('CANCELLED') }),
  tx: 'write',
  handler: async ({ db, caller: { userId }, now, fail, input }) => {
    const intents = migrationIntentWrites(db);
    const id = input.intent_id ?? (await migrationIntentRepo(db).latest(userId, now))?.id;
    const intent = id === undefined ? null : await intents.lock(id, now);
    if (intent?.userId !== userId || intent.state !== 'PENDING') throw fail('MIGRATION_NOT_FOUND');
    await intents.end(intent.id, 'CANCELLED', null, now);
    return { intent_id: intent.id, state: 'CANCELLED' as const };
  },
});
