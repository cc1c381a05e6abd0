import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { startMigration } from '#commands/subscriptions/migrations.ts';
import type { StartedMigration } from '#commands/subscriptions/migrations.ts';
import { idField, requiredTextField } from '#domain/fields/index.ts';
import { wireTime } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import { defineAction } from '../../define-action.ts';
import { defineQuery } from '../../define.ts';
import type { RunTransaction, Tools } from '../../handler-context.ts';
import { stateChangeLimit } from '../../limits.ts';
import { checkoutErrors, inputErrors, subscriptionNotFound } from './common/subscriptions.ts';

interface MigrationCall extends Pick<Tools, 'clock' | 'gateways'> {
  transaction: RunTransaction;
  caller: Caller;
}

const start = (
  call: MigrationCall,
  subscriptionId: number,
  targetCode: string | undefined,
): Promise<StartedMigration> => {
  const asked = { id: randomUUID(), subscriptionId, userId: call.caller.userId, targetCode };
  return call.transaction((tx) => startMigration(tx, call, asked));
};

const migration = {
  spec: ['4.8'],
  errors: {
    ...inputErrors,
    SUBSCRIPTION_NOT_FOUND: subscriptionNotFound,
    PRODUCT_NOT_FOUND: checkoutErrors.PRODUCT_NOT_FOUND,
    MIGRATION_NOT_ELIGIBLE: { status: 409, message: 'The subscription cannot be moved.' },
    MIGRATION_PENDING: {
      status: 409,
      message: 'There is already a migration that waits for its purchase. Complete or cancel it first.',
    },
  },
  // The gateway is called after the commit.
  tx: 'manual',
} as const;

export default defineQuery({
  name: 'walletToCardMigration',
  ...migration,
  summary:
    'Moves the remaining days of a wallet subscription, and bonus days, to a purchase through the link.',
  auth: 'jwt',
  devKey: { subscription: 'FULL' },
  limits: [stateChangeLimit],
  dialect: 'flat',
  input: z.object({ subscriptionId: idField(), targetPcode: requiredTextField(100).optional() }),
  output: z.strictObject({
    intentId: z.uuid(),
    checkoutUrl: z.url(),
    expiresAt: z.string(),
    remainingDays: z.int(),
    bonusDays: z.int(),
  }),
  example: { subscriptionId: 1 },
  handler: async (ctx) => {
    const { subscriptionId, targetPcode } = ctx.input;
    const { id, expiresAt, ...started } = await start(ctx, subscriptionId, targetPcode);
    return { intentId: id, expiresAt: wireTime(expiresAt), ...started };
  },
});

export const action = defineAction({
  name: 'migration_start',
  ...migration,
  summary:
    'Starts the change from the wallet to the card gateway; the purchase through the link completes it.',
  changesState: true,
  input: z.object({ subscription_id: idField(), target_pcode: requiredTextField(100) }),
  output: z.strictObject({
    intent_id: z.uuid(),
    checkout_url: z.url(),
    expires_at: z.string(),
    remaining_days: z.int(),
    bonus_days: z.int(),
  }),
  handler: async (ctx) => {
    const { subscription_id: id, target_pcode: code } = ctx.input;
    const started = await start(ctx, id, code);
    return {
      intent_id: started.id,
      checkout_url: started.checkoutUrl,
      expires_at: wireTime(started.expiresAt),
      remaining_days: started.remainingDays,
      bonus_days: started.bonusDays,
    };
  },
});
