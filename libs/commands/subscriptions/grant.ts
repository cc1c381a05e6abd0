import { DomainError } from '#domain/errors.ts';
import { addSeconds } from '#domain/time.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import { subscriptionRepo, subscriptionWrites } from '#store/postgres/subscriptions/subscriptions.ts';
import type { GatewayKind, ListedSubscription } from '#store/postgres/subscriptions/subscriptions.ts';
import { settle } from './settle.ts';
import type { SettleDeps } from './settle.ts';
import { subscriptionOf } from './subscription-of.ts';

export interface Grant {
  userId: number;
  productCode: string;
  /** Default: the period that one payment for the product covers. */
  days?: number | undefined;
  /** Absent: a grant by the operator, not a purchase. */
  gateway?: GatewayKind | undefined;
  /** The gateway's identifier of the subscription. */
  reference?: string | undefined;
}

/**
 * Grants a product to a user, starting now. Throws PRODUCT_NOT_FOUND, PRODUCT_INACTIVE and SUBSCRIPTION_EXISTS.
 */
export const grantSubscription = async (
  tx: Tx,
  deps: SettleDeps,
  { userId, productCode, days, gateway, reference }: Grant,
): Promise<ListedSubscription> => {
  const product = await productRepo(tx).byCode(productCode);
  if (!product) throw new DomainError('PRODUCT_NOT_FOUND', {}, `There is no product ${productCode}.`);
  if (!product.isActive)
    throw new DomainError('PRODUCT_INACTIVE', {}, `The product ${productCode} is not active.`);
  const startsAt = deps.clock.now();
  const id = await subscriptionWrites(tx).create({
    userId,
    productCode,
    gateway: gateway ? await subscriptionRepo(tx).gatewayOf(gateway) : null,
    reference: reference ?? null,
    startsAt,
    endsAt: addSeconds(startsAt, (days ?? product.durationDays) * 86_400),
  });
  const before = await subscriptionRecordRepo(tx).byId(id);
  if (before) await settle(tx, deps, { before, entry: null, isNew: true });
  return subscriptionOf(tx, id);
};
