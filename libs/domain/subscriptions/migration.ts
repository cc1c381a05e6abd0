/** Migration of a subscription from the wallet to the card gateway (G-22). */
import { daysRemaining, givesAccess } from './entitlement.ts';
import { kindOfGateway } from './gateway.ts';
import type { SoldProduct, SubscriptionRecord } from './record.ts';

export const intentHours = 48;

export type IntentState = 'PENDING' | 'COMPLETED' | 'CANCELLED' | 'EXPIRED';

interface MigrationTerms {
  eligible: boolean;
  /** Why not eligible; null if eligible. */
  reason: string | null;
  remainingDays: number;
}

export const migrationTerms = (subscription: SubscriptionRecord, now: Date): MigrationTerms => {
  const remainingDays = daysRemaining(subscription.endsAt, now);
  const reason =
    kindOfGateway(subscription.gateway) !== 'wallet'
      ? 'Only a subscription at the wallet gateway can be moved.'
      : !givesAccess(subscription, now)
        ? 'The subscription has ended.'
        : subscription.product.rank === null
          ? 'This product cannot be moved.'
          : null;
  return { eligible: reason === null, reason, remainingDays };
};

/** Paid days keep their value: at another daily price they become more or fewer, rounded up. */
export const carriedDays = (remainingDays: number, from: SoldProduct, to: SoldProduct): number => {
  if (from.code === to.code || to.priceMinor <= 0) return remainingDays;
  const daily = ({ priceMinor, durationDays }: SoldProduct) => priceMinor / durationDays;
  return Math.ceil((remainingDays * daily(from)) / daily(to));
};

/** The credit for moved days in a plan change, for the ledger. */
export const worthOfDays = (days: number, product: SoldProduct) => ({
  amountMinor: Math.round((days * product.priceMinor) / product.durationDays),
  currency: product.currency,
  product,
});

/** Products that the subscription can move to, with the days added to the first paid period. */
export const migrationTargets = (
  subscription: SubscriptionRecord,
  products: readonly SoldProduct[],
  now: Date,
): { product: SoldProduct; remainingDays: number; bonusDays: number }[] => {
  const { remainingDays } = migrationTerms(subscription, now);
  return products
    .filter(({ rank, isActive }) => rank !== null && isActive)
    .map((product) => ({
      product,
      remainingDays: carriedDays(remainingDays, subscription.product, product),
      bonusDays: product.migrationBonusDays,
    }));
};
