import { z } from 'zod';
import { idField, requiredTextField } from '#domain/fields/index.ts';
import { wireTime } from '#domain/time.ts';
import { defineQuery } from '../../define.ts';
import { stateChangeLimit } from '../../limits.ts';
import { migrationErrors, startNow } from './common/change.ts';

export default defineQuery({
  name: 'walletToCardMigration',
  spec: ['4.8'],
  summary:
    'Moves the remaining days of a wallet subscription, and bonus days, to a purchase through the link.',
  auth: 'jwt',
  devKey: { subscription: 'FULL' },
  limits: [stateChangeLimit],
  dialect: 'flat',
  errors: migrationErrors,
  input: z.object({ subscriptionId: idField(), targetPcode: requiredTextField(100).optional() }),
  output: z.strictObject({
    intentId: z.uuid(),
    checkoutUrl: z.url(),
    expiresAt: z.string(),
    remainingDays: z.int(),
    bonusDays: z.int(),
  }),
  // The gateway is called after the commit.
  tx: 'manual',
  example: { subscriptionId: 1 },
  handler: async (ctx) => {
    const { subscriptionId, targetPcode } = ctx.input;
    const { id, expiresAt, ...started } = await startNow(ctx, subscriptionId, targetPcode);
    return { intentId: id, expiresAt: wireTime(expiresAt), ...started };
  },
});
