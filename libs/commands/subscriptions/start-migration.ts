import { DomainError } from '#domain/errors.ts';
import { addSeconds } from '#domain/time.ts';
import { intentHours, migrationTargets, migrationTerms } from '#domain/subscriptions/migration.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { subscriptionHistoryWrites } from '#store/postgres/subscriptions/history.ts';
import { migrationIntentWrites } from '#store/postgres/subscriptions/migrations.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { ownSubscription } from './change.ts';
import type { ChangeDeps } from './change.ts';

export interface StartedMigration {
  id: string;
  checkoutUrl: string;
  expiresAt: Date;
  remainingDays: number;
  bonusDays: number;
}

/**
 * Prepares the change to the card gateway: the purchase of the target through the link completes it. Throws
 * SUBSCRIPTION_NOT_FOUND, MIGRATION_NOT_ELIGIBLE, PRODUCT_NOT_FOUND and MIGRATION_PENDING, and a `GatewayError` when the
 * card gateway is not configured.
 */
export const startMigration = async (
  tx: Tx,
  { clock, gateways }: Pick<ChangeDeps, 'clock' | 'gateways'>,
  {
    id,
    subscriptionId,
    userId,
    targetCode,
  }: { id: string; subscriptionId: number; userId: number; targetCode?: string | undefined },
): Promise<StartedMigration> => {
  const now = clock.now();
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
    email: subscription.accountEmail,
    externalReference: id,
    expiresAt,
  });
  const terms = { remainingDays, bonusDays, checkoutUrl, expiresAt };
  await intents.add({ ...terms, id, userId, subscriptionId, targetCode: code, createdAt: now });
  const what = `The user started to move to the card gateway: ${remainingDays} days and ${bonusDays} as a bonus.`;
  await subscriptionHistoryWrites(tx).add(subscriptionId, { at: now, source: 'user', what });
  return { id, ...terms };
};
