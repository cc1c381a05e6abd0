/** What a user may do now, by subscriptions and their products (levels are data: G-34). */
import { daysBetween } from '../time.ts';

/** Features that a product may include. */
export const includedFlags = [
  'isNotam',
  'isNnc',
  'isMel',
  'isCdl',
  'isMostFav',
  'isBalkedLanding',
  'isAllIntersections',
] as const;
export const productFlags = [...includedFlags, 'isCommercial', 'isFleetDatabase'] as const;
type Flag = (typeof productFlags)[number];

/** One value per flag. */
export const flagsOf = <F extends Flag, V>(names: readonly F[], valueOf: (name: F) => V): Record<F, V> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<F, V>;

export interface Product extends Record<Flag, boolean> {
  code: string;
  title: string;
  level: number;
  /** Calculations per `allowanceDays` days. */
  maxCalculation: number;
  allowanceDays: number;
  libraryQuotaMb: number;
  /** For flight plans, flight data, checklists and fleet profiles together. */
  storageQuotaMb: number;
  /** Own checklists of the user. */
  maxChecklists: number;
  /** Empty: all airports. */
  allowedAirports: readonly string[];
}

export type GatewayStatus = 'Running' | 'paused' | 'Cancelled' | 'Expired';
export type SubscriptionStatus = 'ACTIVE' | 'ACTIVE_PAUSED' | 'PAUSED' | 'EXPIRED' | 'CANCELLED';

/** What determines status and access. */
export interface PaidPeriod {
  gatewayStatus: GatewayStatus;
  startsAt: Date;
  endsAt: Date;
}

export interface HeldSubscription extends PaidPeriod {
  id: number;
  product: Product;
}

export interface Entitlement {
  product: Product;
  /** Null in preview: no subscription gives access. */
  subscription: (HeldSubscription & { status: SubscriptionStatus }) | null;
  level: number;
  /** When the current period was bought; null in preview. */
  usedFrom: Date | null;
  isActive: boolean;
  isPreview: boolean;
}

/**
 * Status of a subscription (section 3 of the specification): paused and cancelled ones keep access until their end; one
 * that has not begun is active, but without access.
 */
export const statusOf = (subscription: PaidPeriod, now: Date): SubscriptionStatus => {
  const current = subscription.startsAt <= now && now < subscription.endsAt;
  if (subscription.gatewayStatus === 'Cancelled') return 'CANCELLED';
  if (subscription.gatewayStatus === 'paused') return current ? 'ACTIVE_PAUSED' : 'PAUSED';
  return now < subscription.endsAt && subscription.gatewayStatus === 'Running' ? 'ACTIVE' : 'EXPIRED';
};

/** Bought, with access from a later time. */
export const isAhead = (
  { gatewayStatus, startsAt }: Pick<PaidPeriod, 'gatewayStatus' | 'startsAt'>,
  now: Date,
): boolean => gatewayStatus !== 'Expired' && startsAt > now;

/** Access lasts until the paid end, even after a pause or cancellation. */
export const givesAccess = (subscription: PaidPeriod, now: Date): boolean =>
  subscription.gatewayStatus !== 'Expired' && subscription.startsAt <= now && now < subscription.endsAt;

/** Whichever allows more calculations per day. */
const ampler = (one: Product, other: Product): Pick<Product, 'maxCalculation' | 'allowanceDays'> => {
  const { maxCalculation, allowanceDays } =
    other.maxCalculation / other.allowanceDays > one.maxCalculation / one.allowanceDays ? other : one;
  return { maxCalculation, allowanceDays };
};

/** The product with the best of each feature among all of these. */
const bestOf = (product: Product, others: readonly Product[]): Product =>
  others.reduce(
    (best, other) => ({
      ...best,
      ...ampler(best, other),
      libraryQuotaMb: Math.max(best.libraryQuotaMb, other.libraryQuotaMb),
      storageQuotaMb: Math.max(best.storageQuotaMb, other.storageQuotaMb),
      maxChecklists: Math.max(best.maxChecklists, other.maxChecklists),
      ...flagsOf(productFlags, (flag) => best[flag] || other[flag]),
      allowedAirports:
        best.allowedAirports.length === 0 || other.allowedAirports.length === 0
          ? []
          : [...new Set([...best.allowedAirports, ...other.allowedAirports])],
    }),
    product,
  );

/**
 * The highest active level wins, then the latest end; each feature is the best of all active subscriptions. Without
 * any, the preview product applies.
 */
export const entitlementOf = (
  held: readonly HeldSubscription[],
  preview: Product,
  now: Date,
): Entitlement => {
  const best = (list: readonly HeldSubscription[]) =>
    [...list].sort((a, b) => b.product.level - a.product.level || b.endsAt.getTime() - a.endsAt.getTime())[0];
  const running = held.filter((subscription) => givesAccess(subscription, now));
  const active = best(running);
  if (active) {
    return {
      product: bestOf(
        active.product,
        running.map(({ product }) => product),
      ),
      subscription: { ...active, status: statusOf(active, now) },
      level: active.product.level,
      usedFrom: running.map(({ startsAt }) => startsAt).reduce((a, b) => (a < b ? a : b)),
      isActive: true,
      isPreview: active.product.level === 0,
    };
  }
  const last = [...held].sort((a, b) => b.endsAt.getTime() - a.endsAt.getTime())[0];
  return {
    product: preview,
    subscription: last ? { ...last, status: statusOf(last, now) } : null,
    level: 0,
    usedFrom: null,
    isActive: false,
    isPreview: true,
  };
};

/** True when the entitlement includes this airport (ICAO). */
export const allowsAirport = (entitlement: Entitlement, icao: string): boolean =>
  entitlement.product.allowedAirports.length === 0 ||
  entitlement.product.allowedAirports.includes(icao.toUpperCase());

/** Whole days left, 0 after the end. */
export const daysRemaining = (endsAt: Date, now: Date): number =>
  Math.max(0, Math.ceil(daysBetween(now, endsAt)));
