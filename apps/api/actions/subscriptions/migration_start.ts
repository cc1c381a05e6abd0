import { z } from 'zod';
import { idField, requiredTextField } from '#domain/fields/index.ts';
import { wireTime } from '#domain/time.ts';
import { defineAction } from '../../define-action.ts';
import { migrationErrors, startNow } from '../../queries/subscriptions/common/change.ts';

export default defineAction({
  name: 'migration_start',
  spec: ['4.8'],
  summary:
    'Starts the change from the wallet to the card gateway; the purchase through the link completes it.',
  changesState: true,
  errors: migrationErrors,
  input: z.object({ subscription_id: idField(), target_pcode: requiredTextField(100) }),
  output: z.strictObject({
    intent_id: z.uuid(),
    checkout_url: z.url(),
    expires_at: z.string(),
    remaining_days: z.int(),
    bonus_days: z.int(),
  }),
  // The gateway is called after the commit.
  tx: 'manual',
  handler: async (ctx) => {
    const { subscription_id: id, target_pcode: code } = ctx.input;
    const started = await startNow(ctx, id, code);
    return {
      intent_id: started.id,
      checkout_url: started.checkoutUrl,
      expires_at: wireTime(started.expiresAt),
      remaining_days: started.remainingDays,
      bonus_days: started.bonusDays,
    };
  },
});
