/** Plan changes: ranks are product data (M-2.10.t2), money is in minor units. */
import { DomainError } from '../errors.ts';
import { addSeconds, daySeconds } from '../time.ts';
import { periodEnd } from './period.ts';
import type { Billed } from './period.ts';

/** A product's data for plan changes. */
export interface Plan extends Billed {
  code: string;
  title: string;
  rank: number | null;
  priceMinor: number;
  currency: string;
  /** Prices in other currencies, in minor units by ISO 4217 code. */
  otherPrices: Readonly<Record<string, number>>;
}

/** A plan's price in this currency; null: not sold in it. */
export const priceIn = (
  { priceMinor, currency, otherPrices }: Pick<Plan, 'priceMinor' | 'currency' | 'otherPrices'>,
  paidIn: string,
): number | null => (paidIn === currency ? priceMinor : (otherPrices[paidIn] ?? null));

/** The paid time of the current plan. */
interface PaidTime {
  /** Value of the time until the end. */
  creditMinor: number;
  endsAt: Date;
}

export interface PlanChange extends PaidTime {
  kind: 'upgrade' | 'downgrade';
  /** 0 for a downgrade. */
  chargeMinor: number;
  currency: string;
}

const ranked = (plan: Plan): number => {
  if (plan.rank !== null) return plan.rank;
  throw new DomainError(
    'PLAN_NOT_AVAILABLE',
    {},
    `${plan.title} is not part of the plans that can be changed.`,
  );
};

/** The end up to which this value pays for the plan, by the days of its product. */
const endOf = (valueMinor: number, plan: Plan, now: Date): Date =>
  plan.priceMinor > 0
    ? addSeconds(now, Math.round((valueMinor / plan.priceMinor) * plan.durationDays * daySeconds))
    : now;

/**
 * A higher rank is charged at once for a whole period, less the remaining value of the current plan; excess value
 * extends the period. A lower rank costs nothing: the remaining value lasts longer at the new daily rate, and the end
 * never moves earlier (M-2.10.t3, M-2.10.t4). Credit and charge equal the value of the new period, so no sequence of
 * changes gains anything. Throws SAME_PLAN and PLAN_NOT_AVAILABLE.
 */
export const planChange = (
  current: Plan,
  target: Plan,
  { creditMinor, endsAt }: PaidTime,
  now: Date,
): PlanChange => {
  if (current.code === target.code) throw new DomainError('SAME_PLAN');
  const kind = ranked(target) > ranked(current) ? 'upgrade' : 'downgrade';
  const chargeMinor = kind === 'upgrade' ? Math.max(0, target.priceMinor - creditMinor) : 0;
  const reached = endOf(creditMinor + chargeMinor, target, now);
  // An upgrade lasts at least as long as the period that the gateway charges for.
  const least = kind === 'upgrade' ? periodEnd(now, target) : endsAt;
  return {
    kind,
    chargeMinor,
    creditMinor,
    currency: target.currency,
    endsAt: reached < least ? least : reached,
  };
};

/** The discount of a promo code, and the payments it applies to. */
export interface PromoCode {
  code: string;
  percent: number;
  /** Null: for all products. */
  productCode: string | null;
  /** False: the first payment only. */
  isRecurring: boolean;
  /** Null: unlimited. */
  maxCycles: number | null;
  expiresAt: Date | null;
  isActive: boolean;
}

export const isUsable = (promo: PromoCode, productCode: string, now: Date): boolean =>
  promo.isActive &&
  (promo.productCode === null || promo.productCode === productCode) &&
  (promo.expiresAt === null || promo.expiresAt > now);
