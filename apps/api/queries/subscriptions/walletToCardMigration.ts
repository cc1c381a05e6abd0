import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ownSubscription } from '#commands/subscriptions/change.ts';
import { DomainError } from '#domain/errors.ts';
import { idField, requiredTextField } from '#domain/fields/index.ts';
import { intentHours, migrationTargets, migrationTerms } from '#domain/subscriptions/migration.ts';
import { addSeconds, wireTime } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import { subscriptionHistoryWrites } from '#store/postgres/subscriptions/ledger.ts';
import { migrationIntentWrites } from '#store/postgres/subscriptions/migrations.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { defineAction } from '../../define-action.ts';
import { defineQuery } from '../../define.ts';
import type { RunTransaction, Tools } from '../../handler-context.ts';
import { stateChangeLimit } from '../../limits.ts';
import { checkoutErrors, inputErrors, subscriptionNotFound } from './common/subscriptions.ts';

interface MigrationCall extends Pick<Tools, 'clock' | 'gateways'> {
  transaction: RunTransaction;
  caller: Caller;
}

/** Starts a migration, which the purchase of the target through the link completes. Throws a `GatewayError` if the card gateway is not configured. */
const start = (
  { transaction, caller: { userId }, clock, gateways }: MigrationCall,
  subscriptionId: number,
  targetCode: string | undefined,
) =>
  transaction(async (tx) => {
    const now = clock.now();
    const id = randomUUID();
    const subscription = await ownSubscription(tx, subscriptionId, userId);
    const { reason } = migrationTerms(subscription, now);
    if (reason !== null) throw new DomainError('MIGRATION_NOT_ELIGIBLE', {}, reason);
    const code = targetCode ?? subscription.product.code;
    const products = await productRepo(tx).list();
    const target = migrationTargets(subscription, products, now).find(({ product }) => product.code === code);
    if (!target) throw new DomainError('PRODUCT_NOT_FOUND');
    const { remainingDays, bonusDays, product } = target;
    const intents = migrationIntentWrites(tx);
    await intents.expire(userId, now);
    const expiresAt = addSeconds(now, intentHours * 3_600);
    const checkoutUrl = gateways.card.checkoutUrl({
      productCode: product.code,
      currency: product.currency,
      userId,
      externalReference: id,
      expiresAt,
    });
    const terms = { remainingDays, bonusDays, checkoutUrl, expiresAt };
    await intents.add({ ...terms, id, userId, subscriptionId, targetCode: code, createdAt: now });
    const what = `The user started to move to the card gateway: ${remainingDays} days and ${bonusDays} as a bonus.`;
    await subscriptionHistoryWrites(tx).add(subscriptionId, { at: now, source: 'user', what });
    return { id, ...terms };
  });

const migration = {
  spec: ['4.8'],
  errors: {
    ...inputErrors,
    SUBSCRIPTION_NOT_FOUND: subscriptionNotFound,
    PRODUCT_NOT_FOUND: checkoutErrors.PRODUCT_NOT_FOUND,
    MIGRATION_NOT_ELIGIBLE: { status: 409, message: 'The subscription cannot be migrated.' },
    MIGRATION_PENDING: {
      status: 409,
      message: 'A migration is already pending. Complete or cancel it first.',
    },
  },
  // `start` opens the transaction.
  tx: 'manual',
} as const;

export default defineQuery({
  name: 'walletToCardMigration',
  ...migration,
  summary:
    'Moves the remaining days of a wallet subscription, and bonus days, to a purchase through the returned link.',
  devKey: { subscription: 'FULL' },
  limits: [stateChangeLimit],
  input: z.strictObject({ subscriptionId: idField(), targetPcode: requiredTextField(100).optional() }),
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
    'Starts the migration from the wallet to the card gateway, which the purchase through the returned link completes.',
  changesState: true,
  input: z.strictObject({ subscription_id: idField(), target_pcode: requiredTextField(100) }),
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
